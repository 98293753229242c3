import { KnackError } from '../errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Skill } from '../skill/skill.ts';

/**
 * The skill of a name, as `Runtime.skill` finds it. Throws `not-found` with near names, and of a name that only a place
 * has which is not trusted, or a skill that is refused or skipped for where it lies, with that and the remedy.
 */
export async function findSkill(runtime: Runtime, name: string): Promise<Skill> {
  try {
    return await runtime.skill(name);
  } catch (error) {
    if (!(error instanceof KnackError) || error.code !== 'not-found') throw error;
    const { untrustedSkills } = await import('./untrusted-skills.ts');
    const library = await runtime.library();
    const inert = untrustedSkills(runtime.project(), library).skills.find((skill) => skill.name === name);
    const { whyOverlooked } = await import('./overlooked-skills.ts');
    const why = inert?.why ?? whyOverlooked(library, name);
    if (why === undefined) throw error;
    throw new KnackError('not-found', `${name} is not used: ${why}`, { cause: error });
  }
}
