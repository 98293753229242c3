import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHistory, toolMessage } from '../../src/agent/history.ts';
import { readSession } from '../../src/agent/resume.ts';
import { createTurnLog } from '../../src/agent/turn-log.ts';
import type { ChatMessage, ToolCall } from '../../src/model/model.ts';
import { createSessionLog } from '../../src/transcript/session-log.ts';

const now = () => new Date('2030-01-02T03:04:05Z');
const header = {
  id: 's1',
  started: '2030-01-02T03:04:05.000Z',
  cwd: '/project',
  model: 'scripted',
  purpose: 'chat' as const,
};

function openLog(purpose: 'chat' | 'review' = 'chat') {
  const file = join(mkdtempSync(join(tmpdir(), 'knack-resume-')), 'session.jsonl');
  return createSessionLog({ file, header: { ...header, purpose } });
}

const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() !== '');
const anyCalls = fc.array(
  fc.record({
    name: fc.constantFrom('look', 'edit'),
    arguments: fc.oneof(fc.json({ maxDepth: 2 }), fc.constantFrom('', '{"n": oops', '{ "n" : 1 }')),
    result: words,
    isError: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);
const anyReply = fc.record({
  content: fc.oneof(fc.constant(''), words),
  calls: anyCalls,
  native: fc.option(
    fc.record({ provider: fc.constant('generic'), fields: fc.record({ reasoning_content: words }) }),
    { nil: undefined },
  ),
});
const anyTurn = fc.record({
  user: words,
  injected: fc.array(words, { maxLength: 2 }),
  replies: fc.array(anyReply, { maxLength: 3 }),
  note: fc.option(words, { nil: undefined }),
  answer: words,
});

test('the messages of a log are those of the conversation that wrote it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyTurn, { minLength: 1, maxLength: 3 }), async (turns) => {
      const log = openLog();
      const turnLog = createTurnLog(log, now);
      const messages: ChatMessage[] = [];
      let id = 0;
      await turnLog.system('You help.');
      for (const { user, injected, replies, note, answer } of turns) {
        await turnLog.user(
          user,
          injected.map((text) => ({ reason: 'skill-candidates', text })),
        );
        messages.push({ role: 'user', content: [user, ...injected].join('\n\n') });
        for (const { content, calls, native } of replies) {
          const toolCalls: ToolCall[] = calls.map(({ name, arguments: args }) => ({
            id: `c${++id}`,
            name,
            arguments: args,
          }));
          const message = { role: 'assistant' as const, content, toolCalls, ...(native ? { native } : {}) };
          await turnLog.agent({ type: 'message', message, finish: 'tool-calls' });
          messages.push(toHistory(message));
          // Parallel calls end in any order.
          for (const [index, call] of [...toolCalls.entries()].reverse()) {
            const { result: text = '', isError = false } = calls[index] ?? {};
            await turnLog.agent({ type: 'tool-end', call, result: { text, isError } });
          }
          messages.push(
            ...toolCalls.map((call, index) => toolMessage(call, { text: calls[index]?.result ?? '' })),
          );
        }
        if (note !== undefined) {
          await turnLog.agent({ type: 'note', reason: 'unproven-success', text: note });
          messages.push({ role: 'user', content: note });
        }
        await turnLog.agent({
          type: 'message',
          message: { role: 'assistant', content: answer },
          finish: 'stop',
        });
        messages.push({ role: 'assistant', content: answer });
        await turnLog.agent({ type: 'turn-end', stop: 'answer' });
      }
      await log.close();
      const session = await readSession(log.file);
      expect(session.messages).toEqual(messages);
      expect([session.id, session.cwd, session.system]).toEqual(['s1', '/project', 'You help.']);
    }),
    { numRuns: 40 },
  );
});

test('a call that a crash left open is answered, and a torn line is left out', async () => {
  const log = openLog();
  const turnLog = createTurnLog(log, now);
  await turnLog.user('Go.', []);
  const toolCalls = [
    { id: 'a', name: 'look', arguments: '{}' },
    { id: 'b', name: 'look', arguments: '{}' },
  ];
  await turnLog.agent({
    type: 'message',
    message: { role: 'assistant', content: '', toolCalls },
    finish: 'tool-calls',
  });
  await turnLog.agent({
    type: 'tool-end',
    call: { id: 'a', name: 'look', arguments: '{}' },
    result: { text: 'seen', isError: false },
  });
  await log.close();
  appendFileSync(log.file, '{"type":"event","id":"e9","kind":"tool-res');
  expect((await readSession(log.file)).messages).toEqual([
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: '', toolCalls },
    { role: 'tool', callId: 'a', name: 'look', content: 'seen' },
    { role: 'tool', callId: 'b', name: 'look', content: 'Not run: the turn ended before' },
  ]);
});

test('what a turn ends with is logged as an interrupt or an error, and nothing for an answer', async () => {
  const log = openLog();
  const turnLog = createTurnLog(log, now);
  await turnLog.agent({ type: 'turn-end', stop: 'answer' });
  await turnLog.agent({ type: 'turn-end', stop: 'aborted', problem: 'stopped by the user' });
  await turnLog.agent({ type: 'turn-end', stop: 'model-error', problem: 'bad key' });
  await log.close();
  const ts = '2030-01-02T03:04:05.000Z';
  expect(
    readFileSync(log.file, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { type: 'event', id: 'e1', ts, kind: 'interrupt', role: 'user', text: 'stopped by the user' },
    { type: 'event', id: 'e2', ts, kind: 'error', role: 'system', text: 'model-error: bad key' },
  ]);
});

test('a missing file, a file that is no log and the log of a review are told apart', async () => {
  const review = openLog('review');
  await createTurnLog(review, now).user('Go.', []);
  await review.close();
  const other = join(mkdtempSync(join(tmpdir(), 'knack-resume-')), 'other.jsonl');
  writeFileSync(other, '{"type":"message"}\n');
  await expect(readSession('/nowhere/s.jsonl')).rejects.toMatchObject({ code: 'not-found' });
  await expect(readSession(other)).rejects.toThrow('it has no session line');
  await expect(readSession(review.file)).rejects.toThrow('is the log of a review');
});
