import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transcript, TranscriptEvent } from '../../src/transcript/event.ts';
import { readTranscript } from '../../src/transcript/read.ts';
import { createSaidTexts, wordsOf } from '../../src/transcript/repetition.ts';
import { findSignals, searchSignals } from '../../src/transcript/signals.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'knack-steps-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Rounds of everything that signals look at, and of what ends none of their searches. */
function session(rounds: number, touched: () => void): Transcript {
  const events: TranscriptEvent[] = [];
  const add = (event: object) => {
    const { kind, ...rest } = { ref: '', id: `e${events.length + 1}`, ...event } as TranscriptEvent;
    const get = () => {
      touched();
      return kind;
    };
    events.push(Object.defineProperty(rest, 'kind', { enumerable: true, get }) as never);
  };
  for (let round = 0; round < rounds; round += 1) {
    const callId = `c${round}`;
    add({ role: 'user', kind: 'text', text: `no, please change item ${round} of the price list and page` });
    add({ role: 'assistant', kind: 'skill-load', skill: 'x', contentHash: 'h', by: 'model' });
    add({
      role: 'assistant',
      kind: 'tool-call',
      toolName: 'bash',
      callId,
      args: { command: `make all-${round}` },
    });
    add({ role: 'tool', kind: 'tool-result', callId, text: 'error: no rule', isError: true });
    add({ role: 'assistant', kind: 'text', text: 'My mistake, it was the other one.', branch: 'abandoned' });
    add({ role: 'user', kind: 'interrupt', text: 'stopped' });
  }
  // Nobody works or speaks any more: searches for what follows find nothing.
  for (let round = 0; round < rounds; round += 1) {
    add({ role: 'user', kind: 'interrupt', text: 'stopped' });
    add({ role: 'system', kind: 'skill-load', skill: 'x', contentHash: 'h', by: 'model' });
    add({ role: 'system', kind: 'error', text: 'x', branch: round % 2 === 0 ? 'abandoned' : 'live' });
  }
  const stats = { lines: 0, badLines: [], unknownRecords: {} };
  const head = { id: 's', agent: 'x', format: 'knack', confidence: 1, stats };
  return { file: '/t', events, session: head };
}

test('a session of twice the length takes twice the looks at its events', () => {
  const looks = [500, 1000].map((rounds) => {
    let count = 0;
    const signals = findSignals(session(rounds, () => (count += 1)));
    expect(new Set(signals.map(({ kind }) => kind))).toContain('correction');
    return count;
  });
  expect((looks[1] ?? 0) / (looks[0] ?? 1)).toBeLessThan(2.1);
});

test('each text is compared with a bounded number of earlier ones', () => {
  const said = createSaidTexts();
  for (let number = 0; number < 3000; number += 1) {
    const text = `please change item ${number} of the price list and page`;
    expect(said.isRepeated(text)).toBe(false);
    expect(said.isRepeated('change item of the price list and page again')).toBe(number > 0);
    said.add(text);
  }
  expect(said.compared).toBeLessThanOrEqual(2 * 64 * 3000);
});

test('a demand is found again wherever it was said, as by comparing with all', () => {
  const small = new Set(['the', 'please']);
  const texts = fc.array(
    fc.array(fc.constantFrom('a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'the', 'please'), { maxLength: 9 }),
    {
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(texts, (lists) => {
      const said = createSaidTexts();
      const earlier: ReadonlySet<string>[] = [];
      for (const text of lists.map((words) => words.join(' '))) {
        const words = wordsOf(text);
        const isSaid = earlier.some((other) => {
          const common = [...words].filter((word) => other.has(word)).length;
          const isCovered = [...words].every((word) => other.has(word) || small.has(word));
          return isCovered && common / (words.size + other.size - common) >= 0.6;
        });
        expect(said.isRepeated(text)).toBe(words.size >= 5 && isSaid);
        said.add(text);
        earlier.push(words);
      }
    }),
  );
});

test('signals of a long session are found in steps, and an abort between two ends them', async () => {
  const transcript = session(3000, () => undefined);
  expect(await searchSignals(transcript, new AbortController().signal)).toEqual(findSignals(transcript));
  const controller = new AbortController();
  let looks = 0;
  const long = session(3000, () => (looks += 1));
  const search = searchSignals(long, controller.signal);
  await setImmediate();
  controller.abort();
  await expect(search).rejects.toMatchObject({ code: 'aborted' });
  const stopped = looks;
  findSignals(long);
  expect(stopped).toBeLessThan((looks - stopped) / 2);
});

test.each([
  [
    'lines',
    (count: number) =>
      Array.from({ length: count }, (_, at) =>
        JSON.stringify({ role: 'user', content: `${at} ${'x '.repeat(40)}` }),
      ).join('\n'),
  ],
  [
    'a document',
    (count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, at) => ({ role: 'user', content: `${at}` }))),
  ],
])('an abort while %s are read ends the reading', async (_, text) => {
  const file = join(dir, 'long.json');
  await writeFile(file, text(20_000));
  const controller = new AbortController();
  const reading = readTranscript(file, { signal: controller.signal, format: 'openai-chat' });
  const timer = setInterval(() => controller.abort(), 1);
  await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  clearInterval(timer);
});
