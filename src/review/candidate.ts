import { basename, dirname, join } from 'node:path';
import type { Folder } from '../files/folder.ts';
import { applyDraft } from '../gate/apply-draft.ts';
import type { Finding } from '../gate/check.ts';
import type { Draft } from '../gate/draft.ts';
import type { History, Ownership } from '../history/history.ts';
import { readIfThere } from '../history/private-files.ts';
import type { RevisionOperation } from '../history/revision.ts';
import type { Trust } from '../history/trust.ts';
import { nextVersionOf } from '../history/versions.ts';
import type { Library } from '../library/library.ts';
import { withTrust } from './kept-trust.ts';
import { targetSkill } from './nearest-skills.ts';
import { type Retiring, withOrigins } from './retiring.ts';

/** Where the skill of a draft stands or would stand, and what is there. */
export interface Target {
  readonly name: string;
  /** Absolute. */
  readonly dir: string;
  readonly base: Folder | undefined;
  /** The version that the base declares. */
  readonly from?: string;
  /**
   * `own`: `NAME` in the writable root. `read-only`: in another root, named in `root`. `elsewhere`: in the writable
   * root under another folder name or deeper, where history does not write.
   */
  readonly place: 'own' | 'read-only' | 'elsewhere';
  readonly root?: string;
  /** Of one's own: files with uncommitted edits, and who owns it, both as of when the base was read. */
  readonly dirty: readonly string[];
  readonly owner?: Ownership;
}

/** The folder that a draft makes of its target, or why it cannot be made. */
export type Candidate =
  | {
      readonly folder: Folder;
      readonly version: string;
      readonly operations: readonly RevisionOperation[];
    }
  | { readonly faults: readonly Finding[] };

/**
 * Finds the skill that a draft is about and reads it from the disk, whole also while another process writes; a new one
 * belongs into `skillsDir`.
 */
export async function locateTarget(
  draft: Draft,
  { library, history, skillsDir }: { library: Library; history: History; skillsDir: string },
): Promise<Target> {
  const name = draft.skill ?? '';
  const skill = targetSkill(library, name);
  if (skill === undefined || draft.decision === 'create') {
    // Something may stand there that is not listed, such as a broken skill.
    const { folder, dirty, owner } = await history.standing(name);
    return { name, dir: join(skillsDir, name), base: folder, place: 'own', dirty, owner };
  }
  const root = library.rootOf(skill);
  const from = skill.version === undefined ? {} : { from: skill.version };
  if (dirname(skill.dir) === skillsDir && basename(skill.dir) === skill.name) {
    const { folder, dirty, owner } = await history.standing(skill.name);
    return {
      name: skill.name,
      dir: skill.dir,
      base: folder,
      ...from,
      place: 'own',
      root: root.name,
      dirty,
      owner,
    };
  }
  return {
    name: skill.name,
    dir: skill.dir,
    base: await folderAt(skill.dir, { history, skillsDir }),
    ...from,
    place: root.writable ? 'elsewhere' : 'read-only',
    root: root.name,
    dirty: [],
  };
}

/**
 * Applies a draft to what stands at its target, under the next version number; in a merge with the aliases of the skill
 * that goes. Writes nothing. `trusts` are those of the operations by their own evidence (`trustsOf`); where they are not
 * given, the lines have none.
 */
export async function buildCandidate(
  draft: Draft,
  target: Target,
  {
    history,
    retiring,
    trusts = [],
  }: {
    readonly history: History;
    readonly retiring: Retiring | undefined;
    readonly trusts?: readonly (Trust | undefined)[] | undefined;
  },
): Promise<Candidate> {
  const size = draft.change ?? 'patch';
  const version =
    target.place === 'own'
      ? await history.nextVersion(target.name, size)
      : nextVersionOf([], target.base, size);
  const applied = applyDraft(draft, target.base, {
    name: target.name,
    version,
    ...(retiring === undefined ? {} : { aliases: retiring.aliases }),
  });
  if ('faults' in applied) return applied;
  const operations = await withTrust(await withOrigins(applied.operations, draft, history), {
    draft,
    trusts,
    skill: target.place === 'own' && target.base !== undefined ? target.name : undefined,
    history,
  });
  return { ...applied, operations, version };
}

/** The folder of a skill at `dir`, or undefined if there is none. In the writable root without what git ignores. */
export async function folderAt(
  dir: string,
  { history, skillsDir }: { history: History; skillsDir: string },
): Promise<Folder | undefined> {
  if (dirname(dir) === skillsDir) return history.present(basename(dir));
  return readIfThere(dir);
}
