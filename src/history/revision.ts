import type { Folder } from '../files/folder.ts';
import type { Trust } from './trust.ts';

export type Actor = 'reviewer' | 'user' | 'import' | 'rollback';

/** The turns that taught something. */
export interface TaughtBy {
  readonly session: string;
  readonly event: string;
  /** Redacted. */
  readonly quote: string;
}

/** What one operation of a draft did, kept in the commit so that a line can be traced when transcripts are gone. */
export interface RevisionOperation {
  readonly op: string;
  readonly file: string;
  /** First and last line of the operation's text in the new file, 1-based; absent when nothing of it stands there. */
  readonly lines?: readonly [number, number];
  readonly claim?: string;
  /**
   * The least trusted speaker behind it and behind the learned lines that it rewrites or takes over; absent where that
   * is not known, as of commits of earlier versions.
   */
  readonly trust?: Trust;
  readonly evidence: readonly TaughtBy[];
}

/** Where an imported skill comes from, as its commit keeps it. */
export interface Origin {
  /** An absolute folder, or a URL without credentials. */
  readonly source: string;
  /** The branch, tag or commit that was asked for; absent for the source's own. */
  readonly ref?: string;
  /** The commit that it was taken from; absent for a folder. */
  readonly commit?: string;
  /** The skill's folder in the source with `/`; empty for the source itself. */
  readonly path: string;
  /** What the skill is called there. */
  readonly name: string;
  /** The number that it has there; absent where it has none, and in commits of earlier versions. */
  readonly version?: string;
  /** `digestOf` the files as they were taken over, which the next update merges from. */
  readonly tree: string;
}

/** A rule of the gate that a person let pass, and why. */
export interface Override {
  readonly rule: string;
  readonly why: string;
}

/** A change of one skill that passed the gate and is to be committed. */
export interface Change {
  readonly skill: string;
  /** The folder as it was decided against; undefined when there was none. Compared before anything is written. */
  readonly base: Folder | undefined;
  /** The folder to be; undefined only for the rollback of a first revision, which takes the skill out of the library. */
  readonly target: Folder | undefined;
  readonly from?: string;
  readonly to: string;
  /** Subject line, "what changed". */
  readonly what: string;
  readonly why: string;
  readonly actor: Actor;
  readonly review?: string;
  readonly sessions: readonly { readonly id: string; readonly events: readonly string[] }[];
  readonly operations: readonly RevisionOperation[];
  /** Verdict and checks in a line, such as `pass (11 checks)`. */
  readonly gate?: string;
  readonly overrides?: readonly Override[];
  /** Who owns the skill from here on, where that is said and not derived. */
  readonly owner?: 'learned' | 'written' | 'imported';
  /** Commits whose teaching this change takes back. */
  readonly revokes?: readonly string[];
  readonly origin?: Origin;
  /** The files of `origin.tree`, where the target is not them: kept in the repository beside the commit. */
  readonly taken?: Folder;
}

/** One committed version of one skill. */
export interface Revision {
  readonly skill: string;
  readonly version: string;
  readonly sha: string;
  /** ISO 8601. */
  readonly date: string;
  readonly actor: Actor;
  readonly what: string;
  readonly why: string;
  readonly gate?: string;
  /** What of the gate a person let pass for it; absent where nothing was. */
  readonly overrides?: readonly Override[];
  readonly review?: string;
  readonly sessions: readonly { readonly id: string; readonly events: readonly string[] }[];
  readonly operations: readonly RevisionOperation[];
  readonly origin?: Origin;
}
