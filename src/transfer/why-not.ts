import { deletedByHand } from '../history/deleted.ts';
import type { CommitOutcome } from '../history/history.ts';

/** Why the history did not take a change. */
export function whyNot(
  skill: string,
  outcome: Exclude<CommitOutcome, { readonly kind: 'committed' | 'unchanged' }>,
): string {
  if (outcome.kind === 'moved') return 'the skill changed while this ran; run it again';
  if (outcome.kind === 'unavailable') return outcome.why;
  if (outcome.deleted !== undefined) return deletedByHand(skill, outcome.deleted);
  return `uncommitted files are in the way: ${outcome.files.join(', ')}; commit or move them first`;
}
