import type { Library, SearchHit } from '../library/library.ts';
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

interface News {
  readonly name: string;
  readonly line: string;
  /** For what is too long to stand beside any message. */
  readonly short: string;
}

const MOST_NEWS = 10;
/** Hits that are looked at for one message. */
export const CANDIDATE_HITS = 8;

/**
 * What the runtime puts beside a user's message: the skills that their words bring up and that this session has not
 * shown yet, by name alone where the catalog has them in full, and skills that were added or changed since the last
 * message, each once. Undefined if there is nothing to say or no budget left. Needs `loadTokenizer`. `hits` are those of
 * the words, best first.
 */
export function turnCandidates(
  library: Library,
  words: string,
  session: SessionDisclosure,
  budget: TurnBudget,
  hits: readonly SearchHit[] = library.search(words, { limit: CANDIDATE_HITS }),
): TurnCandidates | undefined {
  const present = hashesOf(library);
  session.known ??= present;
  const known = session.known;
  // What was loaded since as it is now is no news.
  for (const [name, hash] of session.loaded) if (present.get(name) === hash) known.set(name, hash);
  const lines: string[] = [];
  const names: string[] = [];
  const take = (line: string, ...named: readonly string[]): boolean => {
    const room = Math.min(budget.turnTokens, budget.sessionTokens - session.tokens);
    if (countTokens(render([...lines, line])) > room) return false;
    lines.push(line);
    names.push(...named);
    return true;
  };
  const announce = ({ name, line, short }: News) => {
    const text = countTokens(render([line])) > budget.turnTokens ? short : line;
    // What finds no room stays unknown and is said beside a later message.
    if (take(text, name)) learn(known, name, present.get(name));
  };
  const news = newsOf(library, known, present, session.loaded);
  // Instructions that stand in the conversation and are out of date come before anything else.
  for (const each of news) if (session.loaded.has(each.name)) announce(each);
  const others = news.filter(({ name }) => !session.loaded.has(name));
  // Many at once, as when a folder was added, are said in one line.
  if (others.length > MOST_NEWS) {
    if (take(`- ${others.length} skills are new, changed or gone; search_skills finds what is there now`))
      for (const { name } of others) learn(known, name, present.get(name));
  } else for (const each of others) announce(each);
  const found = hits
    .flatMap((hit) => library.find(hit.name) ?? [])
    .filter(({ name, userOnly }) => !userOnly && !session.shown.has(name) && !names.includes(name));
  const described = found.filter(({ name }) => session.described.has(name)).map(({ name }) => name);
  if (described.length > 0) take(`- in the list above, and may fit: ${described.join(', ')}`, ...described);
  for (const skill of found) if (!session.described.has(skill.name)) take(catalogEntry(skill), skill.name);
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
      const what = !known.has(name) ? 'new' : loaded.has(name) ? 'changed, load it again' : 'changed';
      return [{ name, line: `${catalogEntry(skill)} (${what})`, short: `- ${name} (${what})` }];
    }),
    ...gone.map((name) => {
      const line = `- ${name} is no longer there`;
      return { name, line, short: line };
    }),
  ];
}
