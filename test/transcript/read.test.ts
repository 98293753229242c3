import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TranscriptEvent } from '../../src/transcript/event.ts';
import { eventText } from '../../src/transcript/event.ts';
import { readTranscript } from '../../src/transcript/read.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'knack-transcript-'));
});

async function file(name: string, text: string | Buffer): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, text);
  return path;
}

const lines = (...records: unknown[]) => records.map((record) => JSON.stringify(record)).join('\n');
const short = (events: readonly TranscriptEvent[]) =>
  events.map((event) => [event.id, event.role, event.kind, eventText(event).slice(0, 40)]);

const CHAT = [
  { role: 'system', content: 'You are.' },
  { role: 'user', content: 'add' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'Error: no b' },
  { role: 'assistant', content: [{ type: 'text', text: 'It failed.' }] },
];

const PI = [
  { type: 'session', version: 3, id: 's-pi', timestamp: '2026-01-01T00:00:00Z', cwd: '/p' },
  {
    type: 'message',
    id: 'a',
    parentId: null,
    message: { role: 'user', content: [{ type: 'text', text: 'add' }] },
  },
  {
    type: 'message',
    id: 'b',
    parentId: 'a',
    message: {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'make' } }],
      stopReason: 'toolUse',
    },
  },
  {
    type: 'message',
    id: 'x',
    parentId: 'b',
    message: {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'bash',
      content: [{ type: 'text', text: 'left' }],
      isError: true,
    },
  },
  {
    type: 'message',
    id: 'y',
    parentId: 'b',
    message: {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'bash',
      content: [{ type: 'text', text: 'taken' }],
      isError: false,
    },
  },
];

const TRAJECTORY = {
  trajectory: [{ action: 'ls\n', observation: 'a', thought: 'I look.', response: 'I look.' }],
  info: { exit_status: 'submitted' },
};

describe('a transcript of', () => {
  test('OpenAI chat with a reward is read in all its shapes', async () => {
    for (const [name, text] of [
      ['a.json', JSON.stringify({ messages: CHAT, reward: 1 })],
      ['b.json', JSON.stringify({ messages: CHAT, reward: 1 }, null, 2)],
      ['c.jsonl', `\uFEFF${lines({ messages: CHAT, reward: 1 })}\r\n`],
    ] as const) {
      const { session, events } = await readTranscript(await file(name, text));
      expect([session.format, session.outcome, events.map((event) => event.kind)]).toEqual([
        'openai-chat',
        'success',
        ['text', 'text', 'tool-call', 'tool-result', 'text'],
      ]);
    }
    const { events } = await readTranscript(await file('d.json', JSON.stringify(CHAT)));
    expect(short(events).map(([, role, kind, text]) => [role, kind, text])).toEqual([
      ['system', 'text', 'You are.'],
      ['user', 'text', 'add'],
      ['assistant', 'tool-call', '{"a":1}'],
      ['tool', 'tool-result', 'Error: no b'],
      ['assistant', 'text', 'It failed.'],
    ]);
  });

  test('pi marks the branch that was left', async () => {
    const { session, events } = await readTranscript(await file('pi.jsonl', lines(...PI)));
    expect([session.id, session.format, session.cwd]).toEqual(['s-pi', 'pi', '/p']);
    expect(events.map((event) => [event.kind, event.branch ?? 'live'])).toEqual([
      ['text', 'live'],
      ['tool-call', 'live'],
      ['tool-result', 'abandoned'],
      ['tool-result', 'live'],
    ]);
  });

  test('SWE-agent has an outcome', async () => {
    const { session, events } = await readTranscript(await file('a.traj', JSON.stringify(TRAJECTORY)));
    expect([session.format, session.outcome, events.map((event) => event.kind)]).toEqual([
      'swe-agent',
      'success',
      ['text', 'tool-call', 'tool-result'],
    ]);
  });

  test('pi with a bad line keeps what follows and says which', async () => {
    const { session, events } = await readTranscript(
      await file('bad.jsonl', `${lines(...PI.slice(0, 2))}\n{"type": broken\n${lines(PI[2])}\n`),
    );
    expect([session.stats.badLines, events.length]).toEqual([[3], 2]);
  });

  test('anybody with a secret in it holds none when it was read', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const { events } = await readTranscript(
      await file(
        'secret.json',
        JSON.stringify([...CHAT, { role: 'user', content: `the token is ${secret}` }]),
      ),
    );
    expect([JSON.stringify(events).includes(secret), eventText(events.at(-1) as TranscriptEvent)]).toEqual([
      false,
      expect.stringMatching(/^the token is \[REDACTED:[\w-]+:1\]$/),
    ]);
  });
});

const FAULTS: [title: string, name: string, text: string | Buffer, code: string, message: RegExp][] = [
  ['nothing in it', 'empty.jsonl', '', 'transcript-unreadable', /is empty/],
  ['prose', 'prose.txt', 'Dear diary,\ntoday I learned.', 'transcript-unreadable', /no transcript/],
  [
    'other JSON',
    'other.json',
    '{"a": [1, 2]}',
    'transcript-unreadable',
    /no transcript that is known.*--format/,
  ],
  ['binary', 'binary', Buffer.from([1, 2, 0, 3]), 'transcript-unreadable', /binary/],
  ['gzip', 'a.gz', Buffer.from([0x1f, 0x8b, 8, 0]), 'transcript-unreadable', /gunzip/],
  [
    'another agent',
    'claude.jsonl',
    lines({
      type: 'user',
      uuid: 'u',
      sessionId: 's',
      parentUuid: null,
      message: { role: 'user', content: 'x' },
    }),
    'transcript-unreadable',
    /Claude Code.*cannot be read yet/,
  ],
];

test.each(FAULTS)('a file with %s is refused with what it is', async (_, name, text, code, message) => {
  await expect(readTranscript(await file(name, text))).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  });
});

test('a missing file, a folder and an unknown format are told apart', async () => {
  await expect(readTranscript(join(dir, 'missing.jsonl'))).rejects.toMatchObject({ code: 'not-found' });
  await expect(readTranscript(dir)).rejects.toMatchObject({
    code: 'transcript-unreadable',
    message: expect.stringContaining('is a folder') as string,
  });
  await expect(readTranscript(await file('x.json', '[]'), { format: 'nope' })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('openai-chat') as string,
  });
});
