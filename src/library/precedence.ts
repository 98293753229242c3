import { basename, dirname } from 'node:path';
import { normaliseName } from '../skill/name.ts';
import type { Skill } from '../skill/skill.ts';
import type { LibraryEntry, SkillRoot } from './library.ts';

/** Which skill each name stands for. */
export interface Precedence {
  /** Sorted by name, then root, then path. */
  readonly entries: readonly LibraryEntry[];
  /** The listed skills, sorted by name. */
  readonly skills: readonly Skill[];
  /** By name, alias, label or `root:name`. */
  find(name: string): Skill | undefined;
}

/**
 * Applies the one rule: of several skills of a name the one of the first root is listed, in one root the one of the
 * first path; the others are shadowed. A name wins over an alias.
 */
export function precedenceOf(found: readonly LibraryEntry[], roots: readonly SkillRoot[]): Precedence {
  const place = new Map(roots.map((root, index) => [root.name, index]));
  const placeOf = (entry: LibraryEntry) => place.get(entry.root.name) ?? roots.length;
  const ranked = [...found].sort(
    (left, right) =>
      compare(nameOf(left), nameOf(right)) ||
      placeOf(left) - placeOf(right) ||
      compare(pathOf(left), pathOf(right)),
  );
  const owners = new Map<string, SkillRoot>();
  const names = new Map<string, Skill>();
  const qualified = new Map<string, Skill>();
  const entries = ranked.map((entry): LibraryEntry => {
    if (entry.state === 'refused') return entry;
    const { root, skill } = entry;
    const full = `${root.name}:${skill.name}`;
    if (!qualified.has(full)) qualified.set(full, skill);
    const owner = owners.get(skill.name);
    if (owner !== undefined) return { state: 'shadowed', root, skill, by: `${owner.name}:${skill.name}` };
    owners.set(skill.name, root);
    names.set(skill.name, skill);
    return entry.state === 'listed' ? entry : { state: 'listed', root, skill };
  });
  const skills = [...names.values()];
  const others = new Map<string, Skill>();
  for (const skill of skills)
    for (const alias of [skill.label ?? '', ...skill.aliases])
      if (alias !== '' && !others.has(normaliseName(alias))) others.set(normaliseName(alias), skill);
  return {
    entries,
    skills,
    find: (name) => {
      const normal = normaliseName(name);
      return names.get(name) ?? qualified.get(name) ?? names.get(normal) ?? others.get(normal);
    },
  };
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
