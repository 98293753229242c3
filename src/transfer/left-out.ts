import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Folder, isSkipped } from '../files/folder.ts';

/** Whether a path is or lies in what speaks to git: in the workspace it would hide or rewrite files of the skill. */
export function isOfGit(path: string): boolean {
  return /(?:^|\/)\.git(?:$|[^/]*(?:$|\/))/.test(path);
}

/**
 * Paths of what lies in a skill's own folder and was not read, sorted: files of git, packages, sockets, devices. Folders
 * that no skill is read with count as one and are not looked into. Its own `.git` is no part of it.
 */
export async function leftOutOf(dir: string, folder: Folder): Promise<string[]> {
  const left: string[] = [];
  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(dir, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (path === '.git' || folder.has(path)) continue;
      if (isSkipped(path) || isOfGit(path)) left.push(path);
      else if (entry.isDirectory()) await visit(path);
      else if (!entry.isSymbolicLink()) left.push(path);
    }
  };
  await visit('');
  return left.sort((one, other) => (one < other ? -1 : 1));
}
