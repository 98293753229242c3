import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { KnackError } from '../errors.ts';
import { containedPath, shownPath } from './contained-path.ts';
import { type FileContent, readFileContent } from './file-text.ts';
import type { Tool } from './tool.ts';

/** Replaces one passage of a file, or makes a new file. */
export const editFileTool: Tool = {
  name: 'edit_file',
  description:
    'Replace old_text, which must stand in the file exactly once, by new_text. Without old_text a new file is made.',
  effect: 'write',
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['path', 'new_text'],
    properties: {
      path: { type: 'string', minLength: 1 },
      old_text: { type: 'string', description: 'verbatim, with enough around it to be unique' },
      new_text: { type: 'string' },
    },
  },
  subject: (args, { cwd }) => ({ kind: 'path', text: shownPath(cwd, String(args['path'])) }),
  async run(args, { cwd }) {
    const path = String(args['path']);
    const real = await containedPath(cwd, path);
    const [oldText, newText] = [String(args['old_text'] ?? ''), String(args['new_text'])];
    const content = await contentOf(real);
    if (content === undefined) {
      if (oldText !== '')
        throw new KnackError('not-found', `${path} does not exist; leave old_text out to make it`);
      await writeWhole(real, newText, 0o644);
      return { text: `made ${path} with ${newText.length} characters`, isError: false };
    }
    if (content.kind === 'binary') throw new KnackError('refused', `${path} is not text: ${content.type}`);
    const { text, line } = replaceOnce(content.text, oldText, newText, path);
    await writeWhole(real, text, content.mode);
    return { text: `changed ${path} at line ${line}`, isError: false };
  },
};

async function contentOf(path: string): Promise<FileContent | undefined> {
  try {
    return await readFileContent(path);
  } catch (error) {
    if (error instanceof KnackError && error.code === 'not-found') return undefined;
    throw error;
  }
}

function replaceOnce(
  text: string,
  oldText: string,
  newText: string,
  path: string,
): { text: string; line: number } {
  if (oldText === '')
    throw new KnackError(
      'conflict',
      `${path} exists already; give the old_text that new_text takes the place of`,
    );
  // Models write LF; a file with CRLF keeps it.
  const crlf = text.includes('\r\n') && !oldText.includes('\r');
  const [from, to] = crlf ? [asCrlf(oldText), asCrlf(newText)] : [oldText, newText];
  const at = text.indexOf(from);
  if (at < 0)
    throw new KnackError(
      'not-found',
      `old_text does not stand in ${path}. Read the file again and copy it exactly, blanks and line ends too`,
    );
  const again = text.indexOf(from, at + 1);
  if (again >= 0)
    throw new KnackError(
      'conflict',
      `old_text stands in ${path} more than once (lines ${lineAt(text, at)} and ${lineAt(text, again)}); take in more around it`,
    );
  return { text: text.slice(0, at) + to + text.slice(at + from.length), line: lineAt(text, at) };
}

function asCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** The old file or the new one, never a part of it. */
async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.chmod(mode);
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
