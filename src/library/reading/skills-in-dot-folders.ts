import { dirname, relative, sep } from 'node:path';
import type { Problem } from '../../errors.ts';
import { withSlashes } from '../../files/folder.ts';
import { counted } from '../../text/counted.ts';
import { discoverSkills } from './discover.ts';
import { listFolder, skillFileOf, within } from './folder-entries.ts';

/** Skills below folders that begin with a dot, which discovery skips. */
export interface DotFolderSkills {
  /** Of each `SKILL.md`, absolute, sorted. */
  readonly paths: readonly string[];
  /** Folders that would find them as roots, relative to the one looked through, with how many each has; most first. */
  readonly folders: readonly { readonly path: string; readonly count: number }[];
  /** Whether all dot folders were looked through. */
  readonly isWhole: boolean;
}

/** Folders below those with a dot that are looked into, the nearest first, and how deep below one. */
const LIMITS = { folders: 5000, depth: 8 };
const MOST_NAMED = 3;

/**
 * Looks for skills in the folders that discovery skips for their dot, but in none of git or `node_modules` and through no
 * link. Costs a look at every folder: for who asks what is there, not for a start. `dotFolders` are those below `root`
 * where discovery has said which; none where there is no such root.
 */
export function skillsInDotFolders(
  root: string,
  dotFolders: readonly string[] = dotFoldersBelow(root),
  limits: Partial<typeof LIMITS> = {},
): DotFolderSkills {
  const { folders: mostFolders, depth: deepest } = { ...LIMITS, ...limits };
  const paths: string[] = [];
  const folders = new Map<string, string[]>();
  const queue = dotFolders.map((dir) => ({ dir, top: dir, depth: 0 }));
  // The list grows while it is walked, so that what lies near comes first.
  for (const [at, { dir, top, depth }] of queue.entries()) {
    if (at >= mostFolders) break;
    const { entries } = listFolder(dir);
    const file = skillFileOf(entries);
    if (file !== undefined) {
      paths.push(within(dir, file.name));
      folders.set(top, [...(folders.get(top) ?? []), dir === top ? top : dirname(dir)]);
    } else if (depth < deepest)
      for (const entry of entries) {
        const { name } = entry;
        if (!entry.isDirectory() || name === '.git' || name === 'node_modules') continue;
        const inner = within(dir, name);
        queue.push({ dir: inner, top: name.startsWith('.') ? inner : top, depth: depth + 1 });
      }
  }
  const counts = [...folders.values()].map((parents) => ({
    path: withSlashes(relative(root, commonFolder(parents))),
    count: parents.length,
  }));
  return {
    paths: paths.sort((left, right) => (left < right ? -1 : 1)),
    folders: counts.sort((left, right) => right.count - left.count || (left.path < right.path ? -1 : 1)),
    isWhole: queue.length <= mostFolders,
  };
}

/** One remark on all of them, with what to do, as of this folder; undefined where there are none. */
export function dotFolderProblem(
  root: string,
  { paths, folders, isWhole }: DotFolderSkills,
  remedy = 'name such a folder as a root to use them',
): Problem | undefined {
  if (paths.length === 0) return undefined;
  const named = folders.slice(0, MOST_NAMED).map(({ path, count }) => `${path} (${count})`);
  const more = folders.length - named.length;
  const places = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const count = `${isWhole ? '' : 'at least '}${counted(paths.length, 'skill lies', 'skills lie')}`;
  const message = `${count} in folders of ${root} whose names begin with a dot, which are skipped: ${places}; ${remedy}`;
  return { rule: 'dot-folder', severity: 'info', message };
}

function dotFoldersBelow(root: string): readonly string[] {
  return listFolder(root).fault === undefined ? discoverSkills(root).dotFolders : [];
}

function commonFolder([first = '', ...others]: readonly string[]): string {
  let common = first;
  for (const each of others)
    while (each !== common && !each.startsWith(common + sep)) common = dirname(common);
  return common;
}
