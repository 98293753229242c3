import type { Library, SearchHit } from '../library/library.ts';
import { FITS } from '../library/search/ranking.ts';
import type { ToRepair } from '../library/use/trials.ts';
import { countTokens } from '../model/tokens.ts';
import type { Skill } from '../skill/skill.ts';
import { groupEntry, groupTwins, type TwinGroup } from './entry.ts';
import type { FileChange } from './file-changes.ts';
import { hashesOf, isLoadedAsIs, type SessionDisclosure } from './session-disclosure.ts';
import { type News, turnNews } from './turn-news.ts';

export interface TurnBudget {
  /** Tokens beside one message. */
  readonly turnTokens: number;
  /** Tokens beside all messages of a session; news go on beyond it. */
  readonly sessionTokens: number;
  /** Skills that failed of late stand behind all others. */
  readonly toRepair?: ToRepair;
}

export interface TurnCandidates {
  readonly text: string;
  /** The skills that it names. */
  readonly names: readonly string[];
}

/** Copies of one skill take a place each in a search, and none here. */
const SEARCHED = 40;
/**
 * Where something fits that was not shown, these are shown as far as there is room, if they may fit; in the second half of
 * a session's budget only what does.
 */
const FIRST = 8;
/** Below this score a hit rather does not fit, whatever its place: search shows it, a message goes without. */
const LEAST_FIT = 0.3;
/** Of a session's budget, what is kept for names where there is no more room for descriptions. */
const FOR_NAMES = 1 / 3;
/** Of what is left for descriptions, what one message may take, and the tokens that it may in any case. */
const SHARE = 0.2;
const LEAST_SHARE = 200;
const MOST_NAMES = 3;
/** A skill is named again that fits so much better than when it was shown. */
const BETTER = 1.5;
const MOST_AGAIN = 3;
const MOST_NEWS = 10;

/** What a search for the user's words brings up. */
export interface TurnHits {
  readonly fitting: readonly SearchHit[];
  /** Also those that are not sure to fit; looked at where anything fits. */
  readonly all: readonly SearchHit[];
}

/** Searches for the user's words, as often as it takes. */
export async function findTurnHits(
  search: (options: { limit: number; all: boolean }) => Promise<readonly SearchHit[]>,
): Promise<TurnHits> {
  const fitting = await search({ limit: SEARCHED, all: false });
  return { fitting, all: fitting.length === 0 ? [] : await search({ limit: SEARCHED, all: true }) };
}

/**
 * What the runtime puts beside a user's message: the skills that their words bring up and that this session has not
 * shown yet, by name alone where the catalog has them in full or the session has no room left for descriptions, those
 * that were shown and fit far better now, and skills that were added or changed since the last message, each once, with the
 * files that changed of those that are loaded. Where the session's budget ends a last line says so. Undefined if there is
 * nothing to say. Needs `loadTokenizer`.
 */
export function turnCandidates(
  library: Library,
  session: SessionDisclosure,
  budget: TurnBudget,
  { files = [], ...hits }: TurnHits & { readonly files?: readonly FileChange[] },
): TurnCandidates | undefined {
  const present = hashesOf(library, session.loaded.keys());
  session.known ??= new Map(present);
  const known = session.known;
  // What was loaded since as it is now is no news.
  for (const name of session.loaded.keys()) {
    const [skill, hash] = [library.find(name), present.get(name)];
    if (skill !== undefined && hash !== undefined && isLoadedAsIs(session, name, skill))
      known.set(name, hash);
  }
  const lines: string[] = [];
  const names: string[] = [];
  const left = budget.sessionTokens - session.tokens;
  const take = (line: string, room: number, ...named: readonly string[]): boolean => {
    if (countTokens(render([...lines, line])) > room) return false;
    lines.push(line);
    names.push(...named);
    return true;
  };
  // News are told however much the session has spent, by name where that is all: what is out of date misleads.
  const announce = ({ name, line, short }: News) => {
    const text = countTokens(render([line])) > Math.min(budget.turnTokens, left) ? short : line;
    // What finds no room stays unknown and is said beside a later message.
    if (!take(text, budget.turnTokens, name)) return;
    learn(known, name, present.get(name));
    const stamps = files.find((each) => each.name === name)?.stamps;
    if (stamps !== undefined) session.files.set(name, stamps);
  };
  const news = turnNews(library, { known, present, loaded: session.loaded, files });
  // Instructions that stand in the conversation and are out of date come before anything else.
  for (const each of news) if (session.loaded.has(each.name)) announce(each);
  const others = news.filter(({ name }) => !session.loaded.has(name));
  // Many at once, as when a folder was added, are said in one line.
  if (others.length > MOST_NEWS) {
    const line = `- ${others.length} skills are new, changed or gone; search_skills finds what is there now`;
    if (take(line, budget.turnTokens)) for (const { name } of others) learn(known, name, present.get(name));
  } else for (const each of others) announce(each);
  const first = left > budget.sessionTokens / 2 ? FIRST : 0;
  const grouped = groupHits(library, hits, { first, toRepair: budget.toRepair });
  const { fitting, likely, scores } = grouped;
  const isOpen = ({ name }: Skill) => !session.shown.has(name) && !names.includes(name);
  const isDescribed = ({ name }: Skill) => session.described.has(name);
  // Room for the last word is kept; behind it there is none.
  const room = session.isCut ? 0 : Math.min(budget.turnTokens, left - countTokens(render([CUT])));
  // What may fit tells nothing beside what was told before.
  const isWorth = likely.some(({ skill, fits }) => fits && isOpen(skill));
  const again = shownBefore(session, grouped, names);
  if (again.length > 0) take(`- shown above, and fits: ${again.join(', ')}`, room, ...again);
  const described = fitting.filter((skill) => isOpen(skill) && isDescribed(skill)).map(({ name }) => name);
  if (described.length > 0)
    take(`- in the list above, and may fit: ${described.join(', ')}`, room, ...described);
  const open = likely.filter(({ skill }) => isOpen(skill) && !isDescribed(skill));
  const forAll = left - FOR_NAMES * budget.sessionTokens;
  const forDescriptions = Math.min(room, Math.min(forAll, Math.max(SHARE * forAll, LEAST_SHARE)));
  const unsaid: string[] = [];
  for (const { fits, ...group } of open) {
    if (!fits && !isWorth) continue;
    const { name } = group.skill;
    if (take(groupEntry(group), forDescriptions, name))
      for (const twin of group.twins) session.shown.add(twin.name);
    else if (fits) unsaid.push(name);
  }
  if (forDescriptions < budget.turnTokens && unsaid.length > 0) {
    const few = unsaid.slice(0, MOST_NAMES);
    if (take(`${session.runsOut ? FIT : BY_NAME}: ${few.join(', ')}`, room, ...few)) session.runsOut = true;
    else if (!session.isCut) session.isCut = take(CUT, left);
  }
  if (lines.length === 0) return undefined;
  for (const name of names) {
    session.shown.add(name);
    session.fits.set(name, scores.get(name) ?? Number.POSITIVE_INFINITY);
  }
  const text = render(lines);
  session.tokens += countTokens(text);
  return { text, names };
}

/** No skill has such a name. */
const FIT = '- by name, fit';
const BY_NAME =
  '- fit, by name alone, as the room for descriptions in this session runs out (search_skills describes them)';
const CUT =
  '- from here on nothing more is put beside messages, as the room for it in this session is used up: find skills with search_skills';

interface LikelyGroup extends TwinGroup {
  /** By itself; else it may. */
  readonly fits: boolean;
}

interface GroupedHits {
  readonly fitting: readonly Skill[];
  readonly likely: readonly LikelyGroup[];
  readonly scores: ReadonlyMap<string, number>;
}

/** The hits as skills, copies together, with what of the first may fit: nothing where nothing fits. Best first. */
function groupHits(
  library: Library,
  hits: TurnHits,
  { first, toRepair }: { readonly first: number; readonly toRepair: ToRepair | undefined },
): GroupedHits {
  const hasFailed = (skill: Skill) => toRepair !== undefined && toRepair(skill).length > 0;
  const skillsOf = (found: readonly SearchHit[]) => {
    const skills = found.flatMap((hit) => library.find(hit.name) ?? []).filter((skill) => !skill.userOnly);
    return [...skills.filter((skill) => !hasFailed(skill)), ...skills.filter(hasFailed)];
  };
  const scores = new Map([...hits.all, ...hits.fitting].map(({ name, score }) => [name, score]));
  const fitting = skillsOf(hits.fitting);
  if (fitting.length === 0) return { fitting, likely: [], scores };
  const fits = new Set(skillsOf(hits.fitting.filter(({ score }) => score >= FITS)));
  const mayFit = new Set(skillsOf(hits.all.filter(({ score }) => score >= LEAST_FIT)));
  const copies = library.skills.filter((skill) => !skill.userOnly);
  const likely = groupTwins(skillsOf(hits.all), copies)
    .filter(({ skill }, index) => fits.has(skill) || (index < first && mayFit.has(skill)))
    .map((group) => ({ ...group, fits: fits.has(group.skill) }));
  return { fitting: fitting.slice(0, FIRST), likely, scores };
}

/** The names of those that stood beside an earlier message when they fitted far less, and are not loaded. */
function shownBefore(
  { fits, loaded }: SessionDisclosure,
  { likely, scores }: GroupedHits,
  named: readonly string[],
): string[] {
  return likely
    .flatMap(({ skill, twins, fits: isFit }) => {
      const then = [skill, ...twins].find(({ name }) => fits.has(name))?.name;
      if (!isFit || then === undefined || named.includes(then) || loaded.has(then)) return [];
      return (scores.get(skill.name) ?? 0) >= BETTER * (fits.get(then) ?? 0) ? [then] : [];
    })
    .slice(0, MOST_AGAIN);
}

function learn(known: Map<string, string>, name: string, hash: string | undefined): void {
  if (hash === undefined) known.delete(name);
  else known.set(name, hash);
}

function render(lines: readonly string[]): string {
  const isPlain = lines.length === 1 && lines[0]?.startsWith(FIT) === true;
  const advice = isPlain ? '' : 'Load one with load_skill if it fits the task; leave it if it does not.\n';
  return `<skill_candidates source="knack, not the user">\n${lines.join('\n')}\n${advice}</skill_candidates>`;
}
