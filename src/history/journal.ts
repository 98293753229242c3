import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import type { Folder } from '../files/folder.ts';
import { readOwnFile } from '../files/own-file.ts';
import { commitSkill, isCommitted, unstage } from './commit-skill.ts';
import type { Git } from './git.ts';
import { entriesOf, type Intent, readIntent, unedited, writeIntent } from './intent.ts';
import { prepareNext } from './next-folder.ts';
import { carryOver, readIfThere } from './private-files.ts';
import { type StoredForm, storedForm, storeRaw } from './stored-form.ts';
import { digestOf, type Entries, headFolder, trackedIn } from './tree.ts';
import type { WriteArea } from './write-area.ts';

/** What is to be written. */
export interface Swap {
  readonly skill: string;
  readonly base: Folder | undefined;
  readonly target: Folder | undefined;
  readonly message: string;
  /** What git tracks of the skill now. */
  readonly tracked: Entries;
  readonly stored: StoredForm;
  /** What git ignores in the folder. */
  readonly ignored: ReadonlySet<string>;
  /** Whether the x bits of the disk mean something. */
  readonly hasModes: boolean;
  /** As `sharedBits` gives them. */
  readonly shared: number;
}

/**
 * Puts `target` in the place of the skill's folder and commits it, so that a crash at any moment leaves the old or the
 * new version: the intent is written first, the folder is prepared aside and swapped in by two renames, and what a
 * crash leaves is mended by `recover`. A failure puts the old folder back and is thrown. Files of neither version are
 * moved along and stay, also where the skill goes. Answers with the commit; with the files that a person saved after they
 * were compared with `base`, where there are such: then nothing is changed.
 */
export async function swapAndCommit(
  git: Git,
  area: WriteArea,
  change: Swap,
): Promise<{ readonly sha: string } | { readonly edited: readonly string[] }> {
  const { skill, base, target, message, tracked, stored, shared } = change;
  const dir = join(area.root, skill);
  const own = [...new Set([...(base?.keys() ?? []), ...(target?.keys() ?? [])])];
  try {
    await clearArea(area);
    await mkdir(dirname(area.next), { recursive: true });
    if (target !== undefined) await prepareNext(area.next, { dir, base, target, shared });
    await storeRaw(git, area.next, stored);
    await writeFile(area.message, message);
    await writeIntent(area, { skill, base, target, own, entries: stored.entries });
    if (existsSync(dir)) await rename(dir, area.previous);
    const edited = await editedIn(area.previous, change);
    if (edited.length > 0) {
      await undo(git, area, skill);
      return { edited: edited.map((path) => `${area.prefix}${skill}/${path}`) };
    }
    await mkdir(dirname(dir), { recursive: true });
    if (target !== undefined) await rename(area.next, dir);
    await carryOver(area.previous, dir, own);
    const sha = await commitSkill(git, area, { skill, entries: stored.entries, tracked, message });
    await clearArea(area);
    return { sha };
  } catch (error) {
    // Where even that fails, the intent stays and the next start mends it.
    const undone = await undo(git, area, skill).then(
      () => 'the old version stands',
      (fault: unknown) => `what is left is mended at the next start (${messageOf(fault)})`,
    );
    if (error instanceof KnackError)
      throw new KnackError(error.code, `${error.message}; ${undone}`, { cause: error });
    throw new KnackError('io', `cannot write ${dir}: ${messageOf(error)}; ${undone}`, { cause: error });
  }
}

/** Finishes or undoes what a crash left; answers with a line for the log if there was anything. */
export async function recover(git: Git, area: WriteArea): Promise<string | undefined> {
  const intent = await readIntent(area);
  if (intent === undefined) {
    await clearArea(area);
    return undefined;
  }
  const { skill } = intent;
  if (await isDone(git, intent)) {
    // The git that committed it may have been killed before it came to the index.
    await unstage(git, area, skill);
    await clearArea(area);
    return `${skill}: the last change had been committed before the interruption`;
  }
  const folder = await presentOf(git, area, intent);
  const present = digestOf(folder);
  if (present === intent.target) {
    await keepPrivate(area, intent);
    const isFinished = await finish(git, area, { intent, folder }).then(
      () => true,
      (error: unknown) => {
        // What git does not take now it will not take at the next start either.
        if (error instanceof KnackError && error.code === 'git-failed' && existsSync(area.previous))
          return false;
        throw error;
      },
    );
    if (!isFinished) await undo(git, area, skill);
    await clearArea(area);
    return `${skill}: an interrupted change was ${isFinished ? 'finished' : 'undone'}`;
  }
  if (present === 'none' || present === intent.base) {
    await undo(git, area, skill);
    return `${skill}: an interrupted change was undone`;
  }
  // Somebody edited the folder since: it is theirs now.
  await unstage(git, area, skill);
  await clearArea(area);
  return `${skill}: an interrupted change was dropped, because the folder was edited since`;
}

async function finish(
  git: Git,
  area: WriteArea,
  { intent, folder }: { readonly intent: Intent; readonly folder: Folder | undefined },
): Promise<void> {
  const { skill } = intent;
  // The index may have the new version already: it is the last commit that the new one is made from.
  await unstage(git, area, skill);
  const tracked = await trackedIn(git, skill);
  let entries = entriesOf(intent);
  if (entries === undefined) {
    const stored = await storedForm(git, { skill, base: undefined, target: folder, tracked });
    await storeRaw(git, join(area.root, skill), stored);
    entries = stored.entries;
  }
  const message = await readOwnFile(area.message);
  await commitSkill(git, area, { skill, entries, tracked, message });
}

/** Whether the last commit is the change: by what git has, for attributes may keep files otherwise than they stand. */
async function isDone(git: Git, intent: Intent): Promise<boolean> {
  const entries = entriesOf(intent);
  if (entries !== undefined) return isCommitted(git, { skill: intent.skill, entries });
  return intent.target !== intent.base && digestOf(await headFolder(git, intent.skill)) === intent.target;
}

/** The files in what was moved aside that are not those of the base: somebody saved them a moment ago. */
async function editedIn(previous: string, { base, ignored, hasModes }: Swap): Promise<string[]> {
  const found = ignored.has('') ? undefined : await readIfThere(previous, ignored);
  return [...new Set([...(base?.keys() ?? []), ...(found?.keys() ?? [])])].filter((path) => {
    const [was, now] = [base?.get(path), found?.get(path)];
    return (
      was === undefined ||
      now === undefined ||
      (hasModes && was.executable !== now.executable) ||
      Buffer.compare(was.bytes, now.bytes) !== 0
    );
  });
}

/** The skill as it stands amid a change, without what is the person's. */
async function presentOf(
  git: Git,
  area: WriteArea,
  { skill, own = [] }: Intent,
): Promise<Folder | undefined> {
  const command = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--', skill];
  const listing = (await git.run(...command)).split('\0');
  const ignored = new Set(listing.map((path) => path.slice(skill.length + 1)));
  // What the change itself wrote may be ignored too, until it is tracked.
  for (const path of own) ignored.delete(path);
  return readIfThere(join(area.root, skill), ignored);
}

async function undo(git: Git, area: WriteArea, skill: string): Promise<void> {
  const dir = join(area.root, skill);
  const intent = await readIntent(area);
  // Nothing was moved or staged before it was written.
  if (intent === undefined) return clearArea(area);
  if (await isDone(git, intent))
    throw new KnackError('git-failed', 'the new version was committed all the same');
  if (existsSync(area.previous)) {
    if (existsSync(dir)) {
      if (intent.own !== undefined)
        await carryOver(area.next, area.previous, await unedited(area.next, area.previous, intent));
      await rm(area.next, { recursive: true, force: true });
      await rename(dir, area.next);
    }
    await rename(area.previous, dir);
  } else if (intent.base === 'none' && digestOf(await presentOf(git, area, intent)) === intent.target) {
    await rename(dir, area.next);
  }
  await keepPrivate(area, intent);
  // First, for on a full disk it is what makes room for the index.
  await rm(area.next, { recursive: true, force: true });
  await unstage(git, area, skill);
  await clearArea(area);
}

/**
 * Puts back into the skill's folder whatever was moved aside with a version and is no part of it, as a file that somebody
 * saved meanwhile: it stands beside the one of that name.
 */
async function keepPrivate(area: WriteArea, intent: Intent): Promise<void> {
  if (intent.own === undefined) return;
  const dir = join(area.root, intent.skill);
  for (const aside of [area.previous, area.next])
    await carryOver(aside, dir, await unedited(aside, dir, intent));
}

export async function clearArea(area: WriteArea): Promise<void> {
  const intent = await readIntent(area);
  if (intent !== undefined) await keepPrivate(area, intent);
  // Whatever stands there: a writer that was killed amid the intent leaves one under another name.
  for (const name of await namesIn(area.folder))
    if (join(area.folder, name) !== area.intent)
      await rm(join(area.folder, name), { recursive: true, force: true });
  // The intent last: it is what makes the rest worth looking at.
  await rm(area.intent, { recursive: true, force: true });
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw error;
  }
}
