import { createHash } from 'node:crypto';
import type { Skill } from '../../skill/skill.ts';
import { keepValue, keptValue } from '../reading/kept-value.ts';
import { findNearDuplicates, type NearDuplicateOptions, type SkillPair } from './near-duplicates.ts';

interface Kept {
  /** Of the skills that were compared, and how. */
  readonly key: string;
  readonly pairs: readonly SkillPair[];
}

/**
 * As `findNearDuplicates`, which is asked again only when a skill or the bound changed since what `file` keeps. `now` is
 * in milliseconds.
 */
export async function keptNearDuplicates(
  skills: readonly Skill[],
  { file, now, ...options }: NearDuplicateOptions & { readonly file: string; readonly now: number },
): Promise<readonly SkillPair[]> {
  const hash = createHash('sha256').update(`${options.atLeast}`);
  for (const { name, contentHash } of skills) hash.update(`\0${name}\0${contentHash}`);
  const key = hash.digest('hex');
  const kept = keptValue(file) as Kept | undefined;
  if (kept?.key === key) return kept.pairs;
  const pairs = await findNearDuplicates(skills, options);
  keepValue(file, { key, pairs } satisfies Kept, now);
  return pairs;
}
