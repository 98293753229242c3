import { type Folder, fileText } from '../files/folder.ts';
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
    ({ op, file, skill: of, evidence }) =>
      file === 'SKILL.md' &&
      (draft?.decision !== 'merge' || of !== draft.retires) &&
      ['delete', 'replace'].includes(op) &&
      evidence.length > 0,
  );
  const before = fileText(base, 'SKILL.md') ?? '';
  const after = fileText(candidate, 'SKILL.md') ?? '';
  const oversize = isOversize(baseSkill.body);
  const isKept = createKeeper(
    [...candidate.keys()].filter(isProse).map((file) => fileText(candidate, file) ?? ''),
  );
  const isArgued = createArgument(before, argued);
  const gone = statementsOf(before).filter(
    (statement) => (statement.kind === 'rule' || !oversize) && !isKept(statement),
  );
  const lost = gone.filter((statement) => !isArgued(statement));
  const shrunk =
    lost.length === 0 && movedOut(base, candidate) ? 0 : shrinkage(baseSkill.body, skill.body, argued);
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
  return [...findings, ...unspokenFindings(before, gone, argued)];
}

/**
 * Rules that operations take away whose quotes say nothing of them. Any quote would let any rule go, one session after
 * the other; whether this one means it is for a person. A rule that another takes the place of is no loss.
 */
function unspokenFindings(
  before: string,
  gone: readonly Statement[],
  argued: readonly DraftOperation[],
): CheckFinding[] {
  return argued.flatMap((operation) => {
    const isTouched = createArgument(before, [operation]);
    const anchor = wordsOf(operation.anchor ?? '').join(' ');
    const taken = gone.filter(
      (statement) =>
        statement.kind === 'rule' &&
        isTouched(statement) &&
        anchor.includes(wordsOf(statement.text).join(' ')),
    );
    const given = operation.op === 'delete' ? [] : statementsOf(operation.text ?? '');
    if (given.length >= taken.length) return [];
    const quotes = operation.evidence.map(({ quote }) => tellingWords(quote));
    return taken
      .filter(({ text }) => !quotes.some((words) => speaksOf(words, tellingWords(text))))
      .map(({ text }) => ({
        rule: 'unspoken-removal',
        severity: 'ask' as const,
        message: `the rule ${JSON.stringify(text.slice(0, 120))} goes, and no quote of the operation that takes it says anything of it`,
        file: 'SKILL.md',
        subject: text,
      }));
  });
}

/** Two words that tell, or the only one that there is. */
function speaksOf(quote: ReadonlySet<string>, rule: ReadonlySet<string>): boolean {
  const shared = [...rule].filter((word) => quote.has(word)).length;
  return shared >= Math.min(2, rule.size);
}

/** Words of four letters and more, without their endings; each character of a script without blanks. */
function tellingWords(text: string): Set<string> {
  return new Set(
    wordsOf(text)
      .filter((word) => word.length >= 4 || /[^\p{Script=Latin}\p{N}_]/u.test(word))
      .map((word) => word.slice(0, 6)),
  );
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

/** Whether the other prose files of the skill grew by as much as its body shrank: nothing is gone then. */
function movedOut(base: Folder, candidate: Folder): boolean {
  const sizes = [base, candidate].map((folder) =>
    [...folder.keys()].filter(isProse).reduce((sum, file) => sum + sizeOf(fileText(folder, file) ?? ''), 0),
  );
  return (sizes[1] ?? 0) >= (sizes[0] ?? 0) * (1 - SHRINKAGE / 4);
}

function sizeOf(text: string): number {
  return text.replace(/\s+/g, '').length;
}

/** The share of the base's body that is gone without an operation with evidence that takes it. */
function shrinkage(before: string, after: string, argued: readonly DraftOperation[]): number {
  const explained = argued.reduce(
    (sum, { anchor = '', text = '' }) => sum + Math.max(0, sizeOf(anchor) - sizeOf(text)),
    0,
  );
  const gone = sizeOf(before) - sizeOf(after) - explained;
  return gone < SLIGHT ? 0 : gone / sizeOf(before);
}
