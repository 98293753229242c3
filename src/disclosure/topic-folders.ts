import { relative, sep } from 'node:path';
import type { Library } from '../library/library.ts';
import type { Skill } from '../skill/skill.ts';

/** Of the skills in a folder, those in one below it from which on that one says no more than the first. */
const NEARLY_ALL = 0.9;
/** Skills in a folder from which on it counts that nearly all of them lie in one below. */
const MANY = 20;
/** `owner__repository`, as collections of collections name what they hold. */
const COLLECTION = /^[^_]+(?:_[^_]+)*__[^_]/;
/** Folders that say how files are kept. */
const CONTAINERS = new Set(['components', 'docs', 'packages', 'plugins', 'skills', 'src']);

/**
 * The folder that skills are sorted into, in lower case, empty where none tells anything: the first below the root that is
 * neither a collection nor a mere container, and that leaves more than a few skills outside.
 */
export function topicFolders(library: Library, skills: readonly Skill[]): (skill: Skill) => string {
  const places = new Map(skills.map((skill) => [skill, foldersBetween(library, skill)]));
  const counts = new Map<string, number>();
  for (const folders of places.values())
    for (const path of pathsOf(folders)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const tells = (path: string, above: string, name: string) => {
    const among = counts.get(above) ?? 0;
    if (COLLECTION.test(name) || CONTAINERS.has(name)) return false;
    return among < MANY || (counts.get(path) ?? 0) < NEARLY_ALL * among;
  };
  return (skill) => {
    const [root = '', ...names] = places.get(skill) ?? [];
    let above = root;
    for (const name of names) {
      const path = `${above}${sep}${name}`;
      if (tells(path, above, name)) return name;
      above = path;
    }
    return '';
  };
}

/** The root's folder, then the names of those between it and the skill's own. */
function foldersBetween(library: Library, skill: Skill): string[] {
  const { dir } = library.rootOf(skill);
  const between = relative(dir, skill.dir).split(sep).slice(0, -1);
  return [dir, ...(between[0] === '..' ? [] : between.map((name) => name.toLowerCase()))];
}

function pathsOf([root = '', ...names]: readonly string[]): string[] {
  const paths = [root];
  for (const name of names) paths.push(`${paths.at(-1)}${sep}${name}`);
  return paths;
}
