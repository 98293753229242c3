import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../config.ts';
import { KnackError } from '../errors.ts';
import type { Folder } from '../files/folder.ts';
import { blameFile } from './blame.ts';
import { checkOut } from './check-out.ts';
import { keepingCommitGraph } from './commit-graph.ts';
import { type ChangeOut, commitOut } from './commit-out.ts';
import { cutsOf, namingCut, refuseBehindCut, whyCut } from './cut.ts';
import { committedNames } from './deleted.ts';
import { diffOf } from './diff.ts';
import { type KnownOrigin, originIn, originsIn } from './origins.ts';
import { readOwners } from './owners.ts';
import { ownerOf } from './ownership.ts';
import { readIfThere } from './private-files.ts';
import { putBack } from './put-back.ts';
import { NO_VERSION, published, type Recorded, readRecords, UNNUMBERED } from './records.ts';
import { createRepository, whyBusy } from './repository.ts';
import type { Change, Origin, Revision } from './revision.ts';
import { rollbackTarget } from './rollback-target.ts';
import { lookAt, type StandingSkill } from './standing-skill.ts';
import { folderIn, headFolder } from './tree.ts';
import type { Trust } from './trust.ts';
import { nextVersionOf, resolveVersion } from './versions.ts';
import { showHidden } from './visible.ts';
import { type WrittenChange, writeChange } from './write-change.ts';
import { checkName, isFolderName, isName } from './written-name.ts';

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
  /** Of a line that a session taught: the least trusted speaker that it rests on. */
  readonly trust?: Trust | 'unknown';
}

/** A skill as it stands between two writes, never in the middle of one. */
export interface Standing {
  readonly folder: Folder | undefined;
  /** Files that differ from the last commit, untracked ones included. */
  readonly dirty: readonly string[];
  readonly owner: Ownership;
  /** Its last version, where somebody deleted all of it without a commit; see `deletedByHand` for the words. */
  readonly deleted?: string;
  /** Why no change of it can be written now, such as a merge that is under way; edits are no such reason. */
  readonly blocked?: string;
}

/** What committing a change came to. `moved`: the skill is no longer what the change was decided against. */
export type CommitOutcome =
  | { readonly kind: 'committed'; readonly revision: Revision }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'moved'; readonly present: Folder | undefined }
  /** `deleted`: all of it was deleted by hand; its last version. */
  | { readonly kind: 'dirty'; readonly files: readonly string[]; readonly deleted?: string }
  | { readonly kind: 'unavailable'; readonly why: string };

/**
 * What git knows of the writable root. Versions are given as `1.2.0` or as a commit. Unknown skills and versions
 * throw `not-found`, a missing git `git-missing`, anything else that git refuses `git-failed` with its words.
 */
export interface History {
  /** Makes the root a repository if it is none, and mends what a crash left behind. */
  open(): Promise<void>;
  /** Why no change can be written now, such as a merge that is under way. */
  whyBusy(): Promise<string | undefined>;
  /** The working tree that commits go to, where that is not the root itself; undefined for a repository of its own. */
  outerRepository(): Promise<string | undefined>;
  /** Newest first. A rollback shows the old number. */
  log(skill: string): Promise<Revision[]>;
  /** All revisions of all skills, newest first. */
  logAll(): Promise<Revision[]>;
  /** Why the log of a skill, or of all, may not be whole, as in a shallow clone; undefined where it is. */
  cut(skill: string | undefined): Promise<string | undefined>;
  folderAt(skill: string, version: string): Promise<Folder>;
  /** The folder as it was last committed; undefined if it was not, or was taken out. */
  committed(skill: string): Promise<Folder | undefined>;
  /** The skills that the last commit has, in one look. */
  committedNames(): Promise<ReadonlySet<string>>;
  /** Unified diff of the skill's folder between two versions; without `to`, against the present files. */
  diff(skill: string, from: string, to?: string): Promise<string>;
  blame(skill: string, file?: string): Promise<BlameLine[]>;
  ownership(skill: string): Promise<Ownership>;
  /** Where the skill as it stands was imported from; undefined for one that was not. */
  origin(skill: string): Promise<KnownOrigin | undefined>;
  /** Who owns what, of every skill that has a commit, by folder, in one look. */
  owners(): Promise<ReadonlyMap<string, Ownership>>;
  /** Those of all skills that were imported, by name. */
  origins(): Promise<ReadonlyMap<string, Origin>>;
  /** Waits for a change that another process is writing. */
  standing(skill: string): Promise<Standing>;
  /** The folder of `standing` alone, without what git ignores. */
  present(skill: string): Promise<Folder | undefined>;
  /** Runs `read`, which must not write, while nobody writes: it sees whole skills. Waits as `standing` does. */
  settled<T>(read: () => Promise<T>): Promise<T>;
  /** The next number for a change of this size, above the highest ever used; 1.0.0 for a new skill. */
  nextVersion(skill: string, size: 'patch' | 'minor' | 'major'): Promise<string>;
  /** One commit of this skill's paths alone, all or nothing under kill -9. */
  commit(change: Change): Promise<CommitOutcome>;
  /** A change of a skill that is out of the library and stays out, so that `restore` brings back what it makes. */
  commitOut(change: ChangeOut): Promise<CommitOutcome>;
  /**
   * A new commit whose tree for the skill equals that of `to` (default: the version before), to the byte and mode.
   * Before a first revision there was no skill: the commit takes it out of the library, and `to` brings it back; without
   * `to` a skill that is out throws `refused`, unless a revocation took it out, which is then undone.
   */
  rollback(skill: string, to: string | undefined, why: string): Promise<CommitOutcome>;
  /** Brings back a skill that somebody deleted without a commit, also without one; its version. Throws `refused`. */
  putBack(skill: string): Promise<string>;
  /** The folder that such a rollback makes; undefined where it takes the skill out. */
  rolledBack(skill: string, to: string | undefined): Promise<Folder | undefined>;
}

export interface HistoryOptions {
  /** Absolute folder of the skills: the writable root. */
  readonly root: string;
  readonly environment: Pick<Environment, 'home' | 'path'>;
  /** The folder lies in a repository that somebody chose to keep it in. @default false: it gets one of its own */
  readonly inRepository?: boolean;
  /** Makes no folder and no repository: where there is none the history is empty. @default false */
  readonly looksOnly?: boolean | (() => boolean);
  /** Runs before each change, as what makes the place for it. */
  readonly beforeWrite?: () => Promise<void>;
  readonly log?: (line: string) => void;
}

export function createHistory(options: HistoryOptions): History {
  const { root } = options;
  const repository = createRepository(options);
  const { git } = repository;
  const records = async (skill: string): Promise<Recorded[]> => {
    const isThere = isFolderName(skill);
    const found = isThere ? await readRecords(await git(), skill) : [];
    if (found.length === 0 && !(isThere && existsSync(join(root, skill))))
      throw new KnackError(
        'not-found',
        `${skill} has no history in ${root}; \`knack skills list\` shows the skills that there are`,
      );
    return found;
  };
  const cut = async (skill: string | undefined) =>
    skill === undefined || isFolderName(skill)
      ? whyCut(await git(), root, await readRecords(await git(), skill))
      : undefined;
  const orCut = async <T>(skill: string, look: () => Promise<T>) => namingCut(look, () => cut(skill));
  const look = (skill: string): Promise<StandingSkill> =>
    repository.settled(async (opened, area) =>
      isName(skill)
        ? lookAt(opened, area, skill)
        : {
            folder: await readIfThere(join(root, skill)),
            dirty: [],
            tracked: new Map(),
            hasModes: true,
          },
    );
  const ownership = async (skill: string) => {
    const known = await readRecords(await git(), skill);
    const owner = ownerOf(known);
    if (owner === 'written') return owner;
    // Who made what comes from behind a cut is not known, and may be a person.
    const cuts = await cutsOf(await git(), root);
    return ownerOf(known.map((each) => ({ ...each, ours: each.ours && !cuts.has(each.sha) })));
  };
  const target = async (skill: string, to: string | undefined) => {
    const known = await records(skill);
    const found = await orCut(skill, async () => rollbackTarget(await git(), skill, known, to));
    if (to === undefined) await refuseBehindCut(await git(), root, { skill, known, ...found });
    return { ...(await checkOut(await git(), skill, found, await look(skill))), known };
  };
  const write = async (change: WrittenChange): Promise<CommitOutcome> => {
    checkName(change.skill);
    return repository.alone((opened, area) => writeChange(opened, area, change, options.log));
  };

  const history: History = {
    open: async () => void (await git()),
    whyBusy: () => repository.alone(whyBusy),
    async outerRepository() {
      if (options.inRepository !== true || existsSync(join(root, '.git'))) return undefined;
      return (await (await git()).run('rev-parse', '--show-toplevel')).trim();
    },
    log: async (skill) => (await orCut(skill, () => records(skill))).map(published),
    cut,
    logAll: async () => (await readRecords(await git(), undefined)).map(published),
    async folderAt(skill, version) {
      const known = await records(skill);
      const { sha } = await orCut(skill, async () => resolveVersion(await git(), skill, version, known));
      const folder = await folderIn(await git(), sha, skill);
      if (folder === undefined) throw new KnackError('not-found', `${skill} had no files at ${version}`);
      return folder;
    },
    committed: async (skill) => headFolder(await git(), skill),
    committedNames: async () => committedNames(await git()),
    async diff(skill, from, to) {
      const known = await records(skill);
      const ends = [from, ...(to === undefined ? [] : [to])];
      const shas: string[] = [];
      for (const end of ends)
        shas.push((await orCut(skill, async () => resolveVersion(await git(), skill, end, known))).sha);
      return showHidden(await diffOf(await git(), shas, skill));
    },
    blame: async (skill, file = 'SKILL.md') =>
      blameFile(await git(), `${skill}/${file}`, await records(skill)),
    ownership,
    origins: async () => originsIn(await readRecords(await git(), undefined)),
    origin: async (skill) => originIn(await git(), skill, await readRecords(await git(), skill)),
    owners: async () => readOwners(await git(), root),
    standing: (skill) =>
      repository.settled(async (opened, area) => {
        if (!isName(skill))
          return { folder: await readIfThere(join(root, skill)), dirty: [], owner: 'written' };
        const { tracked: _, hasModes: __, ...standing } = await lookAt(opened, area, skill);
        return { ...standing, owner: await ownership(skill) };
      }),
    present: async (skill) => (await look(skill)).folder,
    settled: (read) => repository.settled(read),
    async nextVersion(skill, size) {
      const present = await headFolder(await git(), skill).catch((error: unknown) => {
        // Another repository in its place: that no change can be written is said where one is tried.
        if (error instanceof KnackError && error.code === 'refused') return undefined;
        throw error;
      });
      return nextVersionOf(await readRecords(await git(), skill), present, size);
    },
    commit: write,
    async commitOut(change) {
      checkName(change.held.skill);
      return repository.alone((opened, area) => commitOut(opened, area, change));
    },
    async putBack(skill) {
      checkName(skill);
      return repository.alone((opened, area) => putBack(opened, area, skill));
    },
    rolledBack: async (skill, to) => (await target(skill, to)).folder,
    async rollback(skill, to, why) {
      const { base, folder, version, restored, stored, known } = await target(skill, to);
      return write({
        skill,
        base,
        target: folder,
        from: known[0]?.version ?? NO_VERSION,
        to: version,
        what:
          folder === undefined
            ? 'take it out of the library'
            : `roll back to ${version === UNNUMBERED ? restored?.sha.slice(0, 10) : version}`,
        why,
        actor: 'rollback',
        sessions: [],
        operations: [],
        ...(restored === undefined ? {} : { restores: restored.restores ?? restored.sha, stored }),
      });
    },
  };
  return keepingCommitGraph(history, { root, git });
}
