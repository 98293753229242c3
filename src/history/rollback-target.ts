import { KnackError } from '../errors.ts';
import type { Folder } from '../files/folder.ts';
import type { Git } from './git.ts';
import { isHandOver } from './ownership.ts';
import { NO_VERSION, type Recorded } from './records.ts';
import { isEmptied } from './taken-out.ts';
import { folderIn } from './tree.ts';
import { resolveVersion } from './versions.ts';

/** What a rollback makes of a skill. */
export interface RollbackTarget {
  /** Undefined where it takes the skill out of the library. */
  readonly folder: Folder | undefined;
  readonly version: string;
  /** The revision that it brings back. */
  readonly restored: Recorded | undefined;
}

/** Finds it; `to` as in `History.rollback`. Throws `not-found`, and `refused` where there is nothing before. */
export async function rollbackTarget(
  git: Git,
  skill: string,
  records: readonly Recorded[],
  to: string | undefined,
): Promise<RollbackTarget> {
  const [latest] = records;
  if (latest === undefined)
    throw new KnackError('not-found', `${skill} has no revision yet, so there is nothing to roll back to`);
  // What a revocation took out whole comes back by no restore.
  if (to === undefined && latest.version === NO_VERSION && !isEmptied(latest))
    throw new KnackError(
      'refused',
      `${skill} is out of the library, and nothing came before it; \`knack skills restore ${skill}\` brings it back`,
    );
  const restored =
    to === undefined
      ? beforeLatest(records)
      : to === NO_VERSION
        ? undefined
        : await resolveVersion(git, skill, to, records);
  const folder =
    restored === undefined ? undefined : await folderIn(git, restored.sha, skill, { exact: true });
  return { folder, version: folder === undefined ? NO_VERSION : (restored?.version ?? NO_VERSION), restored };
}

/**
 * What stood before the last change; before a rollback that is what stood before the revision that it brought back. That
 * a skill was handed over changes nothing of it. Undefined before the first revision: there was no skill.
 */
function beforeLatest(records: readonly Recorded[]): Recorded | undefined {
  const madeAt = (index: number): number => {
    const restored = records.findIndex(({ sha }) => sha === records[index]?.restores);
    const at = restored < 0 ? index : restored;
    const made = records[at];
    return made !== undefined && isHandOver(made) ? madeAt(at + 1) : at;
  };
  return records[madeAt(0) + 1];
}
