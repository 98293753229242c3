import { dirname, relative, sep } from 'node:path';
import type { Skill } from '../../skill/skill.ts';
import type { Library } from '../library.ts';

/** Says of a skill which folder it is sorted into, as it is written; empty where none tells anything. */
export type FolderOf = (skill: Skill) => string;

type Sorted = Pick<Library, 'skills' | 'rootOf'>;

/** Of the skills in a folder, those in one below it from which on that one says no more than the first. */
const NEARLY_ALL = 0.9;
/** Skills in a folder from which on it counts that nearly all of them lie in one below. */
const MANY = 20;
/** `owner__repository`, as collections of collections name what they hold. */
const COLLECTION = /^[^_]+(?:_[^_]+)*__[^_]/;
/** Folders that say how files are kept. */
const CONTAINERS = new Set(['components', 'docs', 'packages', 'plugins', 'skills', 'src']);

const rules = new WeakMap<readonly Skill[], FolderOf>();

/**
 * The one rule for the folders that give tags, topics and words to search for: the first below a root that is neither a
 * collection nor a mere container, and that leaves more than a few skills outside. Found out once for each state of a
 * library.
 */
export function topicFoldersOf(library: Sorted): FolderOf {
  const known = rules.get(library.skills);
  if (known !== undefined) return known;
  const made = createTopicFolders(library);
  rules.set(library.skills, made);
  return made;
}

/** Whether each of the skills that stay is sorted as it was: it may not be below another root, or as more of them come. */
export function sortsAlike(
  before: readonly Skill[],
  folderBefore: FolderOf,
  after: readonly Skill[],
  folderAfter: FolderOf,
): boolean {
  const stay = new Set(after);
  return before.every((skill) => !stay.has(skill) || folderBefore(skill) === folderAfter(skill));
}

function createTopicFolders({ skills, rootOf }: Sorted): FolderOf {
  // Most skills share the folder above with others: each of these is looked at once.
  const parents = new Map<string, { readonly path: readonly string[]; skills: number; topic?: string }>();
  const parentOf = (skill: Skill) => {
    const { dir } = rootOf(skill);
    const above = dirname(skill.dir);
    const key = `${dir}\0${above}`;
    const parent = parents.get(key) ?? { path: foldersBetween(dir, above), skills: 0 };
    parents.set(key, parent);
    return parent;
  };
  for (const skill of skills) parentOf(skill).skills += 1;
  const counts = new Map<string, number>();
  for (const { path, skills: many } of parents.values())
    for (const end of path.keys()) {
      const key = path.slice(0, end + 1).join(sep);
      counts.set(key, (counts.get(key) ?? 0) + many);
    }
  const tells = (path: readonly string[], end: number) => {
    const name = (path[end] ?? '').toLowerCase();
    const among = counts.get(path.slice(0, end).join(sep)) ?? 0;
    if (COLLECTION.test(name) || CONTAINERS.has(name)) return false;
    return among < MANY || (counts.get(path.slice(0, end + 1).join(sep)) ?? 0) < NEARLY_ALL * among;
  };
  return (skill) => {
    const parent = parentOf(skill);
    parent.topic ??= parent.path.find((_, end) => end > 0 && tells(parent.path, end)) ?? '';
    return parent.topic;
  };
}

/** The root's folder, then the names of those below it down to this one. */
function foldersBetween(root: string, folder: string): string[] {
  const [first = '', ...names] = relative(root, folder).split(sep);
  return [root, ...(first === '' || first === '..' ? [] : [first, ...names])];
}
