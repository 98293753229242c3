import type { CommitOutcome } from '../history/history.ts';

/** Why a change was not committed and what to do, in a line; undefined if it was, or if there was nothing to do. */
export function whyNotCommitted(skill: string, outcome: CommitOutcome): string | undefined {
  switch (outcome.kind) {
    case 'committed':
    case 'unchanged':
      return undefined;
    case 'dirty':
      return `${skill} has uncommitted changes in ${outcome.files.join(', ')}; commit or undo them first, nothing was changed`;
    case 'moved':
      return `${skill} changed while this ran; run it again`;
    case 'unavailable':
      return `${skill} was left as it is: ${outcome.why}`;
  }
}
