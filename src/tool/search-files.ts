import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { createMatcher } from '../text/regular-expression.ts';
import { containedPath, shownPath } from './contained-path.ts';
import { readFileContent } from './file-text.ts';
import type { Tool, ToolContext } from './tool.ts';
import { walkFiles } from './walk-files.ts';
import { matchesGlob } from './wildcard.ts';

const MOST_HITS = 200;
const LONGEST_LINE = 300;
const LARGEST_BYTES = 2 * 1024 * 1024;

/** Searches the text files of the working folder line by line. */
export const searchFilesTool: Tool = {
  name: 'search_files',
  description:
    'Search text files below a folder for a regular expression (JavaScript); gives path:line: text.',
  effect: 'read',
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['pattern'],
    properties: {
      pattern: { type: 'string', minLength: 1, maxLength: 500 },
      path: {
        type: 'string',
        minLength: 1,
        description: 'a file or folder; the working folder unless given',
      },
      glob: { type: 'string', minLength: 1, description: 'only such files, e.g. *.ts' },
      ignore_case: { type: 'boolean' },
    },
  },
  subject: (args, { cwd }) => ({ kind: 'path', text: shownPath(cwd, String(args['path'] ?? '.')) }),
  async run(args, { cwd, signal }) {
    const path = String(args['path'] ?? '.');
    const pattern = String(args['pattern']);
    const match = createLineMatcher(pattern, args['ignore_case'] === true);
    const glob = typeof args['glob'] === 'string' ? args['glob'] : undefined;
    const hits: string[] = [];
    let found = 0;
    let skipped = 0;
    for await (const file of filesIn(await containedPath(cwd, path), glob, signal)) {
      const text = await textOf(file.path);
      if (text === undefined) {
        skipped++;
        continue;
      }
      for (const [line, content] of match(text)) {
        found++;
        if (hits.length < MOST_HITS) hits.push(`${file.shown || path}:${line}: ${content}`);
      }
    }
    const note = skipped === 0 ? '' : ` (${skipped} files that are not text or too large were left out)`;
    if (found === 0) return { text: `no line fits ${pattern}${note}`, isError: false };
    const more =
      found > MOST_HITS
        ? `\n[${found - MOST_HITS} of ${found} lines left out; search for something narrower]`
        : '';
    return { text: `${hits.join('\n')}${more}${note === '' ? '' : `\n${note.trim()}`}`, isError: false };
  },
};

async function* filesIn(
  root: string,
  glob: string | undefined,
  signal: ToolContext['signal'],
): AsyncGenerator<{ path: string; shown: string }> {
  if (!(await lstat(root)).isDirectory()) {
    yield { path: root, shown: '' };
    return;
  }
  for await (const entry of walkFiles(root, { depth: 30, signal })) {
    if (entry.kind !== 'file' || (glob !== undefined && !matchesGlob(glob, entry.path))) continue;
    yield { path: join(root, entry.path), shown: entry.path };
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    if ((await lstat(path)).size > LARGEST_BYTES) return undefined;
    const content = await readFileContent(path);
    return content.kind === 'text' ? content.text : undefined;
  } catch (error) {
    if (hasSystemCode(error, 'EACCES', 'EPERM', 'ENOENT')) return undefined;
    throw error;
  }
}

/** The lines of a text that fit, numbered from 1. */
function createLineMatcher(
  pattern: string,
  ignoreCase: boolean,
): (text: string) => [line: number, content: string][] {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, ignoreCase ? 'iu' : 'u');
  } catch {
    expression = withoutUnicode(pattern, ignoreCase);
  }
  const match = createMatcher(expression);
  return (text) => {
    const lines = text.split(/\r?\n/);
    return match(lines).map((index) => [index + 1, (lines[index] ?? '').slice(0, LONGEST_LINE)]);
  };
}

/** The stricter Unicode mode refuses needless escapes such as `\-`, which models write. */
function withoutUnicode(pattern: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(pattern, ignoreCase ? 'i' : '');
  } catch (error) {
    throw new KnackError('usage', `${pattern} is no regular expression: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
