import type { Folder } from '../folder.ts';
import type { Change, Revision } from './revision.ts';

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
  /** A new commit whose tree for the skill equals that of `to` (default: the version before), to the byte and mode. */
  rollback(skill: string, to: string | undefined, why: string): Promise<CommitOutcome>;
}
