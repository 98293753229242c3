import { join } from 'node:path';
import { KnackError } from '../errors.ts';
import { readSkill } from '../skill/parse.ts';
import { GUIDING_SKILL } from './nearest-skills.ts';

/**
 * The instructions of the skill-authoring skill, which guide the drafter. `packagedSkills` is the package's `skills/`:
 * no other root's text may guide it. Throws `skill-invalid` if it is not there.
 */
export async function loadGuidance(packagedSkills: string): Promise<string> {
  const reading = await readSkill(join(packagedSkills, GUIDING_SKILL));
  if (reading.kind === 'refused')
    throw new KnackError(
      'skill-invalid',
      `${reading.path} cannot be used: ${reading.problems[0]?.message ?? 'no reason given'}; install knack anew`,
    );
  return reading.skill.body.trim();
}
