import { KnackError } from '../errors.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { Git } from './git.ts';
import { LOG, LOG_FORMAT, readLog } from './log-entries.ts';
import { type ReadMessage, readMessage } from './message.ts';
import type { Revision } from './revision.ts';
import { folderIn, hasCommits } from './tree.ts';

/** A revision with what only this folder needs to know of it. */
export interface Recorded extends Revision {
  readonly restores?: string;
  readonly owner?: 'learned' | 'written' | 'imported';
  readonly revokes?: readonly string[];
  /** False for a commit that a person made with git. */
  readonly ours: boolean;
}

/** A revision without what only this folder needs to know. */
export function published({
  ours: _,
  restores: __,
  revokes: ___,
  owner: ____,
  ...revision
}: Recorded): Revision {
  return revision;
}

/** The commits that touched a skill's folder, or any skill, newest first. */
export async function readRecords(git: Git, skill: string | undefined): Promise<Recorded[]> {
  if (!(await hasCommits(git))) return [];
  // The folder may lie within a repository whose other commits are none of ours.
  const paths = skill === undefined ? ['--full-history', '--', '.'] : ['--', `${skill}/`];
  const log = await git.run(...LOG, LOG_FORMAT, '--name-only', '--relative', '-z', ...paths);
  const records: Recorded[] = [];
  for (const { sha, date, message, files } of readLog(log)) {
    const touched = skill ?? files.find((file) => file.includes('/'))?.split('/')[0];
    const read = readMessage(message);
    if (read !== undefined && (skill === undefined || read.skill === skill))
      records.push({ ...read, sha, date, ours: true });
    else if (touched !== undefined) records.push(await foreign(git, touched, { sha, date, message, read }));
  }
  return records;
}

/** The revision that a commit of ours made of a skill; undefined if it says nothing of it. */
export async function recordOf(git: Git, skill: string, commit: string): Promise<Recorded | undefined> {
  // Without a look at its files, for which git would compare the lists of all skills.
  const [found] = readLog(await git.run(...LOG, LOG_FORMAT, '-z', '--no-walk', commit));
  if (found === undefined) return undefined;
  const { sha, date, message } = found;
  const read = readMessage(message);
  return read?.skill === skill ? { ...read, sha, date, ours: true } : undefined;
}

/** A commit made without us: its version is what `SKILL.md` said then. */
async function foreign(
  git: Git,
  skill: string,
  commit: { sha: string; date: string; message: string; read: ReadMessage | undefined },
): Promise<Recorded> {
  const [what = '', ...rest] = commit.message.trim().split('\n');
  const base = {
    skill,
    sha: commit.sha,
    date: commit.date,
    actor: 'user' as const,
    what,
    why: rest.join('\n').trim(),
    sessions: [],
    operations: [],
    ours: false,
  };
  return { ...base, version: await versionAt(git, commit.sha, skill) };
}

/** Stands for a skill that is not in the library. */
export const NO_VERSION = 'none';
/** Stands for one whose `SKILL.md` names no version: it goes by its commit. */
export const UNNUMBERED = 'unnumbered';

/** The version that a skill's `SKILL.md` names in a commit. */
async function versionAt(git: Git, commit: string, skill: string): Promise<string> {
  const folder = await folderIn(git, commit, skill).catch((error: unknown) => {
    // It is there, and too large to be looked at.
    if (error instanceof KnackError && error.code === 'refused') return new Map();
    throw error;
  });
  if (folder === undefined) return NO_VERSION;
  const reading = parseSkillFolder(`/${skill}`, folder);
  return (reading.kind === 'loaded' ? reading.skill.version : undefined) ?? UNNUMBERED;
}
