import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { type Folder, isSkipped, readFolder } from '../files/folder.ts';
import { counted } from '../text/counted.ts';
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
  found: { readonly ignored: ReadonlySet<string>; readonly link?: string; readonly vain: readonly InVain[] },
): Promise<CommitOutcome | undefined> {
  if (target === undefined) return undefined;
  if (found.link !== undefined)
    return {
      kind: 'unavailable',
      why: `${found.link} is a link, which knack would write as a copy; put a copy in its place, or make the change with git`,
    };
  const hidden = await inTheWay(join(root, skill), addedBy({ base, target }), base, found.ignored);
  if (hidden.length > 0) return { kind: 'dirty', files: hidden.map((path) => `${skill}/${path}`) };
  return found.vain.length === 0 ? undefined : { kind: 'unavailable', why: whyInVain(found.vain) };
}

/** A file that would be committed in vain. */
interface InVain {
  readonly path: string;
  /** The pattern that has git ignore it, and where that stands; absent where no folder is read with such a file. */
  readonly by?: { readonly file: string; readonly line: string; readonly pattern: string };
}

const MOST_IN_VAIN = 5;

function whyInVain(found: readonly InVain[]): string {
  const told = found
    .slice(0, MOST_IN_VAIN)
    .map(({ path, by }) =>
      by === undefined
        ? `${path} is in a folder that is never read back; leave it out`
        : `git ignores ${path} by the pattern ${by.pattern}, line ${by.line} of ${by.file}; change that first`,
    );
  const more = found.length - told.length;
  return [...told, ...(more > 0 ? [`and so with ${counted(more, 'more file')}`] : [])].join('; ');
}

/** The files that a change adds and git would ignore. What a rollback brings back was tracked once, and is again. */
export async function addedInVain(
  git: Git,
  change: Change & { readonly restores?: string },
): Promise<InVain[]> {
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
async function ignoredOf(git: Git, paths: readonly string[]): Promise<InVain[]> {
  if (paths.length === 0) return [];
  // It knows no literal paths, and needs none: it matches patterns against paths and never the other way round.
  const command = '--no-literal-pathspecs check-ignore --no-index --verbose -z --stdin'.split(' ');
  const told = await git
    .feed(Buffer.from(paths.map((path) => `${path}\0`).join('')), ...command)
    .then((listing) => Buffer.from(listing).toString())
    .catch((error: unknown) => {
      // None of them.
      if (/\(exit code 1\)/.test(messageOf(error))) return '';
      throw error;
    });
  const ignored = readIgnored(told);
  // A file of the repository is named from its top.
  const top = ignored.size === 0 ? '' : (await git.run('rev-parse', '--show-toplevel')).replace(/\n$/, '');
  return paths.flatMap((path): InVain[] => {
    const by = ignored.get(path);
    if (by !== undefined) return [{ path, by: { ...by, file: resolve(top, by.file) } }];
    return isSkipped(path) ? [{ path }] : [];
  });
}

/** What `check-ignore --verbose -z` tells of each path: file, line, pattern and path. */
function readIgnored(told: string): Map<string, NonNullable<InVain['by']>> {
  const fields = told.split('\0');
  const found = new Map<string, NonNullable<InVain['by']>>();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [file = '', line = '', pattern = '', path = ''] = fields.slice(at, at + 4);
    // One that begins so takes a file back in.
    if (!pattern.startsWith('!')) found.set(path, { file, line, pattern });
  }
  return found;
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
