import { realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode } from '../errors.ts';
import type { EarlierCommit } from '../history/commit-copy.ts';

/** Never committed, and without them hardly a check of a project runs. */
const FOLDERS = ['node_modules', '.venv'];

/**
 * Links the packages that are installed in a repository, at its top and in the session's folder, into a copy of a commit
 * that has none. Answers with the folders that the links lead to, which a sandbox has to be given to read. A folder that
 * is itself a link, or lies behind one, is left out: it could lead anywhere.
 */
export async function linkInstalled(
  { top, inside }: Pick<EarlierCommit, 'top' | 'inside'>,
  copy: string,
): Promise<string[]> {
  const linked: string[] = [];
  for (const place of new Set(['', inside]))
    for (const name of FOLDERS) {
      const folder = join(top, place, name);
      if ((await realPath(folder)) !== folder) continue;
      try {
        await symlink(folder, join(copy, place, name));
        linked.push(folder);
      } catch (error) {
        if (!hasSystemCode(error, 'EEXIST')) throw error;
      }
    }
  return linked;
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return undefined;
    throw error;
  }
}
