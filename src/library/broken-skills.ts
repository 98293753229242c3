import { basename, dirname } from 'node:path';
import { normaliseName } from '../skill/name.ts';
import type { Library } from './library.ts';

/** A skill that is on disk and cannot be read, by the name of its folder. */
export interface BrokenSkill {
  readonly name: string;
  /** A sentence with the reason and the remedy. */
  readonly message: string;
}

/** Those of a library that no other root has a sound one for, in the order of its entries. */
export function brokenSkills(library: Library): BrokenSkill[] {
  return library.entries.flatMap((entry) => {
    if (entry.state !== 'refused') return [];
    const name = normaliseName(basename(dirname(entry.path)));
    if (name === '' || library.find(name) !== undefined) return [];
    const why = entry.problems.map((problem) => problem.message).join('; ');
    const message = `${name} is there and not used: ${why}; see \`knack skills validate ${entry.path}\``;
    return [{ name, message }];
  });
}
