import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '../errors.ts';
import { containedPath, shownPath } from './contained-path.ts';
import type { Tool } from './tool.ts';
import { walkFiles } from './walk-files.ts';
import { matchesGlob } from './wildcard.ts';

const MOST = 400;

/** Lists what lies in a folder of the working folder. */
export const listFilesTool: Tool = {
  name: 'list_files',
  description: 'List files and folders below a folder of the working folder, with sizes in bytes.',
  effect: 'read',
  parameters: {
    type: 'object',
    additionalProperties: false,
    properties: {
      path: { type: 'string', minLength: 1, description: 'the working folder unless given' },
      glob: { type: 'string', minLength: 1, description: 'only such files, e.g. *.ts or src/**/*.ts' },
      depth: { type: 'integer', minimum: 1, maximum: 20, description: '2 unless given; 20 with a glob' },
    },
  },
  subject: (args, { cwd }) => ({ kind: 'path', text: shownPath(cwd, String(args['path'] ?? '.')) }),
  async run(args, { cwd, signal }) {
    const path = String(args['path'] ?? '.');
    const dir = await containedPath(cwd, path);
    const glob = typeof args['glob'] === 'string' ? args['glob'] : undefined;
    const depth = Number(args['depth'] ?? (glob === undefined ? 2 : 20));
    const lines: string[] = [];
    let found = 0;
    for await (const entry of walkFiles(dir, { depth, signal })) {
      if (glob !== undefined && (entry.kind === 'folder' || !matchesGlob(glob, entry.path))) continue;
      found++;
      if (found > MOST) continue;
      if (entry.kind === 'folder') lines.push(`${entry.path}/`);
      else if (entry.kind === 'file') lines.push(`${entry.path}  ${await sizeOf(join(dir, entry.path))}`);
      else lines.push(`${entry.path}  (${entry.kind})`);
    }
    if (found === 0)
      return { text: `nothing in ${path}${glob === undefined ? '' : ` fits ${glob}`}`, isError: false };
    if (found > MOST)
      lines.push(`[${found - MOST} of ${found} left out; give a path, a glob or a smaller depth]`);
    return { text: lines.join('\n'), isError: false };
  },
};

/** In bytes; of a file that went meanwhile, or lies in a folder that is no way through, that it is unreadable. */
async function sizeOf(path: string): Promise<string> {
  try {
    return String((await lstat(path)).size);
  } catch (error) {
    if (isSystemError(error)) return '(unreadable)';
    throw error;
  }
}
