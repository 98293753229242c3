import { equalFolders, type Folder } from '../files/folder.ts';
import { deletedByHand } from '../history/deleted.ts';
import type { CommitOutcome } from '../history/history.ts';
import { versionIn, withVersion } from './merge-versions.ts';

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

/** Whether another process wrote the very same since this was decided, be it under another number. */
export function isThereNow(outcome: CommitOutcome, folder: Folder): boolean {
  if (outcome.kind !== 'moved' || outcome.present === undefined) return false;
  const version = versionIn(outcome.present);
  return equalFolders(outcome.present, version === undefined ? folder : withVersion(folder, version));
}
