import type { Library } from '../library/library.ts';
import type { ToRepair } from '../library/use/trials.ts';
import { countTokens } from '../model/tokens.ts';
import type { Skill } from '../skill/skill.ts';
import { catalogEntry, saysNameAlone } from './entry.ts';
import { byTurns, describeTopics, type Topics, topicsOf } from './topics.ts';

export interface CatalogOptions {
  /** Budget of the whole text. */
  readonly catalogTokens: number;
  /** Names, or aliases, of skills that come first. */
  readonly pinned?: readonly string[];
  /** Names that come next, most used first. */
  readonly mostUsed?: readonly string[];
  /** Skills that failed of late: they are named with the rest and not described, unless they are pinned. */
  readonly toRepair?: ToRepair;
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

/** Pinned and most used together; all that are pinned count. */
const MOST_PREFERRED = 40;
/** How many topics the map names: as many of these as take half of the budget, so that the rest is for entries. */
const TOPICS = [200, 160, 120, 60, 30, 15, 7, 3] as const;
/** An entry that takes more than this share of the budget waits until the others have their place. */
const LONG_SHARE = 0.1;
/** Characters that a token has at most, but for a rare one. */
const TOKEN_LENGTH = 10;
/** Characters a token of descriptions that are surely too much, though blanks do not count. */
const MOST_LENGTH = 40;
/** Characters of a usual token. */
const USUAL_TOKEN = 5;
/** Entries in a row that find no room, after which no more are tried. */
const MOST_MISSES = 40;
/** Characters: names beyond this come last, and are cut in the middle where together they take a share of the budget. */
const LONGEST_NAME = 100;
/** Characters at either end of a name that is cut. */
const NAME_END = 30;

/**
 * The Level-1 text of a library within a token budget: every entry in full; if that does not fit, all names, with full
 * entries of as many skills as there is room for; if that does not fit, a map of what there is in half of the budget, and
 * entries in the rest. A pinned skill is at least named. The pinned and most used skills come first, then the others in
 * the order of their roots, which begins with the writable one, and in a root by turns from its topics; copies of a skill,
 * long entries and those that only repeat their name after all, and those that are to be repaired not at all, also where there is room. A last line says what
 * was left out and how to find it. Entries are whole or not there. The same library gives the same bytes. Needs
 * `loadTokenizer`.
 */
export function buildCatalog(library: Library, options: CatalogOptions): Catalog {
  const skills = library.skills.filter((skill) => !skill.userOnly);
  const total = skills.length;
  if (total === 0) return { text: '', tokens: 0, shown: 0, total, described: [] };
  // Most large libraries need neither be written down nor counted.
  const hasFailed = failedIn(library, options);
  const isWhole = !skills.some(hasFailed);
  const isLarge =
    skills.reduce((sum, skill) => sum + lengthOf(skill), 0) > options.catalogTokens * MOST_LENGTH;
  const whole = isLarge || !isWhole ? '' : skills.map(catalogEntry).join('\n');
  if (
    isWhole &&
    !isLarge &&
    whole.length <= options.catalogTokens * TOKEN_LENGTH &&
    countTokens(whole) <= options.catalogTokens
  )
    return {
      text: whole,
      tokens: countTokens(whole),
      shown: total,
      total,
      described: skills.map(({ name }) => name),
    };
  const budget = options.catalogTokens;
  const topics = topicsOf(library, skills);
  const wanted = inOrder(library, skills, topics, options);
  const isPinned = new Set(found(library, options.pinned ?? []));
  const pinnedOf = (rest: readonly Skill[]) =>
    listed(
      'Pinned, by name',
      rest.filter((skill) => isPinned.has(skill)),
      budget,
    );
  const namesOf = (rest: readonly Skill[]) => listed('Others, by name', rest, budget);
  const withNames = filled(skills, wanted, namesOf, { budget, bare: budget });
  if (withNames !== undefined) return withNames;
  const mapOf = describeTopics(topics, skills, TOPICS[0]);
  for (const most of TOPICS) {
    const map = mapOf(most);
    const withPins = (rest: readonly Skill[]) => joined(pinnedOf(rest), map);
    const withMap = filled(skills, wanted, withPins, { budget, bare: budget / 2 });
    if (withMap !== undefined) return withMap;
  }
  const nothing = () => '';
  return (
    filled(skills, wanted, pinnedOf, { budget, bare: budget }) ??
    filled(skills, wanted, nothing, { budget, bare: budget }) ??
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
  if (bare.length > mostBare * TOKEN_LENGTH || countTokens(bare) > mostBare) return undefined;
  let text = bare;
  let entries: readonly Skill[] = [];
  for (;;) {
    // What the entries take from the rest makes it shorter: there may be room for more.
    const more = thatFit(wanted, new Set(entries), budget - countTokens(text));
    if (more.size === entries.length) break;
    const next = wanted.filter((skill) => more.has(skill));
    let nextText = render(next);
    // The seams between parts are tokens too, and the topics of the rest change.
    while (countTokens(nextText) > budget && next.pop() !== undefined) nextText = render(next);
    if (next.length <= entries.length) break;
    entries = next;
    text = nextText;
  }
  return {
    text,
    tokens: countTokens(text),
    shown: entries.length,
    total: skills.length,
    described: entries.map(({ name }) => name),
  };
}

/** These entries and as many more as there is room for, in their order. */
function thatFit(wanted: readonly Skill[], taken: ReadonlySet<Skill>, room: number): Set<Skill> {
  const all = new Set(taken);
  let left = room;
  let misses = 0;
  for (const skill of wanted) {
    if (misses === MOST_MISSES) break;
    if (all.has(skill)) continue;
    const line = `${catalogEntry(skill)}\n`;
    const tokens = line.length > left * TOKEN_LENGTH ? Number.POSITIVE_INFINITY : countTokens(line);
    if (tokens > left) misses += 1;
    else {
      misses = 0;
      left -= tokens;
      all.add(skill);
    }
  }
  return all;
}

/** All skills as they are to be described: a user finds what they chose and made themselves before what came along. */
function inOrder(
  library: Library,
  skills: readonly Skill[],
  topics: Topics,
  options: CatalogOptions,
): Skill[] {
  const { pinned = [], mostUsed = [], catalogTokens } = options;
  const hasFailed = failedIn(library, options);
  const told = skills.filter((skill) => !hasFailed(skill));
  const isTold = new Set(told);
  const pins = found(library, pinned).filter((skill) => isTold.has(skill));
  const used = found(library, mostUsed).filter((skill) => isTold.has(skill));
  const preferred = [...new Set([...pins, ...used])].slice(0, Math.max(MOST_PREFERRED, pins.length));
  const isPreferred = new Set(preferred);
  const byRoot = new Map(library.roots.map(({ dir }): [string, Skill[]] => [dir, []]));
  for (const skill of told) {
    if (isPreferred.has(skill)) continue;
    const { dir } = library.rootOf(skill);
    const known = byRoot.get(dir);
    if (known === undefined) byRoot.set(dir, [skill]);
    else known.push(skill);
  }
  const others = [...byRoot.values()].flatMap((each) => byTurns(topics, each));
  const known = new Set(preferred.map(({ description }) => description));
  const longest = LONG_SHARE * catalogTokens * USUAL_TOKEN;
  const last = others.filter((skill) => {
    const isCopy = known.has(skill.description);
    known.add(skill.description);
    return isCopy || lengthOf(skill) > longest || saysNameAlone(skill);
  });
  const isLast = new Set(last);
  return [...preferred, ...others.filter((skill) => !isLast.has(skill)), ...last];
}

/** The skills that these names and aliases stand for, each once. */
function found(library: Library, names: readonly string[]): Skill[] {
  return [...new Set(names.flatMap((name) => library.find(name) ?? []))];
}

/** A pin is a person's word, and holds. */
function failedIn(library: Library, { pinned = [], toRepair }: CatalogOptions): (skill: Skill) => boolean {
  const isPinned = new Set(found(library, pinned));
  return (skill) => toRepair !== undefined && !isPinned.has(skill) && toRepair(skill).length > 0;
}

function compose(entries: readonly Skill[], rest: string, total: number): string {
  const left = total - entries.length;
  const note = `(${left} of ${total} skills are not described here. Find them with search_skills; what may fit a message is also put beside it.)`;
  return joined(entries.map(catalogEntry).join('\n'), rest, note);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/** All these names, the long ones last. */
function listed(title: string, skills: readonly Skill[], budget: number): string {
  if (skills.length === 0) return '';
  const names = skills.map(({ name }) => name);
  const long = names.filter((name) => name.length > LONGEST_NAME);
  const isMuch = long.reduce((sum, name) => sum + name.length, 0) > LONG_SHARE * budget * USUAL_TOKEN;
  const short = names.filter((name) => name.length <= LONGEST_NAME);
  return `${title}: ${[...short, ...(isMuch ? long.map(cutName) : long)].join(', ')}`;
}

function cutName(name: string): string {
  const ends = [...name];
  return `${ends.slice(0, NAME_END).join('')}…${ends.slice(-NAME_END).join('')}`;
}

function lengthOf(skill: Skill): number {
  return skill.name.length + skill.description.length + (skill.whenToUse?.length ?? 0);
}
