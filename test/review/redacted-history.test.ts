import { expect, test } from 'vitest';
import type { Transcript } from '../../src/transcript/event.ts';
import { abstractOf, createDraft } from '../support/drafts.ts';
import { CORRECTION, commaSession, openLab } from '../support/review-lab.ts';

// Put together at run time, so that no scanner takes this file for a leak.
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const MAIL = 'anna.berg@shop-north.de';

test.each([
  ['title', { title: `mail ${MAIL}` }, 'scope/email'],
  ['title', { title: `use ${TOKEN}` }, 'safety/secret'],
])('a %s that tells too much goes back with the reason', async (_, told, rule) => {
  const lab = await openLab();
  const { outcome, requests } = await lab.review([
    { json: abstractOf(told) },
    { json: createDraft() },
    { json: abstractOf() },
    { json: createDraft() },
  ]);
  expect([outcome.outcome, outcome.reasons]).toEqual(['committed', ['convert decimal commas before adding']]);
  expect(JSON.stringify(requests[2])).toContain(rule);
});

test('what a quote holds of a person does not reach the history', async () => {
  const lab = await openLab();
  const quote = `${CORRECTION} Or write to ${MAIL}.`;
  const session = commaSession();
  const transcript: Transcript = {
    ...session,
    events: session.events.map((event) =>
      'text' in event && event.text === CORRECTION ? { ...event, text: quote } : event,
    ),
  };
  const draft = createDraft();
  const told = {
    ...draft,
    operations: draft.operations.map((operation) => ({
      ...operation,
      evidence: operation.evidence.map((evidence) => ({ ...evidence, quote })),
    })),
  };
  const { outcome } = await lab.review([{ json: abstractOf() }, { json: told }], { transcript });
  expect(outcome.outcome).toBe('committed');
  expect(lab.git('log', '-p')).not.toContain(MAIL);
  expect((await lab.history.log('decimal-comma-amounts'))[0]?.operations[0]?.evidence[0]?.quote).toBe(
    `${CORRECTION} Or write to [REDACTED:email:1].`,
  );
});
