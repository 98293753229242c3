import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KnackError } from '../errors.ts';
import { isEmptied } from '../history/taken-out.ts';
import type { Runtime } from '../runtime.ts';

/** A skill that was taken out of the library. */
export interface RetiredSkill {
  readonly name: string;
  readonly state: 'retired';
  readonly root: 'workspace';
  /** Where it was. */
  readonly path: string;
  readonly description: '';
  readonly why: string;
}

/** Those of the workspace that have a history and are gone, by name: one look at all, and one more at each of these. */
export async function retiredSkills(runtime: Runtime): Promise<RetiredSkill[]> {
  const history = await runtime.history().catch((error: unknown) => {
    // Without git a library can be listed all the same.
    if (error instanceof KnackError && error.code === 'git-missing') return undefined;
    throw error;
  });
  if (history === undefined) return [];
  const { skills } = runtime.workspace;
  const gone = [...(await history.owners()).keys()].filter((name) => !existsSync(join(skills, name)));
  const found: RetiredSkill[] = [];
  for (const name of gone) {
    const [latest] = await history.log(name);
    if (latest?.version !== 'none') continue;
    found.push({
      name,
      state: 'retired',
      root: 'workspace',
      path: join(skills, name, 'SKILL.md'),
      description: '',
      why: isEmptied(latest)
        ? `on ${latest.date.slice(0, 10)}: all that it said came from sessions that were revoked`
        : `on ${latest.date.slice(0, 10)}; \`knack skills restore ${name}\` brings it back`,
    });
  }
  return found.sort((left, right) => (left.name < right.name ? -1 : 1));
}
