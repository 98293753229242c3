import { stringify } from 'yaml';
import type { SkillTestCase } from './skill.ts';

/** Cases as a `tests.yaml` holds them. */
export function testsText(cases: readonly SkillTestCase[]): string {
  return stringify({ cases });
}
