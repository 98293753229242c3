import type { Environment } from '../config.ts';
import type { GateResult, JudgePrompts } from '../gate/check.ts';
import type { History } from '../history/history.ts';
import type { Library } from '../library/library.ts';
import type { Model } from '../model/model.ts';
import type { Workspace } from '../workspace.ts';

/** What bringing skills in and handing them out works with. */
export interface TransferParts {
  readonly workspace: Workspace;
  readonly library: Library;
  readonly history: History;
  /** Before anything but a commit is written; nothing where the workspace is only looked at. Throws `io`. */
  readonly makeWorkspace: () => Promise<void>;
  readonly environment: Pick<Environment, 'home' | 'path' | 'network'>;
  /** Texts of knack's own prompts, which no skill may repeat. */
  readonly ownPrompts: readonly string[];
  /** Keeps in the ledger that a person overrode a rule of the gate. */
  readonly keepOverride: (skill: string, rule: string, why: string) => Promise<void>;
  /** Opens the judge of one run under its ceiling of tokens; undefined where no model is set. */
  readonly judge: (asked: 'capped' | 'all') => Promise<ImportJudge | undefined>;
  readonly signal: AbortSignal;
  /** A line that says how far the work is; the next one takes its place. A milestone is worth a line in a log. */
  readonly onProgress: (line: string, isMilestone?: boolean) => void;
}

/** The model that judges the imports of one run, and what it may cost. */
export interface ImportJudge {
  /** Rejects with `refused` what would pass the ceiling. */
  readonly model: Model;
  readonly prompts: JudgePrompts;
  /** Tokens of the whole run. */
  readonly ceiling: number;
  /** Where the ceiling is set. */
  readonly setting: string;
  /** Tokens so far. */
  readonly spent: () => number;
  /** Keeps in the ledger what judging a skill cost and came to. */
  readonly keep: (judged: JudgedImport) => Promise<void>;
}

export interface JudgedImport {
  readonly skill: string;
  readonly source: string;
  readonly verdict: GateResult['verdict'];
  readonly tokens: number;
}

const MILESTONE = 25;

/** Whether so many done are worth a line in a log. */
export function isMilestone(done: number): boolean {
  return done > 0 && done % MILESTONE === 0;
}
