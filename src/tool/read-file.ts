import { KnackError } from '../errors.ts';
import { containedPath, shownPath } from './contained-path.ts';
import { readFileContent } from './file-text.ts';
import type { Tool } from './tool.ts';

/** Characters of one page unless asked for less; below the cap of a result, so that a page is never cut. */
const PAGE = 30_000;

/** Reads a text file in the working folder, page by page; the pages joined are the file. */
export const readFileTool: Tool = {
  name: 'read_file',
  description:
    'Read a text file of the working folder. Long files come in pages: go on with the offset that the answer names.',
  effect: 'read',
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['path'],
    properties: {
      path: { type: 'string', minLength: 1 },
      offset: { type: 'integer', minimum: 0, description: 'character to start at' },
      line: { type: 'integer', minimum: 1, description: 'line to start at, in place of offset' },
      limit: { type: 'integer', minimum: 1, maximum: PAGE, description: 'characters of one page' },
    },
  },
  subject: (args, { cwd }) => ({ kind: 'path', text: shownPath(cwd, String(args['path'])) }),
  async run(args, { cwd }) {
    const path = String(args['path']);
    const content = await readFileContent(await containedPath(cwd, path));
    if (content.kind === 'binary')
      return { text: `${path} is not text: ${content.type}, ${content.size} bytes`, isError: false };
    const { text } = content;
    const start =
      typeof args['line'] === 'number' ? startOfLine(text, args['line']) : Number(args['offset'] ?? 0);
    if (start > text.length || (start === text.length && start > 0))
      throw new KnackError('usage', `${path} has ${text.length} characters; ${start} is past its end`);
    const page = pageOf(text, start, Number(args['limit'] ?? PAGE));
    const end = start + page.length;
    if (start === 0 && end === text.length)
      return { text: text === '' ? `${path} is empty` : text, isError: false };
    const more = end < text.length ? `next offset ${end}` : 'this is the end';
    return {
      text: `[${path}: characters ${start}–${end} of ${text.length}; ${more}]\n${page}`,
      isError: false,
    };
  },
};

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let current = 1; current < line; current++) {
    const end = text.indexOf('\n', at);
    if (end < 0) throw new KnackError('usage', `the file has ${current} lines; there is no line ${line}`);
    at = end + 1;
  }
  return at;
}

/** At most `limit` characters from `start`; ends with a line where one ends in the second half, and never within a character. */
function pageOf(text: string, start: number, limit: number): string {
  const page = text.slice(start, start + limit);
  if (start + limit >= text.length) return page;
  const lineEnd = page.lastIndexOf('\n') + 1;
  if (lineEnd > limit / 2) return page.slice(0, lineEnd);
  return page.length > 1 ? page.replace(/[\uD800-\uDBFF]$/, '') : text.slice(start, start + 2);
}
