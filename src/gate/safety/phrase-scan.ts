import { allMatches } from '../../text/matches.ts';
import type { Severity } from '../check.ts';
import type { MarkdownLine } from '../markdown.ts';
import { teachingExcuse } from './combination-excuse.ts';
import { excuseFor } from './excuse.ts';
import type { Found } from './found.ts';
import type { ReadText } from './read-text.ts';
import type { Reading } from './reading.ts';

/** One shape of wording or command that a skill must not carry. */
export interface PhraseRule {
  readonly rule: string;
  readonly severity: Severity;
  /** Global and case-insensitive; matched on folded text (see `foldText`), one linear pass, bounded repeats. */
  readonly pattern: RegExp;
  /** What it is, after `says "…": `. */
  readonly message: string;
  /** How far before the match a negation turns it into advice against: the clause, or the words right before. */
  readonly negation: 'sentence' | 'adjacent';
  /** A last look at what matched, at its line and at the text behind it, line ends and all. */
  readonly accepts?: (match: string, line: string, after: string) => boolean;
}

const LOOKED_AT = 120;

/** Every place where a rule's shape stands in a text, with the severity that its surroundings leave. */
export function scanPhrases(
  file: string,
  { text, folded, lines }: ReadText,
  reading: Reading,
  rules: readonly PhraseRule[],
): Found[] {
  const isMarkdown = /\.(?:md|markdown|mdx|txt)$/i.test(file);
  const seen = new Set<string>();
  return rules.flatMap((rule) =>
    allMatches(folded.text, rule.pattern).flatMap((match) => {
      const start = folded.originOf(match.index);
      const index = lines.indexAt(start);
      const line = lines.lines[index];
      const end = folded.originOf(match.index + match[0].length);
      const after = text.slice(end, end + LOOKED_AT);
      if (line === undefined || rule.accepts?.(match[0], line.text, after) === false) return [];
      // Two shapes of one rule may fit the same words.
      const key = `${rule.rule} ${rule.severity} ${start}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const column = start - lines.startOf(index);
      const excuse =
        excuseFor(rule.negation, { lines: lines.lines, index, ...windowOf(line, column), isMarkdown }) ??
        (rule.negation === 'adjacent'
          ? teachingExcuse(reading, { start: match.index, end: match.index + match[0].length })
          : undefined);
      const shown = match[0].length > 100 ? `${match[0].slice(0, 97)}...` : match[0];
      return [
        {
          start: match.index,
          end: match.index + match[0].length,
          finding: {
            rule: rule.rule,
            severity: excuse === undefined ? rule.severity : 'note',
            message: `says ${JSON.stringify(shown.trim())}: ${rule.message}${excuse === undefined ? '' : ` (let through: ${excuse})`}`,
            file,
            line: line.number,
            subject: match[0].trim().toLowerCase(),
          },
        } satisfies Found,
      ];
    }),
  );
}

/** As much of a line as is looked at on either side of a match. */
const NEAR = 2000;

/** A line about a column, so that many matches in one long line take no longer each. */
function windowOf(line: MarkdownLine, column: number): { line: MarkdownLine; column: number } {
  if (line.text.length <= 2 * NEAR) return { line, column };
  const from = Math.max(0, column - NEAR);
  return { line: { ...line, text: line.text.slice(from, column + NEAR) }, column: column - from };
}
