import { describe, expect, test } from 'vitest';
import type { Draft } from '../../src/gate/draft.ts';
import { keptTriggers, withKeptTriggers } from '../../src/review/kept-triggers.ts';
import { abstractOf, createDraft, RULE } from '../support/drafts.ts';
import { CORRECTION, openLab } from '../support/review-lab.ts';

const draftOf = (decision: Draft['decision'], skill: string, ...queries: [string, boolean][]): Draft => ({
  decision,
  skill,
  lesson: '',
  operations: [],
  triggers: queries.map(([query, should_trigger]) => ({ query, should_trigger })),
});

describe('the queries of refused drafts', () => {
  test.each([
    ['a new skill under another name', draftOf('create', 'other'), ['a', 'b']],
    ['a new skill under the same name', draftOf('create', 'amounts'), ['a', 'b']],
    ['a patch of the skill that a new one was offered as', draftOf('patch', 'amounts'), ['a', 'b']],
    ['a patch of another skill', draftOf('patch', 'other'), []],
  ])('%s', (_, draft, expected) => {
    const refused = [draftOf('create', 'amounts', ['a', true], ['b', false])];
    expect(keptTriggers(refused, draft).map(({ query }) => query)).toEqual(expected);
  });

  test('come before the new ones, each once, as they were meant first', () => {
    const refused = [
      draftOf('create', 'amounts', ['a', false]),
      draftOf('create', 'sums', ['a', true], ['b', true]),
    ];
    expect(withKeptTriggers(draftOf('create', 'totals', ['b', false], ['c', true]), refused).triggers).toEqual([
      { query: 'a', should_trigger: false },
      { query: 'b', should_trigger: true },
      { query: 'c', should_trigger: true },
    ]);
  });
});

test('a draft that swaps a query it failed for an easier one is refused for the first one again', async () => {
  const lab = await openLab();
  const near = { query: 'turn the decimal commas of amounts into points in French', should_trigger: false };
  const far = { query: 'translate this letter into French', should_trigger: false };
  const { outcome, requests } = await lab.review([
    { json: abstractOf() },
    { json: createDraft({ triggers: [near] }) },
    { json: abstractOf({ skill: 'comma-amounts' }) },
    {
      json: {
        ...JSON.parse(JSON.stringify(createDraft()).replaceAll('decimal-comma-amounts', 'comma-amounts')),
        triggers: [far],
      },
    },
    { json: { ...abstractOf(), decision: 'nothing', reason: 'it cannot be told apart' } },
  ]);
  expect(outcome.attempts.map(({ gate }) => gate.findings.map(({ rule }) => rule))).toEqual([
    ['found-wrongly'],
    ['found-wrongly'],
  ]);
  expect(outcome.attempts[1]?.draft.triggers).toEqual([near, far]);
  const format = String(requests[3]?.messages[1]?.content);
  expect(format).toContain(near.query);
  expect(format).toMatch(/<<refused [0-9a-f]{16}\n\{\n "skill": "decimal-comma-amounts",/);
  expect(format).toContain('- retrieval/found-wrongly');
});

test('a new skill in one operation a rule is blamed line by line', async () => {
  const lab = await openLab();
  const [write] = createDraft().operations;
  const heading = '# Amounts with decimal commas';
  const rule = '- Say which column was added up.';
  const { outcome } = await lab.review([
    { json: abstractOf() },
    {
      json: createDraft({
        operations: [
          { ...write, text: write?.text.replace(`\n${RULE}\n`, '') },
          { ...write, op: 'insert_after', text: `\n${RULE}`, anchor: heading },
          {
            ...write,
            op: 'insert_after',
            text: rule,
            anchor: RULE,
            evidence: [{ session: 'session-1', event: 'e1', quote: 'Please add up the amounts' }],
          },
        ],
      }),
    },
  ]);
  expect(outcome).toMatchObject({ outcome: 'committed' });
  const lines = await lab.history.blame('decimal-comma-amounts');
  const quoteOf = (text: string) => lines.find((line) => line.text === text)?.quote;
  expect([quoteOf(heading), quoteOf(RULE), quoteOf(rule)]).toEqual([
    CORRECTION,
    CORRECTION,
    'Please add up the amounts',
  ]);
});
