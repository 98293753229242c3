import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { KnackError } from '../errors.ts';
import { type Folder, type FolderFile, isSkipped, spelledName } from '../files/folder.ts';
import type { Git } from './git.ts';

/** A file as git keeps it. */
export interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** What git keeps of a skill: by the path in its folder. */
export type Entries = ReadonlyMap<string, Entry>;

const LINK = '120000';
const REPOSITORY = '160000';

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
  const entries = await entriesAt(git, commit, skill);
  if (entries.size === 0) return undefined;
  for (const [path, { mode }] of entries) {
    if (mode === REPOSITORY || (exact && mode === LINK))
      throw new KnackError(
        'refused',
        `${path === '' ? skill : `${skill}/${path}`} is a link or another repository, which knack does not bring back; use git for this version`,
      );
    if (exact && path.includes('\ufffd')) await refuseUnreadable(git, commit, skill);
  }
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

/** The files of a skill in a commit, without those that no folder is read with. */
export async function entriesAt(git: Git, commit: string, skill: string): Promise<Entries> {
  const listing = await git.run('ls-tree', '-r', '-z', commit, '--', `${skill}/`);
  const entries = new Map<string, Entry>();
  for (const line of listing.split('\0')) {
    const [, mode = '', id = '', path = ''] = /^(\d{6}) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    // What no folder is read with stays where it is, tracked or not.
    if (path !== '' && !isSkipped(path)) entries.set(path.slice(skill.length + 1), { mode, id });
  }
  return entries;
}

/** Whether both are the same files with the same bytes and modes. */
export function equalEntries(left: Entries, right: Entries): boolean {
  return (
    left.size === right.size &&
    [...left].every(([path, { mode, id }]) => right.get(path)?.id === id && right.get(path)?.mode === mode)
  );
}

/** Throws `refused` for a file whose name is not UTF-8. */
async function refuseUnreadable(git: Git, commit: string, skill: string): Promise<void> {
  const command = ['ls-tree', '-r', '-z', '--name-only', commit, '--', `${skill}/`];
  const names = Buffer.from(await git.feed(new Uint8Array(), ...command)).toString('latin1');
  const name = names.split('\0').find((each) => !isUtf8(Buffer.from(each, 'latin1')));
  if (name === undefined) return;
  throw new KnackError(
    'refused',
    `the name of ${spelledName(Buffer.from(name, 'latin1'))} is not UTF-8, and knack cannot write it; use git for this version`,
  );
}

/** The folder of a skill as it was last committed; undefined if it was not. */
export async function headFolder(git: Git, skill: string): Promise<Folder | undefined> {
  return (await hasCommits(git)) ? folderIn(git, 'HEAD', skill) : undefined;
}

/** Whether any branch holds a commit. */
export async function hasCommits(git: Git): Promise<boolean> {
  return (await git.run('rev-list', '-n', '1', '--branches')).trim() !== '';
}

/** What git tracks of a skill, in the index; the last commit's, unless the status says otherwise. */
export async function trackedIn(git: Git, skill: string): Promise<Entries> {
  // Fed, as simple-git waits 50 ms where a command says nothing, as of a new skill.
  const told = await git.feed(new Uint8Array(), 'ls-files', '--stage', '-z', '--', skill);
  const listing = Buffer.from(told).toString();
  const entries = new Map<string, Entry>();
  for (const line of listing.split('\0')) {
    const [, mode = '', id = '', path = ''] = /^(\d{6}) ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? [];
    // A link in the place of the skill has its name alone.
    if (path !== '' && !isSkipped(path)) entries.set(path.slice(skill.length + 1), { mode, id });
  }
  return entries;
}

/** A link among them, as git names it. */
export function linkAmong(skill: string, tracked: Entries): string | undefined {
  const found = [...tracked].find(([, { mode }]) => mode === LINK);
  return found && (found[0] === '' ? skill : `${skill}/${found[0]}`);
}

/** Whether this is an ordinary file, and not a link or another repository. */
export function isFileEntry(entry: Entry): boolean {
  return entry.mode !== LINK && !isRepositoryEntry(entry);
}

/** Whether this is another repository, a submodule. */
export function isRepositoryEntry({ mode }: Entry): boolean {
  return mode === REPOSITORY;
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
