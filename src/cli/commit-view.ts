import { deletedByHand } from '../history/deleted.ts';
import type { CommitOutcome, History } from '../history/history.ts';
import type { Override } from '../history/revision.ts';

/** Why a change was not committed and what to do, in a line; undefined if it was, or if there was nothing to do. */
export function whyNotCommitted(skill: string, outcome: CommitOutcome): string | undefined {
  switch (outcome.kind) {
    case 'committed':
    case 'unchanged':
      return undefined;
    case 'dirty':
      if (outcome.deleted !== undefined) return deletedByHand(skill, outcome.deleted);
      return `${skill} has uncommitted changes in ${outcome.files.join(', ')}; commit or undo them first, nothing was changed`;
    case 'moved':
      return `${skill} changed while this ran; run it again`;
    case 'unavailable':
      return `${skill} was left as it is: ${outcome.why}`;
  }
}

/** What any change of a skill that stands like this would come to; `unchanged` where nothing is in the way. */
export function obstacleOf({
  dirty,
  blocked,
  deleted,
}: {
  readonly dirty: readonly string[];
  readonly blocked?: string | undefined;
  readonly deleted?: string | undefined;
}): CommitOutcome {
  if (blocked !== undefined) return { kind: 'unavailable', why: blocked };
  if (dirty.length === 0) return { kind: 'unchanged' };
  return { kind: 'dirty', files: dirty, ...(deleted === undefined ? {} : { deleted }) };
}

/** What of the gate a person let pass, and why, a line each. */
export function overrideLines(overrides: readonly Override[] = []): string[] {
  return overrides.map(({ rule, why }) => `let pass by a person: ${rule}: ${why}`);
}

/** A commit as a receipt shows it: `commit 0123456789`, with the repository where that is not the workspace's own. */
export async function commitReceipt(sha: string, history: History): Promise<string> {
  const outer = await history.outerRepository();
  return `commit ${sha.slice(0, 10)}${outer === undefined ? '' : ` in the repository ${outer}`}`;
}
