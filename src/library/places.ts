import { dirname } from 'node:path';
import { KnackError } from '../errors.ts';
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

/** Throws `not-found` for a skill that no root has. */
export function rootOfSkill(rootAt: RootAt, { path }: Skill): SkillRoot {
  const root = rootAt(path);
  if (root === undefined) throw new KnackError('not-found', `${path} is not in this library`);
  return root;
}
