import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { type Folder, isSkipped, readFolder } from '../files/folder.ts';
import type { Git } from './git.ts';
import type { CommitOutcome } from './history.ts';
import type { Change } from './revision.ts';
import type { SkillStatus } from './skill-status.ts';

/** The files of a skill without those that git ignores; undefined if there are none. */
export async function readSkill(
  root: string,
  skill: string,
  { ignored }: Pick<SkillStatus, 'ignored'>,
): Promise<Folder | undefined> {
  // Ignored as a whole.
  return ignored.has('') ? undefined : readIfThere(join(root, skill), ignored);
}

/** The folder at `dir` without these paths; undefined if it does not exist or no file is left. */
export async function readIfThere(dir: string, without?: ReadonlySet<string>): Promise<Folder | undefined> {
  try {
    const folder = await readFolder(dir, { reads: (path) => without?.has(path) !== true });
    return folder.size === 0 ? undefined : folder;
  } catch (error) {
    if (error instanceof KnackError && error.code === 'not-found') return undefined;
    throw error;
  }
}

/**
 * Why a change cannot be written: the skill holds a link, a file of the person's that git ignores is in the way, or git
 * would ignore what the change adds.
 */
export async function obstacleTo(
  root: string,
  { skill, base = new Map(), target }: Change,
  found: { readonly ignored: ReadonlySet<string>; readonly link?: string; readonly vain: readonly string[] },
): Promise<CommitOutcome | undefined> {
  if (target === undefined) return undefined;
  if (found.link !== undefined)
    return {
      kind: 'unavailable',
      why: `${found.link} is a link, which knack would write as a copy; put a copy in its place, or make the change with git`,
    };
  const hidden = await inTheWay(join(root, skill), addedBy({ base, target }), base, found.ignored);
  if (hidden.length > 0) return { kind: 'dirty', files: hidden.map((path) => `${skill}/${path}`) };
  if (found.vain.length === 0) return undefined;
  return { kind: 'unavailable', why: `git ignores ${found.vain.join(', ')}; change its patterns first` };
}

/** The files that a change adds and git would ignore. What a rollback brings back was tracked once, and is again. */
export async function addedInVain(
  git: Git,
  change: Change & { readonly restores?: string },
): Promise<string[]> {
  if (change.restores !== undefined) return [];
  return ignoredOf(
    git,
    addedBy(change).map((path) => `${change.skill}/${path}`),
  );
}

function addedBy({ base, target }: Pick<Change, 'base' | 'target'>): string[] {
  return [...(target?.keys() ?? [])].filter((path) => base?.has(path) !== true);
}

/** What stands where these files are to be written, and is no part of the skill. */
async function inTheWay(
  dir: string,
  added: readonly string[],
  present: Folder,
  ignored: ReadonlySet<string>,
): Promise<string[]> {
  const found = new Set<string>();
  for (const path of added) {
    for (const folder of foldersOf(path))
      if (!present.has(folder) && (await kindOf(join(dir, folder))) === 'other') found.add(folder);
    const kind = await kindOf(join(dir, path));
    // A folder of the skill may become a file, one with files of the person may not.
    const isMixed = [...ignored].some((each) => isBelow(each, path) || each === path || isBelow(path, each));
    if (kind === 'other' || (kind === 'folder' && isMixed)) found.add(path);
  }
  return [...found];
}

/** Those that git would ignore, or that are never read back. None of them is tracked, so the index is not asked. */
async function ignoredOf(git: Git, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  // It knows no literal paths, and needs none: it matches patterns against paths and never the other way round.
  // Fed, as simple-git waits 50 ms where a command says nothing.
  const listing = await git
    .feed(new Uint8Array(), '--no-literal-pathspecs', 'check-ignore', '--no-index', '--', ...paths)
    .then((told) => Buffer.from(told).toString())
    .catch((error: unknown) => {
      // None of them.
      if (/\(exit code 1\)/.test(messageOf(error))) return '';
      throw error;
    });
  return [...new Set([...listing.split('\n').filter((path) => path !== ''), ...paths.filter(isSkipped)])];
}

/**
 * Moves all that is not among the `own` files from one folder into another, whole folders at once. Where something of
 * that name stands it is moved beside it: nothing is ever written over.
 */
export async function carryOver(from: string, to: string, own: readonly string[]): Promise<void> {
  const ours = new Set(own.map(bytesOf));
  const folders = new Set(own.flatMap(foldersOf).map(bytesOf));
  const [source, target] = [bytesOf(from), bytesOf(to)];
  const visit = async (relative: string): Promise<void> => {
    for (const entry of await entriesOf(relative === '' ? source : `${source}/${relative}`)) {
      const name = entry.name.toString('latin1');
      const path = relative === '' ? name : `${relative}/${name}`;
      if (ours.has(path)) continue;
      const isFolder = entry.isDirectory();
      if (folders.has(path)) {
        // A link that was read as the folder it leads to is ours.
        if (isFolder) await visit(path);
      } else if (isFolder && (await kindOf(placeOf(`${target}/${path}`))) === 'folder') await visit(path);
      else await move(`${source}/${path}`, `${target}/${path}`);
    }
  };
  await visit('');
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(placeOf(dirname(to)), { recursive: true });
  let free = to;
  while ((await kindOf(placeOf(free))) !== 'none') free += '.kept';
  await rename(placeOf(from), placeOf(free));
}

/** A path with a character for each byte: a name need not be UTF-8, and is moved all the same. */
function bytesOf(path: string): string {
  return Buffer.from(path).toString('latin1');
}

function placeOf(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1');
}

async function entriesOf(dir: string): Promise<Dirent<Buffer>[]> {
  try {
    return await readdir(placeOf(dir), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function kindOf(path: string | Buffer): Promise<'none' | 'folder' | 'other'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return 'none';
    throw error;
  }
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}
