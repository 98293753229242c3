import { KnackError } from '../errors.ts';
import { equalFolders } from '../files/folder.ts';
import { deletedVersion } from './deleted.ts';
import type { Git } from './git.ts';
import type { CommitOutcome } from './history.ts';
import { swapAndCommit } from './journal.ts';
import { formatMessage } from './message.ts';
import { sharedBits } from './next-folder.ts';
import { keepTaken } from './origins.ts';
import { addedInVain, obstacleTo } from './private-files.ts';
import { published, recordOf } from './records.ts';
import type { Change } from './revision.ts';
import { statusOf } from './skill-status.ts';
import { readTracked } from './standing-skill.ts';
import { storedForm } from './stored-form.ts';
import { type Entries, equalEntries, linkAmong, trackedIn } from './tree.ts';
import { whyAbsent, whyUnwritable } from './unwritable.ts';
import type { WriteArea } from './write-area.ts';

/** A change, and what it brings back if it is a rollback. */
export interface WrittenChange extends Change {
  /** The commit whose files it brings back. */
  readonly restores?: string;
  /** Its files as git keeps them. */
  readonly stored?: Entries | undefined;
}

/** Commits a change of a skill, or says why not. What git keeps otherwise than it stands goes to `log`. Only under the lock. */
export async function writeChange(
  git: Git,
  area: WriteArea,
  change: WrittenChange,
  log: (line: string) => void = () => undefined,
): Promise<CommitOutcome> {
  const { skill, base, target } = change;
  const [status, tracked, vain] = await Promise.all([
    statusOf(git, area, skill),
    trackedIn(git, skill),
    addedInVain(git, change),
  ]);
  const blocked = whyUnwritable(area, skill, { status, tracked });
  if (blocked !== undefined) return { kind: 'unavailable', why: blocked };
  if (status.dirty.length > 0) {
    const deleted = await deletedVersion(git, area, skill, status);
    return { kind: 'dirty', files: status.dirty, ...(deleted === undefined ? {} : { deleted }) };
  }
  const standing = await readTracked(git, area, skill, { status, tracked });
  const { folder: present, edited, gone, hasModes } = standing;
  const absent = await whyAbsent(git, area, skill, gone);
  if (absent !== undefined) return { kind: 'unavailable', why: absent };
  if (edited.length > 0) return { kind: 'dirty', files: edited };
  if (!equalFolders(present, base)) return { kind: 'moved', present };
  if (equalFolders(present, target)) return { kind: 'unchanged' };
  const link = linkAmong(skill, tracked);
  const found = { ignored: status.ignored, vain, ...(link === undefined ? {} : { link }) };
  const obstacle = await obstacleTo(area.root, change, found);
  if (obstacle !== undefined) return obstacle;
  const [stored, shared] = await Promise.all([
    storedForm(git, { skill, base, target, tracked, restored: change.stored }),
    sharedBits(git),
  ]);
  if (stored.altered.length > 0)
    return {
      kind: 'unavailable',
      why: `an attribute has git keep ${stored.altered.join(', ')} otherwise than it is; make the change with git, or take the attribute off it in .gitattributes or in info/attributes of the git folder`,
    };
  if (equalEntries(stored.entries, tracked)) return { kind: 'unchanged' };
  await keepTaken(git, change, stored.isAsIs);
  const { ignored } = status;
  const message = formatMessage(change);
  const swap = { skill, base, target, message, tracked, stored, ignored, hasModes, shared };
  const outcome = await swapAndCommit(git, area, swap);
  if ('edited' in outcome) return { kind: 'dirty', files: outcome.edited };
  const revision = await recordOf(git, skill, outcome.sha);
  if (revision === undefined)
    throw new KnackError(
      'git-failed',
      `the commit ${outcome.sha} of ${skill} cannot be read back from ${area.root}`,
    );
  if (stored.unified.length > 0)
    log(
      `git keeps ${stored.unified.join(', ')} with line ends of LF, as an attribute of the repository says: a clone gets these`,
    );
  return { kind: 'committed', revision: published(revision) };
}
