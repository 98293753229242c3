import { basename, dirname, relative, sep } from 'node:path';
import { withSlashes } from '../files/folder.ts';
import { normaliseName } from '../skill/name.ts';
import type { Skill } from '../skill/skill.ts';
import type { LibraryEntry, SkillRoot } from './library.ts';

/** Which skill each name stands for. */
export interface Precedence {
  /** Sorted by name, then root, then path. */
  readonly entries: readonly LibraryEntry[];
  /** The listed skills, sorted by name. */
  readonly skills: readonly Skill[];
  /** By name, alias, label, `root:name`, or `root:folder` for what shares its name with another of its root. */
  find(name: string): Skill | undefined;
  /** The name that finds this skill and no other: its own if it is listed, else with its root. */
  nameOf(skill: Skill): string;
}

/**
 * Applies the one rule: of several skills of a name the one of the first root is listed, in one root the one that lies
 * least deep (copies, backups and translations lie deeper), then the one whose folder has its name, then the one of the
 * first path; the others are shadowed. A name wins over an alias.
 */
export function precedenceOf(found: readonly LibraryEntry[], roots: readonly SkillRoot[]): Precedence {
  const place = new Map(roots.map((root, index) => [root.name, index]));
  const placeOf = (entry: LibraryEntry) => place.get(entry.root.name) ?? roots.length;
  const placed = (left: LibraryEntry, right: LibraryEntry) =>
    placeOf(left) - placeOf(right) ||
    depthOf(left) - depthOf(right) ||
    Number(isNamedOtherwise(left)) - Number(isNamedOtherwise(right)) ||
    compare(pathOf(left), pathOf(right));
  // Ten thousand are compared more than a hundred thousand times: names are looked for once.
  const ranked = found
    .map((entry) => ({ entry, name: nameOf(entry) }))
    .sort((left, right) => compare(left.name, right.name) || placed(left.entry, right.entry))
    .map(({ entry }) => entry);
  const listed = new Map<string, Placed>();
  const shadowed = new Map<string, Skill>();
  const byFolder = new Map<string, Skill>();
  const names = new Map<Skill, string>();
  const entries = ranked.map((entry): LibraryEntry => {
    if (entry.state === 'refused') return entry;
    const { root, skill } = entry;
    const owner = listed.get(skill.name);
    if (owner === undefined) {
      listed.set(skill.name, entry);
      return entry.state === 'listed' ? entry : { state: 'listed', root, skill };
    }
    const full = `${root.name}:${skill.name}`;
    const isByFolder = owner.root.name === root.name || shadowed.has(full);
    const name = isByFolder ? `${root.name}:${folderOf(entry)}` : full;
    (isByFolder ? byFolder : shadowed).set(name, skill);
    names.set(skill, name);
    return { ...entry, state: 'shadowed', by: `${owner.root.name}:${skill.name}` };
  });
  const qualified = (name: string) => {
    // No skill has a colon in its name.
    const end = name.lastIndexOf(':');
    const owner = listed.get(name.slice(end + 1));
    return end >= 0 && owner?.root.name === name.slice(0, end) ? owner.skill : shadowed.get(name);
  };
  let others: ReadonlyMap<string, Skill> | undefined;
  const otherwise = (normal: string) => {
    others ??= otherNames(listed, (root) => place.get(root.name) ?? roots.length);
    return others.get(normal);
  };
  return {
    entries,
    skills: Array.from(listed.values(), ({ skill }) => skill),
    nameOf: (skill) => names.get(skill) ?? skill.name,
    find: (name) => {
      const found = listed.get(name)?.skill ?? qualified(name) ?? byFolder.get(name);
      if (found !== undefined) return found;
      const normal = normaliseName(name);
      return listed.get(normal)?.skill ?? otherwise(normal);
    },
  };
}

interface Placed {
  readonly root: SkillRoot;
  readonly skill: Skill;
}

/** Labels and aliases. A root that comes later takes none from one before it. */
function otherNames(
  listed: ReadonlyMap<string, Placed>,
  placeOf: (root: SkillRoot) => number,
): ReadonlyMap<string, Skill> {
  const others = new Map<string, Skill>();
  const add = (alias: string, skill: Skill) => {
    const normal = normaliseName(alias);
    // Of an alias without letters nothing is left, and nothing is what an empty name asks for.
    if (normal !== '' && !others.has(normal)) others.set(normal, skill);
  };
  const named = [...listed.values()].filter(
    ({ skill }) => skill.label !== undefined || skill.aliases.length > 0,
  );
  for (const { skill } of named.sort((left, right) => placeOf(left.root) - placeOf(right.root))) {
    if (skill.label !== undefined) add(skill.label, skill);
    for (const alias of skill.aliases) add(alias, skill);
  }
  return others;
}

/** Relative to the root, with `/`. */
function folderOf(entry: LibraryEntry): string {
  return withSlashes(relative(entry.root.dir, dirname(pathOf(entry))));
}

function depthOf(entry: LibraryEntry): number {
  return pathOf(entry).split(sep).length;
}

function isNamedOtherwise(entry: LibraryEntry): boolean {
  return entry.state !== 'refused' && normaliseName(basename(entry.skill.dir)) !== entry.skill.name;
}

/** A refused file has no name; its folder says where it belongs. */
function nameOf(entry: LibraryEntry): string {
  return entry.state === 'refused' ? normaliseName(basename(dirname(entry.path))) : entry.skill.name;
}

function pathOf(entry: LibraryEntry): string {
  return entry.state === 'refused' ? entry.path : entry.skill.path;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
