import { dirname, relative, sep } from 'node:path';
import type { Skill } from '../skill/skill.ts';
import type { LibraryEntry, SkillRoot } from './library.ts';
import type { RootsReading } from './reading/read-roots.ts';

/** The root of a skill's path; undefined where no skill has it. */
export type RootAt = (path: string) => SkillRoot | undefined;

/** Of what was read: a table for it would be one more of ten thousand. */
export function rootsIn({ files }: RootsReading): RootAt {
  return (path) => {
    const file = files.get(path);
    return file?.reading.kind === 'loaded' || file?.lastGood !== undefined ? file.root : undefined;
  };
}

/** The same of any entries. */
export function rootsOf(entries: readonly LibraryEntry[]): RootAt {
  const roots = new Map<string, SkillRoot>();
  for (const entry of entries) if (entry.state !== 'refused') roots.set(entry.skill.path, entry.root);
  return (path) => roots.get(path);
}

/** The root of a skill that is only thought of, in a library without roots. */
export function rootFor(skill: Skill): SkillRoot {
  return { name: 'given', dir: dirname(skill.dir), writable: false };
}

/** The first folder between root and skill: how people sort their skills. */
export function categoryOf({ dir }: Skill, root: SkillRoot): string {
  // What is found below a root has its folder as the beginning; `relative` takes many times as long to say the same.
  const below = dir.startsWith(root.dir + sep) ? dir.slice(root.dir.length + 1) : relative(root.dir, dir);
  const end = below.indexOf(sep);
  const first = end < 0 ? '' : below.slice(0, end);
  return first === '..' ? '' : first;
}
