import type { Ownership } from '../history/history.ts';
import type { SkillRoot } from '../library/library.ts';

/** Who a skill is from: what came along with knack was brought in by nobody. */
export type ShownOwner = Ownership | 'bundled';

/** Of the skills of a root that is only read. */
export function ownerOfRoot({ name }: Pick<SkillRoot, 'name'>): 'bundled' | 'imported' {
  return name === 'bundled' ? 'bundled' : 'imported';
}
