import type { Library } from '../library/library.ts';
import { countTokens } from '../model/tokens.ts';
import type { Skill } from '../skill/skill.ts';
import { catalogEntry } from './entry.ts';
import { describeTopics, topicsOf } from './topics.ts';

export interface CatalogOptions {
  /** Budget of the whole text. */
  readonly catalogTokens: number;
  /** Names that come first. */
  readonly pinned?: readonly string[];
  /** Names that come next, most used first. */
  readonly mostUsed?: readonly string[];
}

export interface Catalog {
  readonly text: string;
  readonly tokens: number;
  /** Skills with their whole descriptions, of all that the model may be told of. */
  readonly shown: number;
  readonly total: number;
  /** Names of those skills, in the order of the text. */
  readonly described: readonly string[];
}

const MOST_PREFERRED = 40;
/** How many topics the map names: as many of these as take half of the budget, so that the rest is for entries. */
const TOPICS = [120, 60, 30, 15, 7, 3];
/** Characters: a name beyond this would take the place of many. */
const LONGEST_NAME = 100;

/**
 * The Level-1 text of a library within a token budget: every entry in full; if that does not fit, all names, with full
 * entries of the pinned and most used skills and of as many others as there is room for; if that does not fit, a map of
 * what there is, with the pinned and most used ones. A last line says what was left out and how to find it. Entries are
 * whole or not there, and a long one takes no other's place. The same library gives the same bytes. Needs
 * `loadTokenizer`.
 */
export function buildCatalog(library: Library, options: CatalogOptions): Catalog {
  const skills = library.skills.filter((skill) => !skill.userOnly);
  const total = skills.length;
  if (total === 0) return { text: '', tokens: 0, shown: 0, total, described: [] };
  const whole = skills.map(catalogEntry).join('\n');
  // A token is rarely more than ten characters: most large libraries need not be counted.
  if (whole.length <= options.catalogTokens * 10 && countTokens(whole) <= options.catalogTokens)
    return {
      text: whole,
      tokens: countTokens(whole),
      shown: total,
      total,
      described: skills.map(({ name }) => name),
    };
  const preferred = preferredFirst(skills, options);
  const isPreferred = new Set(preferred);
  const shortest = skills
    .filter((skill) => !isPreferred.has(skill))
    .sort((left, right) => lengthOf(left) - lengthOf(right));
  const budget = options.catalogTokens;
  const withNames = filled(skills, [...preferred, ...shortest], namesOf, { budget, bare: budget });
  if (withNames !== undefined) return withNames;
  const topics = topicsOf(library, skills);
  for (const most of TOPICS) {
    const describe = (rest: readonly Skill[]) => describeTopics(topics, rest, most);
    const withMap = filled(skills, preferred, describe, { budget, bare: budget / 2 });
    if (withMap !== undefined) return withMap;
  }
  const nothing = () => '';
  return (
    filled(skills, preferred, nothing, { budget, bare: budget }) ??
    filled(skills, [], nothing, { budget: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY }) ?? {
      text: '',
      tokens: 0,
      shown: 0,
      total,
      described: [],
    }
  );
}

/**
 * As many of the wanted entries as fit the budget, in their order, with something short about the rest; undefined if
 * that alone takes more than `bare`.
 */
function filled(
  skills: readonly Skill[],
  wanted: readonly Skill[],
  describeRest: (rest: readonly Skill[]) => string,
  { budget, bare: mostBare }: { readonly budget: number; readonly bare: number },
): Catalog | undefined {
  const render = (entries: readonly Skill[]) => {
    const taken = new Set(entries);
    const rest = skills.filter((skill) => !taken.has(skill));
    return compose(entries, describeRest(rest), skills.length);
  };
  const bare = render([]);
  if (bare.length > mostBare * 10) return undefined;
  let spent = countTokens(bare);
  if (spent > mostBare) return undefined;
  const entries: Skill[] = [];
  for (const skill of wanted) {
    const tokens = countTokens(`${catalogEntry(skill)}\n`);
    if (spent + tokens > budget) continue;
    spent += tokens;
    entries.push(skill);
  }
  // What the entries take from the rest makes it shorter, so the sum was an upper bound but for the seams.
  let text = render(entries);
  while (countTokens(text) > budget && entries.pop() !== undefined) text = render(entries);
  return {
    text,
    tokens: countTokens(text),
    shown: entries.length,
    total: skills.length,
    described: entries.map(({ name }) => name),
  };
}

function preferredFirst(skills: readonly Skill[], { pinned = [], mostUsed = [] }: CatalogOptions): Skill[] {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const names = [...new Set([...pinned, ...mostUsed])];
  return names.flatMap((name) => byName.get(name) ?? []).slice(0, MOST_PREFERRED);
}

function compose(entries: readonly Skill[], rest: string, total: number): string {
  const left = total - entries.length;
  const note = `(${left} of ${total} skills are not described here. Find them with search_skills; what may fit a message is also put beside it.)`;
  return [entries.map(catalogEntry).join('\n'), rest, note].filter((part) => part !== '').join('\n');
}

function namesOf(skills: readonly Skill[]): string {
  const names = skills.map((skill) => skill.name).filter((name) => name.length <= LONGEST_NAME);
  const more = skills.length - names.length;
  const unnamed = more === 0 ? '' : `and ${more} with a very long name`;
  const parts = [names.join(', '), unnamed].filter((part) => part !== '');
  return parts.length === 0 ? '' : `Others, by name: ${parts.join(' ')}`;
}

function lengthOf(skill: Skill): number {
  return skill.description.length + (skill.whenToUse?.length ?? 0);
}
