import { KnackError } from '../errors.ts';
import type { History } from '../history/history.ts';
import type { Revision } from '../history/revision.ts';
import type { Runtime } from '../runtime.ts';
import { findSkill } from './find-skill.ts';

/** The history of one skill, whose revisions are newest first. */
export interface SkillHistory {
  readonly history: History;
  readonly revisions: readonly Revision[];
}

/**
 * Opens the history of a skill. One without a history throws `not-found` with the reason: it belongs to a read-only
 * root, is known under another name, or does not exist.
 */
export async function historyOf(runtime: Runtime, name: string): Promise<SkillHistory> {
  const history = await runtime.history();
  try {
    return { history, revisions: await history.log(name) };
  } catch (error) {
    if (!(error instanceof KnackError) || error.code !== 'not-found') throw error;
    throw new KnackError('not-found', await whyNone(runtime, name), { cause: error });
  }
}

async function whyNone(runtime: Runtime, name: string): Promise<string> {
  // Throws with near names where there is no such skill.
  const skill = await findSkill(runtime, name);
  const root = (await runtime.library()).rootOf(skill);
  if (root.writable) return `${name} is kept as ${skill.name}: give that name`;
  const what = root.name === 'bundled' ? 'is bundled with knack' : `is in the root "${root.name}"`;
  return `${skill.name} ${what} and read-only, so it has no history here; a change of it becomes a copy in ${runtime.workspace.skills}, whose history is kept`;
}
