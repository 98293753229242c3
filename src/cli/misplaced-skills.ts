import { join } from 'node:path';
import type { Library } from '../library/library.ts';
import type { Skill } from '../skill/skill.ts';
import type { Workspace } from '../workspace.ts';
import { asWord } from './project-notes.ts';

/**
 * Why a skill of the writable root has no history, with the remedy: it is kept of folders that lie in the root itself and
 * have the name of their skill. Undefined for one that lies there.
 */
export function whyNoHistory(
  { name, dir }: Skill,
  { skills }: Pick<Workspace, 'skills'>,
): string | undefined {
  const place = join(skills, name);
  if (dir === place) return undefined;
  return `${name} lies in ${dir}, and history is kept of ${place} alone; move it there: mv ${asWord(dir)} ${asWord(place)}`;
}

/** Those of a library, a line each. */
export function misplacedSkills(library: Library, workspace: Pick<Workspace, 'skills'>): string[] {
  return library.skills.flatMap((skill) =>
    library.rootOf(skill).writable ? (whyNoHistory(skill, workspace) ?? []) : [],
  );
}
