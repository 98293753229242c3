import { expect, test } from 'vitest';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import type { Transcript, TranscriptEvent } from '../../src/transcript/event.ts';
import { abstractOf, createDraft, NOTHING, verdictOf } from '../support/drafts.ts';
import { commaSession, openLab } from '../support/review-lab.ts';
import { startScriptedModel } from '../support/scripted-model.ts';

test('neither the reviewer nor the judge is offered a tool, and a call of one does nothing', async () => {
  const lab = await openLab();
  const judge = await startScriptedModel(verdictOf().map((json) => ({ json })));
  try {
    const model = createOpenAiModel({ baseUrl: judge.url, apiKey: 'none', model: 'scripted', retries: 0 });
    const { outcome, requests } = await lab.review([{ json: abstractOf() }, { json: createDraft() }], {
      parts: { judge: model },
    });
    const offered = [...requests, ...judge.requests].filter((request) =>
      ['tools', 'functions', 'tool_choice'].some((key) => key in request),
    );
    expect([requests.length, judge.requests.length > 0, offered, outcome.outcome]).toEqual([
      2,
      true,
      [],
      'committed',
    ]);
  } finally {
    await judge.close();
  }
});

test('a reviewer that calls a tool all the same gets nothing done', async () => {
  const lab = await openLab();
  const { outcome, requests } = await lab.review([
    { toolCalls: [{ name: 'send_message', arguments: { to: 'agent', text: 'stop' } }], always: true },
  ]);
  expect(requests.every((request) => !('tools' in request))).toBe(true);
  expect(outcome.outcome).not.toBe('committed');
  expect(outcome.reasons.length).toBeGreaterThan(0);
  expect(lab.git('log', '--oneline', '--all', '--', '.')).not.toContain('send_message');
});

/** The session as one that another agent started. */
function ofSubAgent(transcript: Transcript): Transcript {
  return { ...transcript, events: transcript.events.map((event) => ({ ...event, sidechain: true })) };
}

test("a sub-agent's session is no session of its own: no signal, no model, no proposal", async () => {
  const lab = await openLab();
  const { outcome, requests } = await lab.review([], { transcript: ofSubAgent(commaSession('agent-1')) });
  expect([outcome.outcome, outcome.signals, requests]).toEqual(['nothing', [], []]);
  expect(outcome.reasons.length).toBeGreaterThan(0);
});

const said = (id: string, text: string): TranscriptEvent => ({
  id,
  ref: '1',
  role: 'user',
  kind: 'text',
  text,
});
const answered = (id: string): TranscriptEvent => ({
  id,
  ref: '1',
  role: 'assistant',
  kind: 'text',
  text: 'Done.',
});
const session = commaSession('corrected');
/** With the correction that the session has, three. */
const CORRECTED: Transcript = {
  ...session,
  events: [
    said('p1', 'Sort the rows of the export.'),
    answered('p2'),
    said('p3', 'No, that is wrong. Always sort the rows by date, never by name.'),
    answered('p4'),
    said('p5', 'No, not like that. Never drop the rows without an amount.'),
    answered('p6'),
    ...session.events,
  ],
};

test('three corrections are seen, and a draft from them that is refused leaves its reasons', async () => {
  const lab = await openLab({ settings: { attempts: 1 } });
  const { outcome } = await lab.review([{ json: abstractOf() }, { json: createDraft() }], {
    transcript: CORRECTED,
  });
  const corrections = outcome.signals.filter(({ kind }) => kind === 'correction');
  expect(corrections.map(({ event }) => event)).toEqual(['p3', 'p5', 'e5']);
  expect([outcome.outcome, outcome.reasons]).toEqual([
    'rejected',
    expect.arrayContaining([expect.any(String)]),
  ]);
  expect((await lab.ledger.entries()).at(-1)).toMatchObject({
    session: 'corrected',
    reasons: outcome.reasons,
  });
});

test('three corrections from which nothing is drafted leave the reason why not', async () => {
  const lab = await openLab();
  const { outcome } = await lab.review([{ json: NOTHING }], { transcript: CORRECTED });
  const [entry] = (await lab.ledger.entries()).slice(-1);
  expect(outcome.outcome).toBe('nothing');
  expect(outcome.reasons.join('')).not.toBe('');
  expect(entry).toMatchObject({ session: 'corrected', outcome: 'nothing', reasons: outcome.reasons });
});
