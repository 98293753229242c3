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

/**
 * The Level-1 text of a library within a token budget: every entry in full; if that does not fit, full entries of the
 * pinned and most used skills and all names; if that does not fit, those entries and a map of what there is. A line
 * says what was left out and how to find it. Entries are whole or not there. The same library gives the same bytes.
 * Needs `loadTokenizer`.
 */
export function buildCatalog(library: Library, options: CatalogOptions): Catalog {
  const skills = library.skills.filter((skill) => !skill.userOnly);
  const total = skills.length;
  if (total === 0) return { text: '', tokens: 0, shown: 0, total };
  const whole = skills.map(catalogEntry).join('\n');
  const fits = (text: string) => countTokens(text) <= options.catalogTokens;
  if (fits(whole)) return { text: whole, tokens: countTokens(whole), shown: total, total };
  const preferred = preferredFirst(skills, options);
  const others = (entries: readonly Skill[]) => skills.filter((skill) => !entries.includes(skill));
  for (const rest of [namesOf, mapOf]) {
    const room = (count: number) => {
      const entries = preferred.slice(0, count);
      return compose(entries, rest(library, others(entries)), total);
    };
    if (!fits(room(0))) continue;
    // The most entries that still fit; an entry that is too long is left out, not those behind it.
    const entries: Skill[] = [];
    for (const skill of preferred) {
      if (fits(compose([...entries, skill], rest(library, others([...entries, skill])), total)))
        entries.push(skill);
      if (entries.length >= MOST_PREFERRED) break;
    }
    const text = compose(entries, rest(library, others(entries)), total);
    return { text, tokens: countTokens(text), shown: entries.length, total };
  }
  const text = compose([], '', total);
  return { text, tokens: countTokens(text), shown: 0, total };
}

const MOST_PREFERRED = 40;
const MOST_CATEGORIES = 60;

function preferredFirst(skills: readonly Skill[], { pinned = [], mostUsed = [] }: CatalogOptions): Skill[] {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return [...new Set([...pinned, ...mostUsed])].flatMap((name) => byName.get(name) ?? []);
}

function compose(entries: readonly Skill[], rest: string, total: number): string {
  const left = total - entries.length;
  const note = `(${left} of ${total} skills are not described here. Find them with search_skills; what may fit a message is also put beside it.)`;
  return [entries.map(catalogEntry).join('\n'), rest, note].filter((part) => part !== '').join('\n');
}

function namesOf(_: Library, skills: readonly Skill[]): string {
  return `Others, by name: ${skills.map((skill) => skill.name).join(', ')}`;
}

/** Tags, else folders, with how many skills each has, the largest first. */
function mapOf(library: Library, skills: readonly Skill[]): string {
  const counts = new Map<string, number>();
  for (const skill of skills) {
    const keys =
      skill.tags.length > 0 ? skill.tags.map((tag) => tag.toLowerCase()) : [categoryOf(library, skill)];
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const listed = sorted.slice(0, MOST_CATEGORIES).map(([key, count]) => `${escapeMarkup(key)} (${count})`);
  return `Others, by topic: ${listed.join(', ')}${sorted.length > listed.length ? ` and ${sorted.length - listed.length} more topics` : ''}`;
}

function categoryOf(library: Library, skill: Skill): string {
  const below = skill.dir.slice(library.rootOf(skill).dir.length + 1).split('/');
  return below.length > 1 ? String(below[0]) : (skill.name.split('-')[0] ?? skill.name);
}
