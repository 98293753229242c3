import { fileText } from '../files/folder.ts';
import type { CheckContext, CheckFinding } from './check.ts';
import { createComparer, type Statement, statementsOf } from './kept-rules.ts';
import { wordsOf } from './markdown.ts';
import { isProse } from './texts.ts';

/** Fewer words are too few to say that two statements mean the same. */
const FEWEST_WORDS = 5;
/** Of several that one draft writes, steps that differ in a word may well be meant. */
const ALIKE = { old: 0.75, own: 0.95 };

/**
 * What a draft adds to a skill that says it already, in these words or nearly so: else the same lesson of many sessions
 * lets a skill grow without end. A line that takes the place of the old one is no addition.
 */
export function saidAgainFindings({ draft, base, candidate }: CheckContext): CheckFinding[] {
  if (draft === undefined || base === undefined) return [];
  const known = new Set(statementsIn(base).map(({ text }) => text));
  const old: Statement[] = [];
  const added: { statement: Statement; file: string }[] = [];
  for (const file of [...candidate.keys()].filter(isProse))
    for (const statement of statementsOf(fileText(candidate, file) ?? '')) {
      // Rows of a table are alike by their nature.
      if (statement.text.startsWith('|') || wordsOf(statement.text).length < FEWEST_WORDS) continue;
      if (known.has(statement.text)) old.push(statement);
      else added.push({ statement, file });
    }
  const saysOld = createComparer(old, ALIKE.old);
  return added.flatMap(({ statement, file }, index) => {
    const earlier =
      saysOld(statement) ??
      createComparer(
        added.slice(0, index).map((each) => each.statement),
        ALIKE.own,
      )(statement);
    if (earlier === undefined) return [];
    return [
      {
        rule: 'said-already',
        severity: 'refuse' as const,
        message: `${shown(statement)} says what ${shown(earlier)} says already: leave it out, or replace that line`,
        file,
        line: statement.lines[0],
        subject: statement.text,
      },
    ];
  });
}

function statementsIn(folder: NonNullable<CheckContext['base']>): Statement[] {
  return [...folder.keys()].filter(isProse).flatMap((file) => statementsOf(fileText(folder, file) ?? ''));
}

function shown({ text }: Statement): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 97)}...` : text);
}
