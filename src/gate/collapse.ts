import { fileText } from '../folder.ts';
import type { CheckContext, CheckFinding } from './check.ts';
import type { DraftOperation } from './draft.ts';
import { ruleLines, wordsOf } from './markdown.ts';
import { isProse } from './texts.ts';

/** A body may lose this share before evidence is wanted. */
const SHRINKAGE = 0.2;
/** Fewer characters are no body to speak of. */
const SLIGHT = 40;
/** A rule counts as kept if some line holds this share of its words. */
const KEPT = 0.6;

/**
 * Context collapse: the body shrank by more than a fifth, or rules (headings, list items, numbered steps) are gone
 * from the whole skill, and no operation with evidence took them out. A skill above the size limit may shrink as
 * long as its rules stay somewhere in it.
 */
export function collapseFindings(context: CheckContext): CheckFinding[] {
  const { skill, baseSkill, draft } = context;
  if (baseSkill === undefined || skill === undefined) return [];
  const argued = (draft?.operations ?? []).filter(
    (operation) => ['delete', 'replace'].includes(operation.op) && operation.evidence.length > 0,
  );
  const lost = lostRules(context, argued);
  const shrunk = shrinkage(baseSkill.body, skill.body, argued);
  const findings: CheckFinding[] = [];
  const trimsOversize = isOversize(baseSkill.body) && lost.length === 0;
  if (shrunk > SHRINKAGE && !trimsOversize) {
    findings.push(
      collapse(
        `the body shrinks by ${Math.round(shrunk * 100)} %${draft === undefined ? '' : ' beyond what operations with evidence take out'}; more than ${SHRINKAGE * 100} % needs evidence`,
      ),
    );
  }
  const fewer = ruleLines(skill.body).length < ruleLines(baseSkill.body).length;
  for (const rule of lost) {
    const message = `the rule ${JSON.stringify(rule.slice(0, 120))} is gone and nothing says why`;
    // A person may word a rule anew; that it is another one now is for the reader of the diff.
    findings.push({ ...collapse(message), severity: draft === undefined && !fewer ? 'warn' : 'refuse' });
  }
  return findings;
}

/** Whether a body is beyond the length that the format check allows; characters stand in for tokens here. */
function isOversize(body: string): boolean {
  return body.split('\n').length > 500 || body.length > 20_000;
}

function collapse(message: string): CheckFinding {
  return { rule: 'context-collapse', severity: 'refuse', message, file: 'SKILL.md' };
}

function lostRules({ baseSkill, candidate }: CheckContext, argued: readonly DraftOperation[]): string[] {
  const lines = [...candidate.keys()]
    .filter(isProse)
    .flatMap((file) => (fileText(candidate, file) ?? '').split('\n'))
    .map((line) => new Set(wordsOf(line)));
  return ruleLines(baseSkill?.body ?? '').filter((rule) => {
    const words = [...new Set(wordsOf(rule))];
    if (words.length === 0 || argued.some(({ anchor = '' }) => isPartOf(rule, anchor))) return false;
    return !lines.some((line) => words.filter((word) => line.has(word)).length >= words.length * KEPT);
  });
}

function isPartOf(rule: string, anchor: string): boolean {
  const [short, long] = [wordsOf(rule).join(' '), wordsOf(anchor).join(' ')];
  return long.includes(short) || (long.length >= 8 && short.includes(long));
}

/** The share of the base's body that is gone without an operation with evidence that takes it. */
function shrinkage(before: string, after: string, argued: readonly DraftOperation[]): number {
  const size = (text: string) => text.replace(/\s+/g, '').length;
  const explained = argued
    .filter(({ file }) => file === 'SKILL.md')
    .reduce((sum, { anchor = '', text = '' }) => sum + Math.max(0, size(anchor) - size(text)), 0);
  const gone = size(before) - size(after) - explained;
  return gone < SLIGHT ? 0 : gone / size(before);
}
