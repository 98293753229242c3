import { normaliseName } from '../../skill/name.ts';
import type { Skill } from '../../skill/skill.ts';
import type { Library } from '../library.ts';

/**
 * The names that uses of a skill were recorded under: its own first, then the former ones that lead to it now; an
 * alias that another skill of the library answers to is none of them.
 */
export function recordedNames(skill: Skill, library: Pick<Library, 'find'>): readonly [string, ...string[]] {
  const names = new Set([skill.name]);
  for (const other of [skill.label ?? '', ...skill.aliases])
    if (library.find(other) === skill) names.add(normaliseName(other));
  const [, ...former] = names;
  return [skill.name, ...former];
}

/** As `recordedNames`, of what a name leads to; of no skill the name alone. */
export function recordedNamesOf(
  name: string,
  library: Pick<Library, 'find'>,
): readonly [string, ...string[]] {
  const skill = library.find(name);
  return skill === undefined ? [name] : recordedNames(skill, library);
}

/** Whether the same queries are recorded under the same names. */
export function isSameRecorded(
  left: ReadonlyMap<string, readonly string[]>,
  right: ReadonlyMap<string, readonly string[]>,
): boolean {
  for (const [name, queries] of left) if (right.get(name)?.join('\n') !== queries.join('\n')) return false;
  return left.size === right.size;
}
