import { normaliseName } from '../skill/name.ts';
import type { Skill } from '../skill/skill.ts';

/** A name that several skills claim, of which one has it as an alias at least. */
export interface ClaimedName {
  readonly name: string;
  /** Whose own name it is; undefined where all have it as an alias. */
  readonly owner: Skill | undefined;
  /** Those that have it as an alias, in the order given. */
  readonly others: readonly Skill[];
}

/** The names that more than one of these skills claims, sorted. Two skills of one name are none: one shadows the other. */
export function claimedNames(skills: readonly Skill[]): ClaimedName[] {
  const owners = new Map<string, Skill>();
  for (const skill of skills) if (!owners.has(skill.name)) owners.set(skill.name, skill);
  const claims = new Map<string, Skill[]>();
  for (const skill of owners.values())
    for (const name of new Set(skill.aliases.map(normaliseName))) {
      if (name === '' || name === skill.name) continue;
      const known = claims.get(name);
      if (known === undefined) claims.set(name, [skill]);
      else known.push(skill);
    }
  return [...claims]
    .map(([name, others]) => ({ name, owner: owners.get(name), others }))
    .filter(({ owner, others }) => owner !== undefined || others.length > 1)
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Says in a line who claims it and whom it stands for, of many a few; `winner` is the one that the library finds. */
export function describeClaim({ name, owner, others }: ClaimedName, winner?: Skill): string {
  const aliases = fewOf(namesOf(others), 'and');
  if (owner !== undefined)
    return `${name} is a skill, and an alias of ${aliases} too: it stands for the skill; take the alias out of ${aliases}`;
  const found = winner ?? others[0];
  const rest = fewOf(namesOf(others.filter((skill) => skill !== found)), 'and');
  return `${name} is an alias of ${aliases}: it stands for ${found?.name}; take it out of ${rest}, or out of ${found?.name} if another is meant`;
}

const MOST_NAMED = 3;

/** `a and b and c and 797 more`: each of many skills has such a line. */
export function fewOf(names: readonly string[], word: 'and' | 'or'): string {
  const more = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(` ${word} `);
}

function namesOf(skills: readonly Skill[]): string[] {
  return skills.map(({ name }) => name);
}
