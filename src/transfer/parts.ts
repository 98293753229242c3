import type { Environment } from '../config.ts';
import type { History } from '../history/history.ts';
import type { Library } from '../library/library.ts';
import type { Workspace } from '../workspace.ts';

/** What bringing skills in and handing them out works with. */
export interface TransferParts {
  readonly workspace: Workspace;
  readonly library: Library;
  readonly history: History;
  readonly environment: Pick<Environment, 'home' | 'path' | 'network'>;
  /** Texts of knack's own prompts, which no skill may repeat. */
  readonly ownPrompts: readonly string[];
  /** Keeps in the ledger that a person overrode a rule of the gate. */
  readonly keepOverride: (skill: string, rule: string, why: string) => Promise<void>;
  readonly signal: AbortSignal;
  /** A line that says how far the work is; the next one takes its place. A milestone is worth a line in a log. */
  readonly onProgress: (line: string, isMilestone?: boolean) => void;
}

const MILESTONE = 25;

/** Whether so many done are worth a line in a log. */
export function isMilestone(done: number): boolean {
  return done > 0 && done % MILESTONE === 0;
}
