import { join, sep } from 'node:path';
import { KNOWN_HOMES } from '../known-roots.ts';
import { dotFolderProblem, skillsInDotFolders } from '../library/reading/skills-in-dot-folders.ts';
import { counted } from '../text/counted.ts';
import type { FoundSkill } from './find.ts';

/**
 * Where agents keep skills in a folder that begins with a dot: at the top of a source these are looked into as if they
 * had been named. All other folders with a dot are skipped, as in a root.
 */
export const HOMES = KNOWN_HOMES.flatMap(({ project }) => project);

/** An agent's own copies of what the source offers are not what is meant. */
export function withoutHomeCopies(skills: readonly FoundSkill[]): {
  readonly kept: readonly FoundSkill[];
  readonly passed: readonly FoundSkill[];
} {
  const outside = new Set(skills.filter((skill) => !isInHome(skill)).map(({ name }) => name));
  const isCopy = (skill: FoundSkill) => isInHome(skill) && outside.has(skill.name);
  return { kept: skills.filter((skill) => !isCopy(skill)), passed: skills.filter(isCopy) };
}

/**
 * Lines on skills that are there and not taken for the dot of their folder: in these folders below `root`, and `passed`,
 * an agent's own copies.
 */
export function skippedBelow(
  root: string,
  dotFolders: readonly string[],
  passed: readonly FoundSkill[],
): string[] {
  const found = skillsInDotFolders(root, dotFolders);
  const isTaken = (path: string) => HOMES.some((home) => path.startsWith(join(root, home) + sep));
  const others = {
    ...found,
    paths: found.paths.filter((path) => !isTaken(path)),
    folders: found.folders.filter(({ path }) => !isTaken(join(root, path) + sep)),
  };
  const problem = dotFolderProblem('the source', others, '--path FOLDER takes them from there');
  const [first] = passed;
  return [
    ...(first === undefined
      ? []
      : [
          `${counted(passed.length, 'skill is', 'skills are')} left out, such as ${first.path}: another of that name lies in no folder with a dot; --path FOLDER takes it from there`,
        ]),
    ...(problem === undefined ? [] : [problem.message]),
  ];
}

function isInHome({ path }: Pick<FoundSkill, 'path'>): boolean {
  return HOMES.some((home) => path.startsWith(`${home}/`));
}
