import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLedger, prefixHash } from '../../src/review/ledger.ts';
import type { LedgerEntry, ReviewEnd } from '../../src/review/ledger-entry.ts';
import { spendingOf } from '../../src/review/spending.ts';
import type { Transcript, TranscriptEvent } from '../../src/transcript/event.ts';
import { temporary } from '../support/skills.ts';

const say = (id: string, text: string): TranscriptEvent => ({
  id,
  kind: 'text',
  role: 'user',
  text,
  ref: '1',
});

function transcriptOf(...events: TranscriptEvent[]): Transcript {
  return {
    file: '/s.jsonl',
    session: {
      id: 's1',
      agent: 'knack',
      format: 'knack',
      confidence: 1,
      stats: { lines: 0, badLines: [], unknownRecords: {} },
    },
    events,
  };
}

function endOf(transcript: Transcript, outcome: ReviewEnd['outcome'], id = 'r1'): ReviewEnd {
  return {
    type: 'review-end',
    id,
    at: '2026-01-01T00:00:00.000Z',
    session: transcript.session.id,
    events: transcript.events.length,
    prefix: prefixHash(transcript),
    outcome,
    tokens: { reviewer: 10, judge: 5, total: 15 },
    reasons: ['because'],
  };
}

async function ledger() {
  const file = join(await temporary('ledger'), 'logs', 'ledger.jsonl');
  return { file, ledger: createLedger(file) };
}

test('a ledger that is not there is empty; the first entry makes it, readable by its owner alone', async () => {
  const { file, ledger: log } = await ledger();
  expect(await log.entries()).toEqual([]);
  const entry: LedgerEntry = { type: 'override', at: 't', skill: 'a', rule: 'scope/date', why: 'meant' };
  await log.append(entry);
  expect([await log.entries(), (await stat(file)).mode & 0o777]).toEqual([[entry], 0o600]);
});

test('a line that a crash cut off takes no other with it', async () => {
  const { file, ledger: log } = await ledger();
  const [one, two] = [transcriptOf(say('e1', 'a')), transcriptOf(say('e1', 'b'))];
  await log.append(endOf(one, 'nothing'));
  await appendFile(file, '{"type":"review-end","id":"torn","sess');
  expect(await log.entries()).toEqual([endOf(one, 'nothing')]);
  await log.append(endOf(two, 'rejected'));
  await appendFile(file, 'not json\n[1]\n{"type":"something-else"}\n{"type":"review-end"}\n');
  expect(await log.entries()).toEqual([endOf(one, 'nothing'), endOf(two, 'rejected')]);
  expect((await readFile(file, 'utf8')).split('\n').length).toBe(8);
});

test('a line of another shape is passed over, also deep within', async () => {
  const { file, ledger: log } = await ledger();
  const end = endOf(transcriptOf(say('e1', 'a')), 'committed');
  await log.append(end);
  const tokens = { reviewer: 1, judge: 1, total: 2 };
  const lesson = { id: 'l', outcome: 'committed', skill: 's', reasons: [], tokens };
  const odd = [
    { ...end, lessons: [{ ...lesson, tokens: undefined }] },
    { ...end, lessons: [null] },
    { ...end, tokens: { total: '5' } },
    { ...end, tokens: { total: -5 } },
    { ...end, tokens: null },
    { ...end, reasons: 'because' },
    { ...end, outcome: '__proto__' },
    { ...end, skill: 5 },
    { type: 'review-start', id: 'r', at: 't', session: 's', prefix: 'p', events: 'many' },
    { type: 'lesson-end', at: 't', session: 's', review: 'r', ...lesson, reasons: [1] },
  ];
  await appendFile(file, odd.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const whole = { ...end, lessons: [lesson] } as ReviewEnd;
  await log.append(whole);
  const entries = await log.entries();
  expect([entries, spendingOf(entries).tokens.total]).toEqual([[end, whole], 30]);
});

test('appends at the same time lose nothing', async () => {
  const { ledger: log } = await ledger();
  const entries = Array.from({ length: 40 }, (_, index): LedgerEntry => {
    return { type: 'override', at: String(index), skill: 'a', rule: 'b', why: 'c' };
  });
  await Promise.all(entries.map((entry) => log.append(entry)));
  const read = await log.entries();
  expect(read.map(({ at }) => Number(at)).sort((a, b) => a - b)).toEqual(entries.map((_, index) => index));
});

test('what was reviewed is the session up to the event it had then', async () => {
  const { ledger: log } = await ledger();
  const short = transcriptOf(say('e1', 'a'), say('e2', 'b'));
  const grown = transcriptOf(say('e1', 'a'), say('e2', 'b'), say('e3', 'c'));
  const other = transcriptOf(say('e1', 'a'), say('e2', 'changed'), say('e3', 'c'));
  await log.append(endOf(short, 'committed'));
  expect([
    await log.isReviewed('s1', prefixHash(short)),
    await log.isReviewed('s1', prefixHash(grown)),
    await log.isReviewed('s2', prefixHash(short)),
    await log.lastReview(grown),
    await log.lastReview(other),
  ]).toEqual([true, false, false, endOf(short, 'committed'), undefined]);
});

test('a failed review does not count as one, and what may go on is known: what was cut off and what failed', async () => {
  const { ledger: log } = await ledger();
  const session = transcriptOf(say('e1', 'a'));
  const start = (id: string): LedgerEntry => ({
    type: 'review-start',
    id,
    at: 't',
    session: 's1',
    events: 1,
    prefix: prefixHash(session),
  });
  for (const entry of [start('r1'), endOf(session, 'failed', 'r1'), start('r2')]) await log.append(entry);
  expect([
    await log.isReviewed('s1', prefixHash(session)),
    await log.lastReview(session),
    await log.unfinished('s1', prefixHash(session)),
  ]).toEqual([false, undefined, [{ ...start('r1'), isFailed: true }, start('r2')]]);
});
