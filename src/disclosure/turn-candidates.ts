import type { Library, SearchHit } from '../library/library.ts';
import { FITS } from '../library/search/ranking.ts';
import type { ToRepair } from '../library/use/trials.ts';
import { countTokens } from '../model/tokens.ts';
import type { Skill } from '../skill/skill.ts';
import { entryUnder, escapeMarkup, groupEntry, groupTwins, type TwinGroup } from './entry.ts';
import type { FileChange } from './file-changes.ts';
import { hashesOf, isLoadedAsIs, type SessionDisclosure } from './session-disclosure.ts';

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

interface News {
  readonly name: string;
  readonly line: string;
  /** For what is too long to stand beside any message. */
  readonly short: string;
}

/** Copies of one skill take a place each in a search, and none here. */
const SEARCHED = 40;
/**
 * Where something fits, these are shown as far as there is room, if they may fit; in the second half of a session's budget
 * only what does.
 */
const FIRST = 8;
/** Below this score a hit rather does not fit, whatever its place: search shows it, a message goes without. */
const LEAST_FIT = 0.3;
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
 * shown yet, by name alone where the catalog has them in full, and skills that were added or changed since the last
 * message, each once, with the files that changed of those that are loaded. Undefined if there is nothing to say or no budget left. Needs `loadTokenizer`.
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
  const texts = newsOf(library, known, present, session.loaded);
  const news = [...texts, ...fileNews(files, texts)];
  // Instructions that stand in the conversation and are out of date come before anything else.
  for (const each of news) if (session.loaded.has(each.name)) announce(each);
  const others = news.filter(({ name }) => !session.loaded.has(name));
  // Many at once, as when a folder was added, are said in one line.
  if (others.length > MOST_NEWS) {
    const line = `- ${others.length} skills are new, changed or gone; search_skills finds what is there now`;
    if (take(line, budget.turnTokens)) for (const { name } of others) learn(known, name, present.get(name));
  } else for (const each of others) announce(each);
  const room = Math.min(budget.turnTokens, left);
  const first = left > budget.sessionTokens / 2 ? FIRST : 0;
  const { fitting, likely } = groupHits(library, hits, { first, toRepair: budget.toRepair });
  const isOpen = ({ name }: Skill) => !session.shown.has(name) && !names.includes(name);
  const isDescribed = ({ name }: Skill) => session.described.has(name);
  const described = fitting.filter((skill) => isOpen(skill) && isDescribed(skill)).map(({ name }) => name);
  if (described.length > 0)
    take(`- in the list above, and may fit: ${described.join(', ')}`, room, ...described);
  for (const group of likely) {
    const { skill, twins } = group;
    if (isOpen(skill) && !isDescribed(skill) && take(groupEntry(group), room, skill.name))
      for (const { name } of twins) session.shown.add(name);
  }
  if (lines.length === 0) return undefined;
  for (const name of names) session.shown.add(name);
  const text = render(lines);
  session.tokens += countTokens(text);
  return { text, names };
}

/** The hits as skills, copies together, with what of the first may fit: nothing where nothing fits. Best first. */
function groupHits(
  library: Library,
  hits: TurnHits,
  { first, toRepair }: { readonly first: number; readonly toRepair: ToRepair | undefined },
): { readonly fitting: readonly Skill[]; readonly likely: readonly TwinGroup[] } {
  const hasFailed = (skill: Skill) => toRepair !== undefined && toRepair(skill).length > 0;
  const skillsOf = (found: readonly SearchHit[]) => {
    const skills = found.flatMap((hit) => library.find(hit.name) ?? []).filter((skill) => !skill.userOnly);
    return [...skills.filter((skill) => !hasFailed(skill)), ...skills.filter(hasFailed)];
  };
  const fitting = skillsOf(hits.fitting);
  if (fitting.length === 0) return { fitting, likely: [] };
  const fits = new Set(skillsOf(hits.fitting.filter(({ score }) => score >= FITS)));
  const mayFit = new Set(skillsOf(hits.all.filter(({ score }) => score >= LEAST_FIT)));
  const copies = library.skills.filter((skill) => !skill.userOnly);
  const likely = groupTwins(skillsOf(hits.all), copies).filter(
    ({ skill }, index) => fits.has(skill) || (index < first && mayFit.has(skill)),
  );
  return { fitting: fitting.slice(0, FIRST), likely };
}

/** Of a skill that is to be loaded again its files come with it. */
function fileNews(files: readonly FileChange[], texts: readonly News[]): News[] {
  const told = new Set(texts.map(({ name }) => name));
  return files.flatMap(({ name, paths }) => {
    if (told.has(name)) return [];
    const line = `- ${name}: files changed since it was loaded: ${escapeMarkup(paths)}`;
    return [{ name, line, short: `- ${name} (files changed)` }];
  });
}

function learn(known: Map<string, string>, name: string, hash: string | undefined): void {
  if (hash === undefined) known.delete(name);
  else known.set(name, hash);
}

function render(lines: readonly string[]): string {
  return `<skill_candidates source="knack, not the user">\n${lines.join('\n')}\nLoad one with load_skill if it fits the task; leave it if it does not.\n</skill_candidates>`;
}

/** Skills that came, changed or went since they were last announced. Of nothing before the first message: the catalog has said it. */
function newsOf(
  library: Library,
  known: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
  loaded: ReadonlyMap<string, string>,
): News[] {
  const changed = [...present].filter(([name, hash]) => known.get(name) !== hash);
  const gone = [...known.keys()].filter((name) => !present.has(name));
  return [
    ...changed.flatMap(([name]) => {
      const skill = library.find(name);
      if (skill === undefined) return [];
      const what = loaded.has(name) ? 'changed, load it again' : known.has(name) ? 'changed' : 'new';
      return [{ name, line: `${entryUnder(name, skill)} (${what})`, short: `- ${name} (${what})` }];
    }),
    ...gone.map((name) => {
      const line = `- ${name} is no longer there`;
      return { name, line, short: line };
    }),
  ];
}
