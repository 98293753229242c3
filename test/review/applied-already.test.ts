import { describe, expect, test } from 'vitest';
import type { Draft, DraftOperation } from '../../src/gate/draft.ts';
import { isAppliedAlready } from '../../src/review/applied-already.ts';
import type { TranscriptEvent } from '../../src/transcript/event.ts';
import { commaSkill, createDraft, exportSkill, patchAbstract, patchDraft } from '../support/drafts.ts';
import { commaSession, openLab, quietSession } from '../support/review-lab.ts';
import { folderOf } from '../support/skills.ts';

const SKILL = `${exportSkill()}- Keep two decimals.\n`;
const SCRIPT = 'const sum = 0;\nif (sum > 0) {\n  print(sum);\n}\nelse {\n  warn();\n}\n';
const DESCRIPTION = /^description: "(.*)"$/m.exec(SKILL)?.[1];

function holds(operations: Partial<DraftOperation>[], decision: Draft['decision'] = 'patch'): boolean {
  const draft: Draft = {
    decision,
    lesson: '',
    skill: 'sales-exports',
    operations: operations.map((operation) => ({
      op: 'insert_after',
      skill: 'sales-exports',
      file: 'SKILL.md',
      evidence: [],
      ...operation,
    })),
    triggers: [],
  };
  return isAppliedAlready(draft, folderOf({ 'SKILL.md': SKILL, 'scripts/sum.mjs': SCRIPT }));
}

describe('a draft is applied already', () => {
  const kept = { text: '- Keep two decimals.' };
  const TABLE: [title: string, expected: boolean, operations: Partial<DraftOperation>[]][] = [
    ['when its line stands anywhere in the skill', true, [kept]],
    ['not when its line is the beginning of another', false, [{ text: '- Keep two' }]],
    ['not when one of its lines is new', false, [kept, { text: '- Round once.' }]],
    [
      'when its words have taken the place of the old',
      true,
      [{ op: 'replace', anchor: '- Keep decimals.', ...kept }],
    ],
    [
      'not when it would make a line shorter',
      false,
      [{ op: 'replace', anchor: '- Keep two decimals.', text: '- Keep two' }],
    ],
    ['not when something is still to be deleted', false, [kept, { op: 'delete', anchor: 'first lines' }]],
    ['when what it deletes is gone too', true, [kept, { op: 'delete', anchor: 'never there' }]],
    ['not when it only deletes', false, [{ op: 'delete', anchor: 'never there' }]],
    ['when the field is set so', true, [{ op: 'set', anchor: 'description', text: DESCRIPTION ?? '' }]],
    ['not when the field is set otherwise', false, [{ op: 'set', anchor: 'description', text: 'Adds up.' }]],
    ['when the file is there as it is', true, [{ op: 'write_file', file: 'scripts/sum.mjs', text: SCRIPT }]],
    ['not when the file is another', false, [{ op: 'write_file', file: 'scripts/sum.mjs', text: 'warn();' }]],
    [
      'not when a line of a program is wanted in a second place',
      false,
      [{ file: 'scripts/sum.mjs', anchor: 'else {', text: '  print(sum);' }],
    ],
  ];
  test.each(TABLE)('%s', (_, expected, operations) => expect(holds(operations)).toBe(expected));

  test('never when it merges: the other skill is still to go', () =>
    expect(holds([kept], 'merge')).toBe(false));
});

test('a copy of a session under another id teaches nothing twice', async () => {
  const lab = await openLab();
  await lab.learn('sales-exports', exportSkill());
  const steps = (session: string) => [
    { json: patchAbstract('sales-exports') },
    {
      json: patchDraft('sales-exports', {
        evidence: [{ session, event: 'e5', quote: 'always turn them into points before adding' }],
      }),
    },
  ];
  expect((await lab.review(steps('session-1'))).outcome.outcome).toBe('committed');
  const { outcome } = await lab.review(steps('copy'), { transcript: commaSession('copy') });
  expect(outcome).toMatchObject({ outcome: 'nothing', reasons: ['sales-exports says this already'] });
  expect((await lab.history.log('sales-exports')).length).toBe(2);
});

test('a session whose beginning was edited by hand is reviewed anew and teaches nothing twice', async () => {
  const lab = await openLab();
  await lab.learn('sales-exports', exportSkill());
  const steps = [{ json: patchAbstract('sales-exports') }, { json: patchDraft('sales-exports') }];
  expect((await lab.review(steps)).outcome.outcome).toBe('committed');
  const { events, ...rest } = commaSession();
  const [, ...later] = events;
  const first = { ...quietSession().events[0], text: 'Add up the amounts.' } as TranscriptEvent;
  const { outcome } = await lab.review(steps, { transcript: { ...rest, events: [first, ...later] } });
  expect(outcome).toMatchObject({ outcome: 'nothing', reasons: ['sales-exports says this already'] });
  expect(outcome.attempts).toEqual([]);
});

test('a new skill that stands there with the version that knack gave it is applied already', () => {
  const { operations, ...draft } = createDraft() as unknown as Draft;
  const present = folderOf({ 'SKILL.md': commaSkill(undefined, '1.0.0') });
  expect(isAppliedAlready({ ...draft, operations }, present)).toBe(true);
  const other = folderOf({ 'SKILL.md': commaSkill(['- Another rule.'], '1.0.0') });
  expect(isAppliedAlready({ ...draft, operations }, other)).toBe(false);
});

test('of two waiting changes that say the same one is committed, and the other says what to do', async () => {
  const lab = await openLab({ settings: { autonomy: 'propose' } });
  await lab.learn('sales-exports', exportSkill());
  const steps = [{ json: patchAbstract('sales-exports') }, { json: patchDraft('sales-exports') }];
  const first = (await lab.review(steps)).outcome.pending ?? '';
  const second = (await lab.review(steps, { options: { again: true } })).outcome.pending ?? '';
  expect(await lab.pending.approve(first)).toMatchObject({ kind: 'committed', version: '1.0.1' });
  expect(await lab.pending.approve(second)).toEqual({
    kind: 'refused',
    skill: 'sales-exports',
    reasons: [`sales-exports says this already; \`knack skills reject ${second}\` drops the change`],
  });
});
