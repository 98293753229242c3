import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Transcript, TranscriptEvent } from '../../src/transcript/event.ts';
import { freshKnack, type Knack, onTerminal } from '../support/command-line.ts';
import { abstractOf, createDraft, NOTHING, verdictOf } from '../support/drafts.ts';
import { commaSession, logSession } from '../support/review-lab.ts';
import { type Step, startScriptedModel } from '../support/scripted-model.ts';

let knack: Knack;
let workspace = '';
beforeEach(async () => {
  ({ knack, workspace } = await freshKnack('reviews'));
  await knack(['init']);
});

const said = (id: string, role: 'user' | 'assistant', text: string): TranscriptEvent => ({
  id,
  ref: '1',
  role,
  kind: 'text',
  text,
});
/** With the correction that the session has, three. */
function corrected(): Transcript {
  const { events, ...session } = commaSession();
  return {
    ...session,
    events: [
      said('p1', 'user', 'Sort the rows of the export.'),
      said('p2', 'assistant', 'Done.'),
      said('p3', 'user', 'No, that is wrong. Always sort the rows by date, never by name.'),
      said('p4', 'assistant', 'Done.'),
      said('p5', 'user', 'No, not like that. Never drop the rows without an amount.'),
      said('p6', 'assistant', 'Done.'),
      ...events,
    ],
  };
}

const SILENT = { ...NOTHING, reason: '' };
const UNPROVED = createDraft(
  {},
  { evidence: [{ session: 'session-1', event: 'e5', quote: 'use points instead' }] },
);
const [QUESTIONS, DEFECT] = verdictOf();
const REFUSED = {
  type: 'review-end',
  id: 'r1',
  at: new Date().toISOString(),
  session: 'other',
  events: 1,
  prefix: 'x',
  outcome: 'rejected',
  reasons: ['the gate refused it'],
  tokens: { reviewer: 10, judge: 0, total: 10 },
};
type Settings = Readonly<Record<string, unknown>>;

test.each<[title: string, steps: Step[], settings: Settings, outcome: string, reason: RegExp]>([
  [
    'is proposed and committed',
    [{ json: abstractOf() }, { json: createDraft() }, { json: QUESTIONS }, { json: DEFECT }],
    {},
    'committed',
    /convert decimal commas/,
  ],
  [
    'is proposed and waits',
    [{ json: abstractOf() }, { json: createDraft() }, { json: QUESTIONS }, { json: DEFECT }],
    { autonomy: 'propose' },
    'staged',
    /review\.autonomy is "propose"/,
  ],
  ['is nothing, and says why', [{ json: NOTHING }], {}, 'nothing', /any able reader knows that/],
  [
    'is nothing, and says why when asked',
    [{ json: SILENT }, { json: NOTHING }],
    {},
    'nothing',
    /any able reader knows that/,
  ],
  [
    'is nothing without a reason, also when asked',
    [{ json: SILENT }, { json: SILENT }],
    {},
    'nothing',
    /gave no reason, also when it was asked/,
  ],
  [
    'comes as no answer that can be read',
    [{ text: 'hm' }, { text: 'hm' }],
    { attempts: 1 },
    'failed',
    /malformed, also after its faults were named/,
  ],
  [
    'is refused by the gate each time',
    [{ json: abstractOf() }, { json: UNPROVED }, { json: abstractOf() }, { json: UNPROVED }],
    { attempts: 2 },
    'rejected',
    /quote-not-found/,
  ],
  [
    'costs more than one review may',
    [],
    { maxTokens: 300 },
    'failed',
    /ceiling of 300 tokens for one review/,
  ],
  ['comes after all tokens of the day', [], { dailyTokens: 10 }, 'failed', /ceiling of 10 tokens a day/],
  ['comes while the breaker is open', [], { breakerRefusals: 1 }, 'failed', /the last review was refused/],
])(
  'what three corrections teach %s: it ends with a reason that is shown',
  async (_, steps, review, outcome, reason) => {
    await writeFile(join(workspace, 'knack.json'), JSON.stringify({ review }));
    if (outcome === 'failed' && steps.length === 0)
      await writeFile(join(workspace, 'logs/ledger.jsonl'), `${JSON.stringify(REFUSED)}\n`);
    await logSession(join(workspace, 'logs/sessions'), corrected());
    const server = await startScriptedModel(steps);
    const model = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none', KNACK_MODEL: 'scripted' };
    try {
      const [item] = (await knack(['review', '--json'], model)).stdout
        .split('\n')
        .map((line) => JSON.parse(line || '{}'));
      expect([item.outcome, item.reasons.join('\n')]).toEqual([outcome, expect.stringMatching(reason)]);
      const { reviews } = JSON.parse((await knack(['reviews', '--json'])).stdout);
      expect(reviews[0]).toMatchObject({ session: 'session-1', outcome, reasons: item.reasons });
      const { stdout } = await knack(['reviews', '--outcome', outcome, '--limit', '1']);
      expect(stdout).toMatch(new RegExp(`^(?:paused: .*\\n)?${reviews[0].id}  \\S+  ${outcome}`));
      expect(stdout).toMatch(reason);
    } finally {
      await server.close();
    }
  },
  60_000,
);

test('a chat’s status shows how the last review ended, and why learning pauses', async () => {
  await writeFile(join(workspace, 'knack.json'), JSON.stringify({ review: { breakerRefusals: 1 } }));
  await writeFile(join(workspace, 'logs/ledger.jsonl'), `${JSON.stringify(REFUSED)}\n`);
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'none', KNACK_MODEL: 'scripted' };
  const { screen } = await onTerminal(
    ['chat'],
    [
      ['> ', '/status\r'],
      ['paused:', '/quit\r'],
    ],
    { workspace, env },
  );
  expect(screen).toContain('last review: other ended as rejected: the gate refused it');
  expect(screen).toContain('paused: the last review was refused');
}, 60_000);

test('without a review there is none, and an outcome that there is not is named', async () => {
  expect((await knack(['reviews'])).stdout).toBe('no reviews yet\n');
  expect((await knack(['reviews', '--outcome', 'blocked'])).code).toBe(2);
});

test('settings that cannot be read turn learning off: nothing is asked, written or spent', async () => {
  await writeFile(join(workspace, 'knack.json'), '{"review": {"autonomy": "propose"');
  await logSession(join(workspace, 'logs/sessions'), corrected());
  const server = await startScriptedModel([]);
  const { code, stderr } = await knack(['review'], { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is not JSON.*Nothing was changed or learned/)]);
  expect([server.requests, existsSync(join(workspace, 'logs/ledger.jsonl'))]).toEqual([[], false]);
  await server.close();
});

test('blame and log name the least trusted speaker that a line rests on', async () => {
  await logSession(join(workspace, 'logs/sessions'), corrected());
  const server = await startScriptedModel([
    { json: abstractOf() },
    { json: createDraft() },
    { json: QUESTIONS },
    { json: DEFECT },
  ]);
  try {
    await knack(['review'], { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none', KNACK_MODEL: 'scripted' });
    const { stdout } = await knack(['skills', 'blame', 'decimal-comma-amounts']);
    expect(stdout).toMatch(/└ session-1 e5 “No, that is wrong.*” \(trust: user\)/);
    const blame = JSON.parse((await knack(['skills', 'blame', 'decimal-comma-amounts', '--json'])).stdout);
    expect(blame.lines.at(-1)).toMatchObject({ session: 'session-1', trust: 'user' });
    expect((await knack(['skills', 'log', 'decimal-comma-amounts'])).stdout).toContain(
      'least trusted voice in it: user',
    );
  } finally {
    await server.close();
  }
}, 60_000);
