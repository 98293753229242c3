import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KnackError } from '../errors.ts';
import { whyDeleted } from '../history/deleted.ts';
import { isEmptied } from '../history/taken-out.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** A skill that was taken out of the library, or deleted by hand. */
export interface GoneSkill {
  readonly name: string;
  readonly state: 'retired' | 'deleted';
  readonly root: 'workspace';
  /** Where it was. */
  readonly path: string;
  readonly description: '';
  readonly why: string;
}

/** Those of the workspace that have a history and are gone, by name: one look at all, and one more at each of these. */
export async function goneSkills(runtime: Pick<Runtime, 'history' | 'workspace'>): Promise<GoneSkill[]> {
  const history = await runtime.history().catch((error: unknown) => {
    // Without git a library can be listed all the same.
    if (error instanceof KnackError && error.code === 'git-missing') return undefined;
    throw error;
  });
  if (history === undefined) return [];
  const { skills } = runtime.workspace;
  const gone = [...(await history.owners()).keys()].filter(
    (name) => !existsSync(join(skills, name, 'SKILL.md')),
  );
  const found: GoneSkill[] = [];
  for (const name of gone) {
    const [latest] = await history.log(name);
    const about = {
      name,
      root: 'workspace' as const,
      path: join(skills, name, 'SKILL.md'),
      description: '' as const,
    };
    if (latest?.version !== 'none') {
      const why = await whyDeleted(history, name);
      if (why !== undefined) found.push({ ...about, state: 'deleted', why });
      continue;
    }
    found.push({
      ...about,
      state: 'retired',
      why: isEmptied(latest)
        ? `on ${latest.date.slice(0, 10)}: all that it said came from sessions that were revoked`
        : `on ${latest.date.slice(0, 10)}; \`knack skills restore ${name}\` brings it back`,
    });
  }
  return found.sort((left, right) => (left.name < right.name ? -1 : 1));
}
