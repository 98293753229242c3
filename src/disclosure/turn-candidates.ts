import type { Library } from '../library/library.ts';
import { countTokens } from '../model/tokens.ts';
import { catalogEntry } from './entry.ts';
import { hashesOf, type SessionDisclosure } from './session-disclosure.ts';

export interface TurnBudget {
  /** Tokens beside one message. */
  readonly turnTokens: number;
  /** Tokens beside all messages of a session. */
  readonly sessionTokens: number;
}

export interface TurnCandidates {
  readonly text: string;
  /** The skills that it names. */
  readonly names: readonly string[];
}

const SEARCHED = 8;
const MOST_NEWS = 10;

/**
 * What the runtime puts beside a user's message: the skills that their words bring up and that this session has not
 * shown yet, and skills that were added or changed since the last message, each once. Undefined if there is nothing to
 * say or no budget left. Needs `loadTokenizer`.
 */
export function turnCandidates(
  library: Library,
  words: string,
  session: SessionDisclosure,
  budget: TurnBudget,
): TurnCandidates | undefined {
  const present = hashesOf(library);
  session.known ??= present;
  const known = session.known;
  const lines: string[] = [];
  const names: string[] = [];
  const take = (line: string, ...named: readonly string[]): boolean => {
    const room = Math.min(budget.turnTokens, budget.sessionTokens - session.tokens);
    if (countTokens(render([...lines, line])) > room) return false;
    lines.push(line);
    names.push(...named);
    return true;
  };
  const news = newsOf(library, known, present, session.loaded);
  // Many at once, as when a folder was added, are said in one line.
  if (news.length > MOST_NEWS) {
    if (take(`- ${news.length} skills are new, changed or gone; search_skills finds what is there now`))
      session.known = present;
  } else {
    // What finds no room stays unknown and is said beside a later message.
    for (const { name, line } of news) if (take(line, name)) learn(known, name, present.get(name));
  }
  const found = library.search(words, { limit: SEARCHED }).flatMap((hit) => library.find(hit.name) ?? []);
  for (const skill of found)
    if (!skill.userOnly && !session.shown.has(skill.name) && !names.includes(skill.name))
      take(catalogEntry(skill), skill.name);
  if (lines.length === 0) return undefined;
  for (const name of names) session.shown.add(name);
  const text = render(lines);
  session.tokens += countTokens(text);
  return { text, names };
}

function learn(known: Map<string, string>, name: string, hash: string | undefined): void {
  if (hash === undefined) known.delete(name);
  else known.set(name, hash);
}

function render(lines: readonly string[]): string {
  return `<skill_candidates source="knack, not the user">\n${lines.join('\n')}\nLoad one with load_skill if it fits the task; leave it if it does not.\n</skill_candidates>`;
}

/** Skills that came, changed or went since they were last announced, by name. Of nothing before the first message: the catalog has said it. */
function newsOf(
  library: Library,
  known: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
  loaded: ReadonlyMap<string, string>,
): { name: string; line: string }[] {
  const changed = [...present].filter(([name, hash]) => known.get(name) !== hash);
  const gone = [...known.keys()].filter((name) => !present.has(name));
  return [
    ...changed.flatMap(([name]) => {
      const skill = library.find(name);
      if (skill === undefined) return [];
      const what = !known.has(name) ? 'new' : loaded.has(name) ? 'changed, load it again' : 'changed';
      return [{ name, line: `${catalogEntry(skill)} (${what})` }];
    }),
    ...gone.map((name) => ({ name, line: `- ${name} is no longer there` })),
  ];
}
