import { readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { type Folder, isSkipped } from '../files/folder.ts';

/** A folder as files and the links between them. */
export interface LinkedFolder {
  /** Without what is only reached through a link. */
  readonly files: Folder;
  /** Path of a link to what it leads to, relative to the link's own folder. */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * Tells the links of a skill's folder from its files; `folder` was read from `dir`, so that none leads out. A link
 * becomes a relative one, so that it holds wherever the folder goes; one to what is not in `folder` as it is, for git
 * ignores it say, becomes what was read through it.
 */
export async function separateLinks(dir: string, folder: Folder): Promise<LinkedFolder> {
  const root = await realpath(dir);
  const links = new Map<string, string>();
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (!entry.isSymbolicLink() || isSkipped(path)) continue;
    const through = [...folder.keys()].filter((each) => each === path || each.startsWith(`${path}/`));
    if (through.length === 0 || hasLinkAbove(path, links)) continue;
    const target = relative(root, await realpath(join(root, path)))
      .split(sep)
      .join('/');
    const isThere = (each: string) =>
      folder.has(posix.join(target, each.slice(path.length)).replace(/^\//, ''));
    if (!through.every(isThere)) continue;
    links.set(path, posix.relative(posix.dirname(path), target) || '.');
  }
  const files = new Map([...folder].filter(([path]) => !links.has(path) && !hasLinkAbove(path, links)));
  return { files, links };
}

/** The links of a folder that is there, as they stand. */
export async function linksOf(dir: string): Promise<Map<string, string>> {
  const links = new Map<string, string>();
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) links.set(relative(dir, path).split(sep).join('/'), await readlink(path));
  }
  return links;
}

function hasLinkAbove(path: string, links: ReadonlyMap<string, string>): boolean {
  for (let above = dirname(path); above !== '.'; above = dirname(above)) if (links.has(above)) return true;
  return false;
}
