import type { Skill } from '../../skill/skill.ts';

/** How a session went with a skill that it had loaded, as its review found. */
export interface SkillTrial {
  readonly skill: string;
  /** `contentHash` of what was loaded: what changed since has not been tried. */
  readonly hash: string;
  readonly session: string;
  /** The event that shows it. */
  readonly event: string;
  readonly outcome: 'failed' | 'worked';
  /** ISO 8601, of the event. */
  readonly at: string;
}

/**
 * The failures for which a skill is to be mended, oldest first; empty for one that has fewer than are borne. Such a skill
 * has no description in the catalog and comes last beside a message, and is found and loaded all the same.
 */
export type ToRepair = (skill: Pick<Skill, 'name' | 'contentHash'>) => readonly SkillTrial[];

/** `limit`: failed sessions in a row, on one version, that make a skill one to repair. */
export function createToRepair(
  usage: { readonly failuresOf: ToRepair },
  { limit }: { readonly limit: number },
): ToRepair {
  return (skill) => {
    const failures = usage.failuresOf(skill);
    return failures.length < limit ? [] : failures;
  };
}

/** The sessions in which this version failed after the last in which it worked, oldest first; of each its last word. */
export function failuresIn(
  trials: readonly SkillTrial[],
  { contentHash }: Pick<Skill, 'contentHash'>,
): SkillTrial[] {
  const last = new Map(
    trials.filter(({ hash }) => hash === contentHash).map((trial) => [trial.session, trial]),
  );
  const inOrder = [...last.values()].sort((left, right) => (left.at < right.at ? -1 : 1));
  return inOrder.slice(inOrder.findLastIndex(({ outcome }) => outcome === 'worked') + 1);
}

export function isTrial(value: unknown): value is SkillTrial {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  return (
    (record['outcome'] === 'failed' || record['outcome'] === 'worked') &&
    ['skill', 'hash', 'session', 'event', 'at'].every((key) => typeof record[key] === 'string')
  );
}
