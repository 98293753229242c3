import { existsSync } from 'node:fs';
import { lstat, readlink, realpath, rm, rmdir, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readFolder, writeFolder } from '../files/folder.ts';
import { makeFolders } from '../files/make-folders.ts';
import { withLock } from '../history/lock.ts';
import { digestOf } from '../history/tree.ts';
import type { Skill } from '../skill/skill.ts';
import { type MadeLink, readMadeLinks, writeMadeLinks } from './link-record.ts';
import { ownFolderOf } from './own-folders.ts';
import { changeSinceWritten } from './written-copy.ts';

export interface LinkRequest {
  /** Folders that agents read skills from; absolute. */
  readonly folders: readonly string[];
  readonly skills: readonly Skill[];
  readonly copy: boolean;
  /** Takes away what was made instead, of these names or of all if empty; also of skills that are no more. */
  readonly remove?: readonly string[];
  /** Where nothing is put: the library's own folders and the skills in it; absolute. */
  readonly own: readonly string[];
  readonly dryRun: boolean;
}

/** What became of one skill in one folder. */
export interface Linked {
  readonly name: string;
  readonly path: string;
  readonly outcome: 'linked' | 'copied' | 'unchanged' | 'removed' | 'refused';
  readonly reason?: string;
}

/**
 * Makes skills visible in the folders of agents, by a link or a copy each, or takes away again what was made here.
 * Whatever else stands under such a name stays. `file` keeps what was made, by one process at a time. One skill's trouble
 * is its own result. Says the same with `dryRun` and writes nothing. Throws `io` where a folder cannot be made, `conflict`
 * for a `file` that cannot be read, `lock-held`.
 */
export async function linkSkills(file: string, request: LinkRequest): Promise<Linked[]> {
  return request.dryRun ? linkAll(file, request) : withLock(file, () => linkAll(file, request));
}

async function linkAll(file: string, request: LinkRequest): Promise<Linked[]> {
  const made = await readMadeLinks(file);
  const results: Linked[] = [];
  try {
    for (const folder of request.folders) {
      const gone = await removable(folder, request, made);
      for (const link of gone)
        results.push(await unlessFailed(link.skill, link.path, () => takeAway(link, request, made)));
      if (request.remove !== undefined) {
        if (!request.dryRun && !isUsed(folder, made)) await removeEmpty(folder, gone);
        continue;
      }
      const own = await ownFolderOf(folder, request.own);
      const first =
        own === undefined && !request.dryRun && request.skills.length > 0
          ? ((await makeFolder(folder)) ?? gone.find((link) => link.made !== undefined)?.made)
          : undefined;
      for (const skill of request.skills)
        results.push(
          await unlessFailed(skill.name, join(folder, skill.name), async () =>
            own === undefined || (await isItself(join(folder, skill.name), skill))
              ? putOne(folder, skill, request, made)
              : refuseOwn(folder, skill, own),
          ),
        );
      if (first !== undefined)
        for (const link of [...made.values()])
          if (dirname(link.path) === folder) made.set(link.path, { ...link, made: first });
    }
  } finally {
    if (!request.dryRun) await writeMadeLinks(file, made);
  }
  return results;
}

/** What keeps one skill from being put in a place or taken away, as its result. */
async function unlessFailed(name: string, path: string, act: () => Promise<Linked>): Promise<Linked> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    return { name, path, outcome: 'refused', reason: error.message };
  }
}

/** What is to go: with `remove` what was asked for, else links whose skill is gone. */
async function removable(
  folder: string,
  { remove }: LinkRequest,
  made: ReadonlyMap<string, MadeLink>,
): Promise<MadeLink[]> {
  const here = [...made.values()].filter(({ path }) => dirname(path) === folder);
  if (remove !== undefined) return here.filter(({ skill }) => remove.length === 0 || remove.includes(skill));
  return here.filter(({ target }) => target !== undefined && !existsSync(target));
}

async function takeAway(
  link: MadeLink,
  { dryRun }: LinkRequest,
  made: Map<string, MadeLink>,
): Promise<Linked> {
  const { path, skill: name } = link;
  const { state, change } = await stateOf(link);
  if (state === 'other')
    return {
      name,
      path,
      outcome: 'refused',
      reason: `${path} is no longer what was put there${becauseOf(change)}; remove it yourself`,
    };
  if (!dryRun) {
    try {
      if (state === 'ours') await rm(path, { recursive: link.target === undefined, force: true });
    } catch (error) {
      throw new KnackError('io', `cannot remove ${path}: ${messageOf(error)}`, { cause: error });
    }
    made.delete(path);
  }
  return { name, path, outcome: 'removed' };
}

function refuseOwn(folder: string, { name }: Skill, own: string): Linked {
  const reason = `${folder} is a part of the library (${own}); link to a folder outside of it`;
  return { name, path: join(folder, name), outcome: 'refused', reason };
}

async function putOne(
  folder: string,
  skill: Skill,
  { copy, dryRun }: LinkRequest,
  made: Map<string, MadeLink>,
): Promise<Linked> {
  const path = join(folder, skill.name);
  const { name } = skill;
  const content = copy ? await readFolder(skill.dir) : undefined;
  const wanted: MadeLink = {
    path,
    skill: name,
    ...(content === undefined ? { target: skill.dir } : { tree: digestOf(content) }),
  };
  const before = made.get(path);
  const { state, change } = await stateOf(before ?? wanted);
  if ((await isItself(path, skill)) && !(copy && before !== undefined && state === 'ours')) {
    if (copy)
      return { name, path, outcome: 'refused', reason: `${path} is the skill itself or a link to it` };
    return { name, path, outcome: 'unchanged' };
  }
  if (state === 'other')
    return {
      name,
      path,
      outcome: 'refused',
      reason: `${path} was not put there by knack, or was changed since${becauseOf(change)}; it stays: move it away, or link to another folder`,
    };
  if (
    state === 'ours' &&
    (before ?? wanted).target === wanted.target &&
    (before ?? wanted).tree === wanted.tree
  )
    return { name, path, outcome: 'unchanged' };
  if (!dryRun) {
    try {
      if (state === 'ours') await rm(path, { recursive: before?.tree !== undefined, force: true });
      if (content === undefined) await symlink(skill.dir, path, 'dir');
      else await writeFolder(path, content);
    } catch (error) {
      if (error instanceof KnackError) throw error;
      const remedy = hasSystemCode(error, 'EPERM', 'ENOSYS', 'ENOTSUP')
        ? '--copy makes no links'
        : 'give a folder that you can write to with --to';
      throw new KnackError('io', `cannot make ${path}: ${messageOf(error)}; ${remedy}`, { cause: error });
    }
    // Any link of a folder says that the folder was made, and all of them do.
    const folderMade = [...made.values()].find((link) => dirname(link.path) === folder)?.made;
    made.set(path, { ...wanted, ...(folderMade === undefined ? {} : { made: folderMade }) });
  }
  return { name, path, outcome: copy ? 'copied' : 'linked' };
}

interface State {
  readonly state: 'none' | 'ours' | 'other';
  /** What is other than it was made, where it is more than the whole. */
  readonly change?: string | undefined;
}

/** Whether what was made is there as it was made. */
async function stateOf({ path, target, tree }: MadeLink): Promise<State> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return { state: (await readlink(path)) === target ? 'ours' : 'other' };
    if (!found.isDirectory() || tree === undefined) return { state: 'other' };
    const change = await changeSinceWritten(path, tree);
    return { state: change === undefined ? 'ours' : 'other', change };
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return { state: 'none' };
    if (error instanceof KnackError && error.code === 'refused') return { state: 'other' };
    if (error instanceof KnackError) throw error;
    throw new KnackError('io', `cannot look at ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function becauseOf(change: string | undefined): string {
  return change === undefined ? '' : ` (${change})`;
}

/** Whether the path is the skill's own folder, by way of links as well. */
async function isItself(path: string, skill: Skill): Promise<boolean> {
  try {
    return (await realpath(path)) === (await realpath(skill.dir));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ELOOP')) return false;
    throw error;
  }
}

function isUsed(folder: string, made: ReadonlyMap<string, MadeLink>): boolean {
  return [...made.values()].some(({ path }) => dirname(path) === folder);
}

/** Removes the folders that were made for these links, as far as nothing else is in them. */
async function removeEmpty(folder: string, gone: readonly MadeLink[]): Promise<void> {
  const top = gone.find((link) => link.made !== undefined)?.made;
  if (top === undefined || !`${folder}${sep}`.startsWith(`${top}${sep}`)) return;
  for (let dir = folder; dir.length >= top.length; dir = dirname(dir))
    try {
      await rmdir(dir);
    } catch (error) {
      if (hasSystemCode(error, 'ENOTEMPTY', 'EEXIST')) return;
      if (!hasSystemCode(error, 'ENOENT'))
        throw new KnackError('io', `cannot remove ${dir}: ${messageOf(error)}`, { cause: error });
    }
}

/** The topmost folder that had to be made; undefined if it was there. */
async function makeFolder(folder: string): Promise<string | undefined> {
  try {
    return await makeFolders(folder);
  } catch (error) {
    throw new KnackError(
      'io',
      `cannot make ${folder}: ${messageOf(error)}; give a folder that you can write to with --to`,
      { cause: error },
    );
  }
}
