import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { KnackError } from '../errors.ts';
import { type Folder, type FolderFile, isSkipped } from '../folder.ts';
import type { Git } from './git.ts';

interface Entry {
  readonly mode: string;
  readonly kind: string;
  readonly id: string;
}

const LINK = '120000';

/**
 * The folder of a skill as a commit holds it; undefined if there is none. A link is read as what it leads to within
 * the skill. Throws `refused` for one that leads out or nowhere, and for another repository; with `exact` for any link.
 */
export async function folderIn(
  git: Git,
  commit: string,
  skill: string,
  { exact = false }: { exact?: boolean } = {},
): Promise<Folder | undefined> {
  const listing = await git.run('ls-tree', '-r', '-z', commit, '--', `${skill}/`);
  const entries = new Map<string, Entry>();
  for (const line of listing.split('\0')) {
    const [, mode = '', kind = '', id = '', path = ''] =
      /^(\d{6}) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    // What no folder is read with stays where it is, tracked or not.
    if (path !== '' && !isSkipped(path)) entries.set(path.slice(skill.length + 1), { mode, kind, id });
  }
  if (entries.size === 0) return undefined;
  for (const [path, { mode, kind }] of entries)
    if (kind !== 'blob' || (exact && mode === LINK))
      throw new KnackError(
        'refused',
        `${skill}/${path} is a link or another repository, which knack does not bring back; use git for this version`,
      );
  const ids = [...new Set([...entries.values()].map(({ id }) => id))];
  const blobs = await git.blobs(ids);
  const bytes = new Map(ids.map((id, index) => [id, blobs[index] ?? new Uint8Array()]));
  const files = new Map<string, FolderFile>();
  const add = (path: string, from: string, trail: readonly string[]): void => {
    const entry = entries.get(from);
    if (entry !== undefined && entry.mode !== LINK) {
      files.set(path, {
        bytes: bytes.get(entry.id) ?? new Uint8Array(),
        executable: entry.mode === '100755',
      });
      return;
    }
    const below = [...entries.keys()].filter((each) => from === '.' || each.startsWith(`${from}/`));
    const leadsTo =
      entry === undefined
        ? undefined
        : posix.join(posix.dirname(from), Buffer.from(bytes.get(entry.id) ?? []).toString());
    if (trail.includes(from) || (leadsTo === undefined && below.length === 0) || leadsTo?.startsWith('..'))
      throw new KnackError('refused', `${skill}/${path} is a link that leads out of the skill, or nowhere`);
    if (leadsTo !== undefined) return add(path, leadsTo.replace(/\/$/, ''), [...trail, from]);
    for (const each of below)
      add(`${path}${from === '.' ? '/' : ''}${each.slice(from === '.' ? 0 : from.length)}`, each, [
        ...trail,
        from,
      ]);
  };
  for (const path of entries.keys()) add(path, path, []);
  return new Map([...files].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The folder of a skill as it was last committed; undefined if it was not. */
export async function headFolder(git: Git, skill: string): Promise<Folder | undefined> {
  return (await hasCommits(git)) ? folderIn(git, 'HEAD', skill) : undefined;
}

/** Whether any branch holds a commit. */
export async function hasCommits(git: Git): Promise<boolean> {
  return (await git.run('rev-list', '-n', '1', '--branches')).trim() !== '';
}

/** What git tracks of a skill, in the index. */
export async function trackedIn(
  git: Git,
  skill: string,
): Promise<{ readonly paths: readonly string[]; readonly link?: string }> {
  const staged = (await git.run('ls-files', '--stage', '-z', '--', skill)).split('\0').filter(Boolean);
  const pathOf = (entry: string) => entry.slice(entry.indexOf('\t') + 1);
  const link = staged.find((entry) => entry.startsWith(`${LINK} `));
  return { paths: [...new Set(staged.map(pathOf))], ...(link === undefined ? {} : { link: pathOf(link) }) };
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
