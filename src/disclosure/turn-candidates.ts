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
  const news = newsOf(library, session);
  const found = library.search(words, { limit: SEARCHED }).map((hit) => hit.name);
  const fitting = found
    .flatMap((name) => library.find(name) ?? [])
    .filter((skill) => !skill.userOnly && !session.shown.has(skill.name));
  const lines: string[] = [];
  const names: string[] = [];
  const take = (name: string, line: string) => {
    const room = Math.min(budget.turnTokens, budget.sessionTokens - session.tokens);
    if (countTokens(render([...lines, line])) > room) return;
    lines.push(line);
    names.push(name);
  };
  for (const { name, line } of news) take(name, line);
  for (const skill of fitting) if (!names.includes(skill.name)) take(skill.name, catalogEntry(skill));
  if (lines.length === 0) return undefined;
  for (const name of names) session.shown.add(name);
  const text = render(lines);
  session.tokens += countTokens(text);
  return { text, names };
}

function render(lines: readonly string[]): string {
  return `<skill_candidates source="knack, not the user">\n${lines.join('\n')}\nLoad one with load_skill if it fits the task; leave it if it does not.\n</skill_candidates>`;
}

/** Skills that came, changed or went since the last message. Nothing before the first: the catalog has said it. */
function newsOf(library: Library, session: SessionDisclosure): { name: string; line: string }[] {
  const before = session.known;
  const present = hashesOf(library);
  session.known = present;
  if (before === undefined) return [];
  const changed = [...present].filter(([name, hash]) => before.get(name) !== hash);
  const gone = [...before.keys()].filter((name) => !present.has(name));
  return [
    ...changed.flatMap(([name]) => {
      const skill = library.find(name);
      if (skill === undefined) return [];
      const what = before.has(name)
        ? session.loaded.has(name)
          ? 'changed, load it again'
          : 'changed'
        : 'new';
      return [{ name, line: `${catalogEntry(skill)} (${what})` }];
    }),
    ...gone.map((name) => ({ name, line: `- ${name} is no longer there` })),
  ];
}
