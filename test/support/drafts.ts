import type { Abstract } from '../../src/review/abstract.ts';
import { CORRECTION } from './review-lab.ts';

const QUOTE = CORRECTION;

/** What a reviewer decides about the session with the decimal commas. */
export function abstractOf(more: Partial<Abstract> = {}): Abstract {
  return {
    task_class: 'adding up amounts of a European CSV export',
    difference: 'the user pointed out the decimal commas; converted first, the sum came out right',
    particular: 'the file and its sums',
    decision: 'create',
    reason: 'no skill covers it',
    skill: 'decimal-comma-amounts',
    title: 'convert decimal commas before adding',
    lesson:
      'Amounts with decimal commas have to be turned into points before adding, because tools cut them at the comma without an error.',
    wanted_when: 'when amounts of an export are added up',
    not_wanted_when: '',
    evidence: [{ event: 'e5', quote: QUOTE }],
    ...more,
  };
}

export const NOTHING: Abstract = abstractOf({
  decision: 'nothing',
  reason: 'any able reader knows that',
  skill: '',
  title: '',
  lesson: '',
  wanted_when: '',
  not_wanted_when: '',
  evidence: [],
});

const DESCRIPTION =
  'Adds up, averages and compares amounts in CSV exports that write decimals with a comma. Use when summing amounts of a semicolon-separated export. Turn decimal commas into points before adding.';

export const RULE =
  '- Turn decimal commas into points before adding: most tools read the part before the comma and drop the rest without an error.';

/** The text of the skill that the session teaches. */
export function commaSkill(rules: readonly string[] = [RULE], version?: string): string {
  const metadata = version === undefined ? '' : `metadata:\n  version: "${version}"\n`;
  return `---\nname: decimal-comma-amounts\ndescription: "${DESCRIPTION}"\n${metadata}---\n\n# Amounts with decimal commas\n\n${rules.join('\n')}\n`;
}

/** The draft of a new skill. */
export function createDraft(more: Record<string, unknown> = {}, operation: Record<string, unknown> = {}) {
  return {
    decision: 'create',
    skill: 'decimal-comma-amounts',
    lesson: abstractOf().lesson,
    change: 'minor',
    operations: [
      {
        op: 'write_file',
        skill: 'decimal-comma-amounts',
        file: 'SKILL.md',
        text: commaSkill(),
        claim: 'preference',
        evidence: [{ session: 'session-1', event: 'e5', quote: QUOTE }],
        ...operation,
      },
    ],
    triggers: [
      { query: 'sum the amounts in this semicolon-separated export', should_trigger: true },
      { query: 'the decimals have a comma and the total is too small', should_trigger: true },
      { query: 'translate this letter into French', should_trigger: false },
    ],
    ...more,
  };
}

export const PATCH_RULE = '- Check the sum against one amount worked out by hand.';

/** The draft of a line added to a skill. */
export function patchDraft(skill: string, operation: Record<string, unknown> = {}) {
  return {
    decision: 'patch',
    skill,
    lesson: abstractOf().lesson,
    change: 'patch',
    operations: [
      {
        op: 'insert_after',
        skill,
        file: 'SKILL.md',
        anchor: '- Look at the first lines of the export.',
        text: RULE,
        claim: 'preference',
        evidence: [{ session: 'session-1', event: 'e5', quote: QUOTE }],
        ...operation,
      },
    ],
    triggers: [],
  };
}

/** A skill that is near to the session's subject and lacks its lesson. */
export function exportSkill(name = 'sales-exports', version = '1.0.0'): string {
  return `---\nname: ${name}\ndescription: "Reads sales exports in CSV and adds up their amounts. Use when working on an export of sales. Look at the file before computing."\nmetadata:\n  version: "${version}"\n---\n\n# Sales exports\n\n- Look at the first lines of the export.\n- Name the column that was added up.\n`;
}

export const patchAbstract = (skill: string): Abstract => abstractOf({ decision: 'patch', skill });

/** What the judge says of a change that it lets through, or refuses for the reason given. */
export function verdictOf(
  refusal?: string,
  {
    against = 'worth',
    quote = QUOTE,
  }: { readonly against?: 'worth' | 'harmful'; readonly quote?: string } = {},
): readonly [questions: unknown, defect: unknown] {
  const wanted = {
    follows: 'yes',
    differs: 'no',
    shown: 'yes',
    undone: 'no',
    general: 'yes',
    harmful: 'no',
    contradicts: 'no',
    understood: 'yes',
    worth: 'yes',
  };
  const answers = Object.entries(wanted).map(([id, answer]) => ({
    id,
    reason: id === against && refusal !== undefined ? refusal : 'as the quote shows',
    answer: id === against && refusal !== undefined ? (answer === 'yes' ? 'no' : 'yes') : answer,
    quote: answer === 'yes' || id === against ? quote : '',
  }));
  return [{ answers }, { defect: '', quote: '', severity: 'none', better: 'new' }];
}
