import { lstatSync, type Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import type { Folder } from '../files/folder.ts';
import { readOwnFile } from '../files/own-file.ts';
import { rawIdOf } from './stored-form.ts';
import { digestOf, type Entries } from './tree.ts';
import type { WriteArea } from './write-area.ts';

/** What is being written, kept on disk from before the first change until after the commit. */
export interface Intent {
  readonly skill: string;
  readonly base: string;
  readonly target: string;
  /** The files of both; all else in the folder is the person's, and is carried over. */
  readonly own?: readonly string[];
  /** What the bytes of the files of each hash to: one that was edited meanwhile is the person's too. */
  readonly was?: Readonly<Record<string, string>>;
  readonly will?: Readonly<Record<string, string>>;
  /** The target as git keeps it: path, mode, id. */
  readonly entries?: readonly (readonly [string, string, string])[];
}

/** Writes it, in one step. */
export async function writeIntent(
  area: WriteArea,
  {
    skill,
    base,
    target,
    own,
    entries,
  }: {
    readonly skill: string;
    readonly base: Folder | undefined;
    readonly target: Folder | undefined;
    readonly own: readonly string[];
    readonly entries: Entries;
  },
): Promise<void> {
  const intent: Intent = {
    skill,
    base: digestOf(base),
    target: digestOf(target),
    own,
    was: hashesOf(base),
    will: hashesOf(target),
    entries: [...entries].map(([path, { mode, id }]) => [path, mode, id]),
  };
  await writeFileAtomic(area.intent, JSON.stringify(intent));
}

/** Reads it; undefined if nothing is being written. Throws `io`. */
export async function readIntent(area: WriteArea): Promise<Intent | undefined> {
  try {
    return JSON.parse(await readOwnFile(area.intent)) as Intent;
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    // Written in one step, so a broken one was never followed by a change.
    if (error instanceof SyntaxError) return undefined;
    throw new KnackError('io', `cannot read ${area.intent}: ${messageOf(error)}`, { cause: error });
  }
}

/** What the change was to be in git; undefined in the journal of an older knack. */
export function entriesOf({ entries }: Intent): Entries | undefined {
  return entries && new Map(entries.map(([path, mode, id]) => [path, { mode, id }]));
}

/** The files of the skill in what was moved aside, without those that are of neither version and nowhere else. */
export async function unedited(
  aside: string,
  to: string,
  { own = [], was, will }: Intent,
): Promise<string[]> {
  if (was === undefined || will === undefined) return [...own];
  const isOurs = async (path: string): Promise<boolean> => {
    const found = standingAt(join(aside, path));
    if (!found?.isFile()) return true;
    const other = standingAt(join(to, path));
    // A file that does not change stands in both.
    if (other?.ino === found.ino && other.dev === found.dev) return true;
    return [was[path], will[path]].includes(rawIdOf(await readFile(join(aside, path)), 40));
  };
  const ours = await Promise.all(own.map(isOurs));
  return own.filter((_, index) => ours[index]);
}

/** What stands there, if anything: where the other version has a file, nothing stands below it. */
function standingAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasSystemCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

function hashesOf(folder: Folder | undefined): Record<string, string> {
  return Object.fromEntries([...(folder ?? [])].map(([path, { bytes }]) => [path, rawIdOf(bytes, 40)]));
}
