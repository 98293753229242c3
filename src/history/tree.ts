import { createHash } from 'node:crypto';
import { KnackError } from '../errors.ts';
import { type Folder, type FolderFile, isSkipped } from '../folder.ts';
import type { Git } from './git.ts';

/** The folder of a skill as a commit holds it; undefined if there is none. A link is read as what it leads to. */
export async function folderIn(git: Git, commit: string, skill: string): Promise<Folder | undefined> {
  const listing = await git.run('ls-tree', '-r', '-z', '--full-tree', commit, '--', `${skill}/`);
  const entries = listing.split('\0').flatMap((entry) => {
    const match = /^(\d{6}) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(entry);
    // What no folder is read with stays where it is, tracked or not.
    return match === null || isSkipped(String(match[4]))
      ? []
      : [
          {
            mode: String(match[1]),
            kind: String(match[2]),
            id: String(match[3]),
            path: String(match[4]).slice(skill.length + 1),
          },
        ];
  });
  if (entries.length === 0) return undefined;
  const files: [string, FolderFile][] = [];
  for (const { mode, kind, id, path } of entries) {
    if (kind !== 'blob' || mode === '120000')
      throw new KnackError(
        'refused',
        `${skill}/${path} is a link or another repository, which knack does not bring back; use git for this version`,
      );
    files.push([path, { bytes: await git.blob(id), executable: mode === '100755' }]);
  }
  return new Map(files.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** One value for all files, bytes and modes of a folder; `none` for no folder. */
export function digestOf(folder: Folder | undefined): string {
  if (folder === undefined) return 'none';
  const hash = createHash('sha256');
  for (const [path, file] of folder) {
    hash.update(`${path}\0${file.executable ? 'x' : '-'}\0${file.bytes.length}\0`);
    hash.update(file.bytes);
  }
  return hash.digest('hex');
}
