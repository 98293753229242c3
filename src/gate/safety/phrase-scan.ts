import type { CheckFinding, Severity } from '../check.ts';
import { type MarkdownLine, markdownLines, withoutQuoted } from '../markdown.ts';
import { foldText } from './fold-text.ts';

/** One shape of wording or command that a skill must not carry. */
export interface PhraseRule {
  readonly rule: string;
  readonly severity: Severity;
  /** Global and case-insensitive; matched on folded text (see `foldText`), one linear pass, bounded repeats. */
  readonly pattern: RegExp;
  /** What it is, after `says "…": `. */
  readonly message: string;
  /** How far before the match a negation turns it into advice against: the sentence, or the words right before. */
  readonly negation: 'sentence' | 'adjacent';
  /** A last look at what matched. */
  readonly accepts?: (match: string, line: string) => boolean;
}

const ADJACENT =
  /(?:\b(?:do not|don't|never|must not|should not|shall not|cannot|can't|won't|refuse to|refuses to|avoid|nie|niemals|nunca|jamais)|不要|切勿|禁止|絶対に|しないで)\s*["'“`]*(?:[\p{L}]+ )?["'“`]*$/iu;
const SENTENCE =
  /\b(?:do not|don't|never|must not|should not|shall not|cannot|can't|avoid|refuse|reject|forbid|forbidden|instead of|rather than|not allowed|disallow|nicht|nie|niemals|kein|keine|nunca|jamais|ne pas)\b|不要|切勿|禁止|しない/iu;
const DOUBLE_NEGATION = /\b(?:hesitate|forget|fail|worry|be afraid|bother|skip|delay)\b/i;
const TEACHING =
  /injection|attack|malicious|hostile|adversar|untrusted|phish|jailbreak|suspicious|exploit|payload|red[- ]team|prompt template|chat template|tokeni[sz]er|\bas data\b|(?:never|not) (?:obey|follow|execute|act on|trust)|angriff|ataque|attaque|攻击|攻撃|注入/i;
const WARNING =
  /\b(?:bad|wrong|dangerous|insecure|unsafe|vulnerable|avoid|never|don't|do not|anti-?pattern|forbidden|risky)\b|[❌✗✘⛔🚫]/iu;

/** Every place where a rule's shape stands in a text, with the severity that its surroundings leave. */
export function scanPhrases(file: string, text: string, rules: readonly PhraseRule[]): CheckFinding[] {
  const folded = foldText(text);
  const lines = markdownLines(text);
  const isMarkdown = /\.(?:md|markdown|mdx|txt)$/i.test(file);
  return rules.flatMap((rule) =>
    [...folded.text.matchAll(rule.pattern)].flatMap((match) => {
      const start = folded.originOf(match.index);
      const index = lineIndexAt(text, start);
      const line = lines[index];
      if (line === undefined || rule.accepts?.(match[0], line.text) === false) return [];
      const column = start - (text.lastIndexOf('\n', start - 1) + 1);
      const excuse = excuseFor(rule, { lines, index, column, isMarkdown });
      const shown = match[0].length > 100 ? `${match[0].slice(0, 97)}...` : match[0];
      return [
        {
          rule: rule.rule,
          severity: excuse === undefined ? rule.severity : 'note',
          message: `says ${JSON.stringify(shown.trim())}: ${rule.message}${excuse === undefined ? '' : ` (let through: ${excuse})`}`,
          file,
          line: line.number,
          subject: match[0].trim().toLowerCase(),
        } satisfies CheckFinding,
      ];
    }),
  );
}

interface Place {
  readonly lines: readonly MarkdownLine[];
  readonly index: number;
  readonly column: number;
  readonly isMarkdown: boolean;
}

/** Why a match may stand: it is advice against the thing, or a quotation in a text that teaches about it. */
function excuseFor(rule: PhraseRule, { lines, index, column, isMarkdown }: Place): string | undefined {
  const line = lines[index];
  if (line === undefined) return undefined;
  const before = line.text.slice(0, column);
  const sentence = before.slice(
    Math.max(before.lastIndexOf('. '), before.lastIndexOf('! '), before.lastIndexOf('? ')) + 1,
  );
  const negated = rule.negation === 'adjacent' ? ADJACENT.test(sentence) : SENTENCE.test(sentence);
  if (negated && !DOUBLE_NEGATION.test(sentence)) return 'it is advice against it';
  if (!isMarkdown) return undefined;
  const inline =
    withoutQuoted(line.text).charAt(column).trim() === '' && line.text.charAt(column).trim() !== '';
  if (!line.code && !inline && !/^\s*>/.test(line.text)) return undefined;
  const above = lines
    .slice(Math.max(0, startOfBlock(lines, index) - 3), index + 1)
    .filter((near) => near.text.trim() !== '');
  const surroundings = [
    line.section,
    ...above.filter((near) => near.code === line.code || !near.code).map(({ text }) => text),
  ];
  const around = withoutMatch(surroundings, line).join('\n');
  if (TEACHING.test(around)) return 'it is quoted in a text about such attacks';
  if (rule.negation === 'sentence' && WARNING.test(around)) return 'it is shown as a thing to avoid';
  return undefined;
}

/** The line itself teaches only by what stands outside of its quotation. */
function withoutMatch(texts: readonly string[], line: MarkdownLine): string[] {
  return texts.map((text) => {
    if (text !== line.text) return text;
    return line.code ? '' : withoutQuoted(text);
  });
}

function startOfBlock(lines: readonly MarkdownLine[], index: number): number {
  let start = index;
  while (start > 0 && lines[start]?.code && lines[start - 1]?.code) start -= 1;
  return start;
}

function lineIndexAt(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
