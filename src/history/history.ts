import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../config.ts';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { equalFolders, type Folder } from '../folder.ts';
import { blameFile } from './blame.ts';
import { type Git, openGit } from './git.ts';
import { headFolder, readIfThere, recover, swapAndCommit, type WriteArea, writeAreaOf } from './journal.ts';
import { withLock } from './lock.ts';
import { formatMessage } from './message.ts';
import { type Recorded, readRecords } from './records.ts';
import type { Change, Revision } from './revision.ts';
import { folderIn } from './tree.ts';
import { nextVersionOf, resolveVersion } from './versions.ts';
import { showHidden } from './visible.ts';

export type Ownership = 'learned' | 'written' | 'imported';

export interface BlameLine {
  readonly line: number;
  readonly text: string;
  readonly version: string;
  readonly sha: string;
  readonly actor: string;
  readonly session?: string;
  readonly events?: readonly string[];
  readonly quote?: string;
}

/** What committing a change came to. `moved`: the skill is no longer what the change was decided against. */
export type CommitOutcome =
  | { readonly kind: 'committed'; readonly revision: Revision }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'moved'; readonly present: Folder | undefined }
  | { readonly kind: 'dirty'; readonly files: readonly string[] }
  | { readonly kind: 'unavailable'; readonly why: string };

/**
 * What git knows of the writable root. Versions are given as `1.2.0` or as a commit. Unknown skills and versions
 * throw `not-found`, a missing git `git-missing`, anything else that git refuses `git-failed` with its words.
 */
export interface History {
  /** Makes the root a repository if it is none, and mends what a crash left behind. */
  open(): Promise<void>;
  /** Newest first. A rollback shows the old number. */
  log(skill: string): Promise<Revision[]>;
  /** All revisions of all skills, newest first. */
  logAll(): Promise<Revision[]>;
  folderAt(skill: string, version: string): Promise<Folder>;
  /** Unified diff of the skill's folder between two versions; without `to`, against the present files. */
  diff(skill: string, from: string, to?: string): Promise<string>;
  blame(skill: string, file?: string): Promise<BlameLine[]>;
  ownership(skill: string): Promise<Ownership>;
  /** Files of the skill that differ from the last commit, untracked ones included. */
  dirtyFiles(skill: string): Promise<string[]>;
  /** The next number for a change of this size, above the highest ever used; 1.0.0 for a new skill. */
  nextVersion(skill: string, size: 'patch' | 'minor' | 'major'): Promise<string>;
  /** One commit of this skill's paths alone, all or nothing under kill -9. */
  commit(change: Change): Promise<CommitOutcome>;
  /**
   * A new commit whose tree for the skill equals that of `to` (default: the version before), to the byte and mode.
   * Before a first revision there was no skill: the commit takes it out of the library, and `to` brings it back.
   */
  rollback(skill: string, to: string | undefined, why: string): Promise<CommitOutcome>;
}

export interface HistoryOptions {
  /** Absolute folder of the skills: the writable root. */
  readonly root: string;
  readonly environment: Pick<Environment, 'home' | 'path'>;
  readonly log?: (line: string) => void;
}

export function createHistory(options: HistoryOptions): History {
  const { root } = options;
  const area = writeAreaOf(root);
  let opened: Promise<Git> | undefined;
  const git = () => {
    opened ??= openRepository(options, area);
    return opened;
  };
  const records = async (skill: string): Promise<Recorded[]> => {
    const found = await readRecords(await git(), skill);
    if (found.length === 0 && !existsSync(join(root, skill)))
      throw new KnackError(
        'not-found',
        `${skill} has no history in ${root}; \`knack skills list\` shows the skills that there are`,
      );
    return found;
  };
  const dirtyFiles = async (skill: string): Promise<string[]> => {
    const status = await (await git()).run(
      'status',
      '--porcelain',
      '-z',
      '--untracked-files=all',
      '--no-renames',
      '--',
      skill,
    );
    return status
      .split('\0')
      .flatMap((entry) => (entry === '' ? [] : [entry.slice(3)]))
      .sort();
  };
  const write = async (change: Change & { readonly restores?: string }): Promise<CommitOutcome> => {
    checkName(change.skill);
    const repository = await git();
    return withLock(join(root, '.git'), async () => {
      const line = await recover(repository, area);
      if (line !== undefined) options.log?.(line);
      const busy = await whyBusy(repository, root);
      if (busy !== undefined) return { kind: 'unavailable', why: busy };
      const files = await dirtyFiles(change.skill);
      if (files.length > 0) return { kind: 'dirty', files };
      const present = await readIfThere(join(root, change.skill));
      if (!equalFolders(present, change.base)) return { kind: 'moved', present };
      if (equalFolders(present, change.target)) return { kind: 'unchanged' };
      const sha = await swapAndCommit(repository, area, {
        skill: change.skill,
        base: present,
        target: change.target,
        message: formatMessage(change),
      });
      const [revision] = await readRecords(repository, change.skill);
      if (revision === undefined || revision.sha !== sha)
        throw new KnackError(
          'git-failed',
          `the commit ${sha} of ${change.skill} cannot be read back from ${root}`,
        );
      return { kind: 'committed', revision: published(revision) };
    });
  };

  return {
    open: async () => void (await git()),
    log: async (skill) => (await records(skill)).map(published),
    logAll: async () => (await readRecords(await git(), undefined)).map(published),
    async folderAt(skill, version) {
      const { sha } = await resolveVersion(await git(), skill, version, await records(skill));
      const folder = await folderIn(await git(), sha, skill);
      if (folder === undefined) throw new KnackError('not-found', `${skill} had no files at ${version}`);
      return folder;
    },
    async diff(skill, from, to) {
      const known = await records(skill);
      const ends = [from, ...(to === undefined ? [] : [to])];
      const shas: string[] = [];
      for (const end of ends) shas.push((await resolveVersion(await git(), skill, end, known)).sha);
      return showHidden(
        await (await git()).run('diff', '--no-ext-diff', '--no-textconv', '--no-color', ...shas, '--', skill),
      );
    },
    async blame(skill, file = 'SKILL.md') {
      return blameFile(await git(), `${skill}/${file}`, await records(skill));
    },
    async ownership(skill) {
      const found = await readRecords(await git(), skill);
      const first = found.at(-1);
      if (first === undefined || found.some((record) => !record.ours || record.actor === 'user'))
        return 'written';
      return first.actor === 'import' ? 'imported' : 'learned';
    },
    dirtyFiles,
    async nextVersion(skill, size) {
      return nextVersionOf(await readRecords(await git(), skill), await headFolder(await git(), skill), size);
    },
    commit: write,
    async rollback(skill, to, why) {
      const repository = await git();
      const known = await records(skill);
      const [latest] = known;
      if (latest === undefined) {
        throw new KnackError(
          'not-found',
          `${skill} has no revision yet, so there is nothing to roll back to`,
        );
      }
      const target =
        to === undefined
          ? beforeLatest(known)
          : to === NO_VERSION
            ? undefined
            : await resolveVersion(repository, skill, to, known);
      const folder =
        target === undefined || target.version === NO_VERSION
          ? undefined
          : await folderIn(repository, target.sha, skill);
      const version = folder === undefined ? NO_VERSION : (target?.version ?? NO_VERSION);
      return write({
        skill,
        base: await readIfThere(join(root, skill)),
        target: folder,
        from: latest.version,
        to: version,
        what: folder === undefined ? 'take it out of the library' : `roll back to ${version}`,
        why,
        actor: 'rollback',
        sessions: [],
        operations: [],
        ...(target === undefined ? {} : { restores: target.restores ?? target.sha }),
      });
    },
  };
}

/** Stands for a skill that is not in the library. */
const NO_VERSION = 'none';

/**
 * What stood before the last change; before a rollback that is what stood before the revision that it brought back.
 * Undefined before the first revision: there was no skill.
 */
function beforeLatest(records: readonly Recorded[]): Recorded | undefined {
  const restored = records.findIndex((record) => record.sha === records[0]?.restores);
  return restored < 0 ? records[1] : records[restored + 1];
}

async function openRepository(options: HistoryOptions, area: WriteArea): Promise<Git> {
  const { root } = options;
  try {
    await mkdir(root, { recursive: true });
  } catch (error) {
    throw new KnackError('io', `cannot make ${root}: ${messageOf(error)}`, { cause: error });
  }
  const git = await openGit(await realpath(root), options.environment);
  // A folder inside somebody else's repository gets one of its own: nothing is ever committed to the outer one.
  if (!existsSync(join(root, '.git'))) {
    try {
      await git.run('init', '--quiet', '--initial-branch=main');
    } catch (error) {
      if (error instanceof KnackError && error.code === 'git-failed' && hasSystemCode(error.cause, 'EACCES'))
        throw new KnackError('io', `cannot write in ${root}`, { cause: error });
      throw error;
    }
  }
  if (!existsSync(area.intent)) return git;
  await withLock(join(root, '.git'), async () => {
    const line = await recover(git, area);
    if (line !== undefined) options.log?.(line);
  });
  return git;
}

/** Why a commit cannot be made now, if a person is in the middle of something. */
async function whyBusy(git: Git, root: string): Promise<string | undefined> {
  const states: Record<string, string> = {
    MERGE_HEAD: 'a merge',
    CHERRY_PICK_HEAD: 'a cherry-pick',
    REVERT_HEAD: 'a revert',
    'rebase-merge': 'a rebase',
    'rebase-apply': 'a rebase',
    BISECT_LOG: 'a bisect',
  };
  const found = Object.entries(states).find(([file]) => existsSync(join(root, '.git', file)));
  if (found !== undefined) return `${found[1]} is under way in ${root}; finish or abort it first`;
  const branch = (
    await git.run('rev-parse', '--symbolic-full-name', '--abbrev-ref', 'HEAD').catch(() => 'main')
  ).trim();
  return branch === 'HEAD' ? `HEAD is detached in ${root}; check out a branch first` : undefined;
}

function checkName(skill: string): void {
  if (!/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(skill))
    throw new KnackError(
      'refused',
      `"${skill}" is no name of a skill that knack writes: letters, digits and single hyphens`,
    );
}

function published({ ours: _, restores: __, ...revision }: Recorded): Revision {
  return revision;
}
