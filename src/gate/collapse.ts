import { fileText } from '../folder.ts';
import type { CheckContext, CheckFinding } from './check.ts';
import type { DraftOperation } from './draft.ts';
import { createKeeper, type Statement, statementsOf } from './kept-rules.ts';
import { wordsOf } from './markdown.ts';
import { isProse } from './texts.ts';

/** A body may lose this share before evidence is wanted. */
const SHRINKAGE = 0.2;
/** Fewer characters are no body to speak of. */
const SLIGHT = 40;

/**
 * Context collapse: the body shrank by more than a fifth, or rules (headings, list items, numbered steps) or paragraphs
 * are gone from the whole skill or say something else now, and no operation with evidence changed them. A skill above
 * the size limit may shrink as long as its rules stay somewhere in it.
 */
export function collapseFindings(context: CheckContext): CheckFinding[] {
  const { skill, base, baseSkill, candidate, draft } = context;
  if (base === undefined || baseSkill === undefined || skill === undefined) return [];
  const argued = (draft?.operations ?? []).filter(
    ({ op, file, evidence }) =>
      file === 'SKILL.md' && ['delete', 'replace'].includes(op) && evidence.length > 0,
  );
  const before = fileText(base, 'SKILL.md') ?? '';
  const after = fileText(candidate, 'SKILL.md') ?? '';
  const oversize = isOversize(baseSkill.body);
  const isKept = createKeeper(
    [...candidate.keys()].filter(isProse).map((file) => fileText(candidate, file) ?? ''),
  );
  const isArgued = createArgument(before, argued);
  const lost = statementsOf(before).filter(
    (statement) => (statement.kind === 'rule' || !oversize) && !isArgued(statement) && !isKept(statement),
  );
  const shrunk = shrinkage(baseSkill.body, skill.body, argued);
  const findings: CheckFinding[] = [];
  const trimsOversize = oversize && lost.length === 0;
  if (shrunk > SHRINKAGE && !trimsOversize) {
    findings.push(
      collapse(
        `the body shrinks by ${Math.round(shrunk * 100)} %${draft === undefined ? '' : ' beyond what operations with evidence take out'}; more than ${SHRINKAGE * 100} % needs evidence`,
      ),
    );
  }
  for (const { kind, text } of lost) {
    const message = `the ${kind} ${JSON.stringify(text.slice(0, 120))} is gone and nothing says why${draft === undefined ? '' : ': keep it, or take it out by an operation of its own with its evidence'}`;
    const fewer = countOf(after, kind) < countOf(before, kind);
    // A person may word a rule anew; that it is another one now is for the reader of the diff.
    findings.push({ ...collapse(message), severity: draft === undefined && !fewer ? 'warn' : 'refuse' });
  }
  return findings;
}

function countOf(text: string, kind: Statement['kind']): number {
  return statementsOf(text).filter((statement) => statement.kind === kind).length;
}

/** Whether a body is beyond the length that the format check allows; characters stand in for tokens here. */
function isOversize(body: string): boolean {
  return body.split('\n').length > 500 || body.length > 20_000;
}

function collapse(message: string): CheckFinding {
  return { rule: 'context-collapse', severity: 'refuse', message, file: 'SKILL.md' };
}

/**
 * Tells which statements of the base an operation with evidence argues for: those that it touches, by place, or by words
 * where it stands in none. A replacement of several at once argues only for those that its quotes speak of.
 */
function createArgument(
  before: string,
  argued: readonly DraftOperation[],
): (statement: Statement) => boolean {
  const statements = statementsOf(before);
  const places = touchedPlaces(before, argued);
  const isArgued = argued.map((operation, index) => {
    const touches = places[index] ?? (() => false);
    const isOnly = operation.op === 'delete' || statements.filter(touches).length <= 1;
    const quoted = new Set(operation.evidence.flatMap(({ quote }) => wordsOf(quote)));
    return (statement: Statement) => touches(statement) && (isOnly || isSpokenOf(statement, quoted));
  });
  return (statement) => isArgued.some((argues) => argues(statement));
}

/** Whether a quote holds at least this share of a statement's words that carry meaning. */
const SPOKEN_OF = 0.5;

function isSpokenOf({ text }: Statement, quoted: ReadonlySet<string>): boolean {
  const words = [...new Set(wordsOf(text))].filter((word) => word.length > 3 || /[^\p{ASCII}]/u.test(word));
  return words.length > 0 && words.filter((word) => quoted.has(word)).length >= words.length * SPOKEN_OF;
}

function touchedPlaces(
  before: string,
  argued: readonly DraftOperation[],
): ((statement: Statement) => boolean)[] {
  return argued.map(({ anchor = '' }) => {
    const at = anchor === '' ? -1 : before.indexOf(anchor);
    if (at < 0) return (statement: Statement) => isPartOf(statement.text, anchor);
    const trimmed = anchor.trim() === '' ? anchor : anchor.trimEnd();
    const first = lineAt(before, at + (anchor.length - anchor.trimStart().length));
    const last = lineAt(before, at + trimmed.length - 1);
    return ({ lines }: Statement) => lines[0] <= last && lines[1] >= first;
  });
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function isPartOf(rule: string, anchor: string): boolean {
  const [short, long] = [wordsOf(rule).join(' '), wordsOf(anchor).join(' ')];
  return long.includes(short) || (long.length >= 8 && short.includes(long));
}

/** The share of the base's body that is gone without an operation with evidence that takes it. */
function shrinkage(before: string, after: string, argued: readonly DraftOperation[]): number {
  const size = (text: string) => text.replace(/\s+/g, '').length;
  const explained = argued.reduce(
    (sum, { anchor = '', text = '' }) => sum + Math.max(0, size(anchor) - size(text)),
    0,
  );
  const gone = size(before) - size(after) - explained;
  return gone < SLIGHT ? 0 : gone / size(before);
}
