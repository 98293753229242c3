import { basename, dirname } from 'node:path';
import type { Problem } from '../errors.ts';
import type { Library, SkillRoot } from '../library/library.ts';
import { distinctRoots } from '../library/reading/distinct-roots.ts';
import { type NestedSkill, nestedSkills } from '../library/reading/nested-skills.ts';
import {
  type DotFolderSkills,
  dotFolderProblem,
  skillsInDotFolders,
} from '../library/reading/skills-in-dot-folders.ts';
import { normaliseName } from '../skill/name.ts';

/** A `SKILL.md` of a root that lies in the folder of another skill, where nothing finds it. */
export interface NestedInRoot extends NestedSkill {
  readonly root: SkillRoot;
}

/** The skills within the folders of others; a look at all their folders, for who asks for what is not used. */
export function nestedIn({ entries }: Pick<Library, 'entries'>): NestedInRoot[] {
  return entries.flatMap((entry) => {
    const path = entry.state === 'refused' ? entry.path : entry.skill.path;
    return nestedSkills(path).map((nested) => ({ ...nested, root: entry.root }));
  });
}

/** Of each root what lies in its folders that begin with a dot, with a remark on it; nothing of roots without. */
export function inDotFolders({
  roots,
}: Pick<Library, 'roots'>): (DotFolderSkills & { readonly root: SkillRoot; readonly problem: Problem })[] {
  return distinctRoots(roots).roots.flatMap((root) => {
    const found = skillsInDotFolders(root.dir);
    const problem = dotFolderProblem(root.dir, found);
    return problem === undefined ? [] : [{ ...found, root, problem }];
  });
}

/** Why a skill whose folder has this name is on disk and not used; undefined where there is none. */
export function whyOverlooked(library: Library, name: string): string | undefined {
  const wanted = normaliseName(name);
  const isMeant = (path: string) => normaliseName(basename(dirname(path))) === wanted;
  const nested = nestedIn(library).find(({ path }) => isMeant(path));
  if (nested !== undefined) return nested.problem.message;
  const hidden = library.roots.flatMap(({ dir }) => skillsInDotFolders(dir).paths).find(isMeant);
  if (hidden === undefined) return undefined;
  return `${hidden} lies in a folder whose name begins with a dot, which is skipped; name that folder as a root to use it`;
}
