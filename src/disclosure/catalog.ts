import { relative, sep } from 'node:path';
import type { Library } from '../library/library.ts';
import { countTokens } from '../model/tokens.ts';
import type { Skill } from '../skill/skill.ts';
import { catalogEntry, escapeMarkup } from './entry.ts';

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
}

const MOST_PREFERRED = 40;
const MOST_TOPICS = 60;

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
  if (total === 0) return { text: '', tokens: 0, shown: 0, total };
  const whole = skills.map(catalogEntry).join('\n');
  // A token is rarely more than ten characters: most large libraries need not be counted.
  if (whole.length <= options.catalogTokens * 10 && countTokens(whole) <= options.catalogTokens)
    return { text: whole, tokens: countTokens(whole), shown: total, total };
  const preferred = preferredFirst(skills, options);
  const isPreferred = new Set(preferred);
  const shortest = skills
    .filter((skill) => !isPreferred.has(skill))
    .sort((left, right) => lengthOf(left) - lengthOf(right));
  return (
    filled(skills, [...preferred, ...shortest], namesOf, options.catalogTokens) ??
    filled(skills, preferred, (rest) => mapOf(library, rest), options.catalogTokens) ??
    filled(skills, [], () => '', Number.POSITIVE_INFINITY) ?? { text: '', tokens: 0, shown: 0, total }
  );
}

/** As many of the wanted entries as fit, in their order, with something short about the rest; undefined if that alone is too long. */
function filled(
  skills: readonly Skill[],
  wanted: readonly Skill[],
  describeRest: (rest: readonly Skill[]) => string,
  budget: number,
): Catalog | undefined {
  const render = (entries: readonly Skill[]) => {
    const taken = new Set(entries);
    const rest = skills.filter((skill) => !taken.has(skill));
    return compose(entries, describeRest(rest), skills.length);
  };
  const bare = render([]);
  if (bare.length > budget * 10) return undefined;
  let spent = countTokens(bare);
  if (spent > budget) return undefined;
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
  return { text, tokens: countTokens(text), shown: entries.length, total: skills.length };
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
  return skills.length === 0 ? '' : `Others, by name: ${skills.map((skill) => skill.name).join(', ')}`;
}

/** Tags, else folders, else first words of names, with how many skills each has, the largest first. */
function mapOf(library: Library, skills: readonly Skill[]): string {
  const counts = new Map<string, number>();
  for (const skill of skills) {
    const topics =
      skill.tags.length > 0 ? skill.tags.map((tag) => tag.toLowerCase()) : [topicOf(library, skill)];
    for (const topic of new Set(topics)) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const listed = sorted.slice(0, MOST_TOPICS).map(([topic, count]) => `${escapeMarkup(topic)} (${count})`);
  const more = sorted.length - listed.length;
  return `Others, by topic: ${listed.join(', ')}${more > 0 ? ` and ${more} more topics` : ''}`;
}

function topicOf(library: Library, skill: Skill): string {
  const between = relative(library.rootOf(skill).dir, skill.dir).split(sep);
  const folder = between.length > 1 && between[0] !== '..' ? between[0] : undefined;
  return folder ?? skill.name.split('-')[0] ?? skill.name;
}

function lengthOf(skill: Skill): number {
  return skill.description.length + (skill.whenToUse?.length ?? 0);
}
