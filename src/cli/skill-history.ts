import { KnackError } from '../errors.ts';
import type { History } from '../history/history.ts';
import type { Revision } from '../history/revision.ts';
import type { SkillRoot } from '../library/library.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Skill } from '../skill/skill.ts';
import { findSkill } from './find-skill.ts';
import { whyNoHistory } from './misplaced-skills.ts';

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
    if ((await history.cut(name)) !== undefined) throw error;
    throw new KnackError('not-found', await whyNone(runtime, name), { cause: error });
  }
}

/** As `historyOf`, of a skill that has a commit. Throws `refused` with how to make the first one. */
export async function committedHistoryOf(runtime: Runtime, name: string): Promise<SkillHistory> {
  const found = await historyOf(runtime, name);
  if (found.revisions.length > 0) return found;
  const git = `git -C ${runtime.workspace.skills}`;
  throw new KnackError(
    'refused',
    `${name} is in no commit yet; commit it first: ${git} add ${name} && ${git} commit -m "Add ${name}"`,
  );
}

/** A skill of a root that is only read, by its own name; undefined where the name stands for anything else. */
export async function readOnlySkill(
  runtime: Runtime,
  name: string,
): Promise<{ readonly skill: Skill; readonly root: SkillRoot } | undefined> {
  const library = await runtime.library();
  const skill = library.find(name);
  if (skill === undefined || skill.name !== name) return undefined;
  const root = library.rootOf(skill);
  return root.writable ? undefined : { skill, root };
}

async function whyNone(runtime: Runtime, name: string): Promise<string> {
  // Throws with near names where there is no such skill.
  const skill = await findSkill(runtime, name);
  const root = (await runtime.library()).rootOf(skill);
  if (root.writable)
    return whyNoHistory(skill, runtime.workspace) ?? `${name} is kept as ${skill.name}: give that name`;
  const what = root.name === 'bundled' ? 'is bundled with knack' : `is in the root "${root.name}"`;
  return `${skill.name} ${what} and read-only, so it has no history here; \`knack skills own ${skill.name}\` makes a copy of it in ${runtime.workspace.skills}, whose history is kept`;
}
