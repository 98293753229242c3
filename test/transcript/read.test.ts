import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KnackError } from '../../src/errors.ts';
import { eventText, type Transcript } from '../../src/transcript/event.ts';
import type { FORMATS } from '../../src/transcript/formats.ts';
import { readTranscript } from '../../src/transcript/read.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/transcripts');
const fixture = (name: string) => readTranscript(join(FIXTURES, name));

/** An event in one line: what a reader of the transcript would want to know of it. */
const brief = ({ events }: Transcript) =>
  events.map((event) =>
    [
      event.id,
      event.role,
      event.kind,
      ...(event.injected ? [`(${event.injected})`] : []),
      ...(event.branch ? [event.branch] : []),
      ...('callId' in event ? [event.callId, event.toolName ?? '-'] : []),
      ...('isError' in event ? [`error=${event.isError}`] : []),
      ...('exitCode' in event ? [`exit=${event.exitCode}`] : []),
      eventText(event),
    ].join(' '),
  );

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'knack-read-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test('reads knack: the log back, with what is broken or unknown counted', async () => {
  const transcript = await fixture('knack.jsonl');
  expect(brief(transcript)).toEqual([
    'e1 user text Tag the release.',
    'e2 assistant tool-call c1 load_skill {"name":"release"}',
    'e3 assistant skill-load release@1.0.0',
    'e4 tool tool-result c1 load_skill error=false Run `git tag NAME`.',
    'e5 assistant tool-call c2 shell {"command":"git tag 1.2"}',
    'e6 tool tool-result c2 shell exit=128 error: gpg failed to sign the data',
    'e7 user text (candidates) candidates: release',
    'e8 user interrupt stopped',
    'e10 user text No, use an unsigned tag.',
  ]);
  expect(transcript.session).toEqual({
    id: 's-7',
    agent: 'knack',
    format: 'knack',
    confidence: 1,
    cwd: '~/shop',
    model: 'small',
    started: '2025-03-01T10:00:00.000Z',
    purpose: 'chat',
    stats: {
      lines: 13,
      badLines: [12],
      unknownRecords: { 'event with an id that was used before': 1, 'event:dance': 1 },
    },
  });
  expect(transcript.events.at(-1)?.ref).toBe('line 13');
});

test('reads pi: the path from the last entry to the root is live, the rest abandoned; machine text is not speech', async () => {
  const transcript = await fixture('pi-tree.jsonl');
  expect(brief(transcript)).toEqual([
    'a1.1 user text Sort the list.',
    'a1.2 user text (image) [image 1 KB]',
    'a2.1 assistant thinking abandoned By name?',
    'a2.2 assistant text abandoned Sorting by name.',
    'a2.3 assistant tool-call abandoned t1 bash {"command":"sort list"}',
    'a3.1 tool tool-result abandoned t1 bash error=true sort: cannot read: list',
    'b1.1 assistant text Sorting by date.',
    'b2.1 user tool-call (shell) b2.1 bash {"command":"ls"}',
    'b2.2 tool tool-result b2.1 bash exit=0 list.txt\n',
    'b3.1 system summary Sorting by name failed.',
    'b4.1 system summary A list was sorted.',
    'b7.1 user text Thanks.',
    'b8.1 user interrupt Request was aborted',
  ]);
  expect(transcript.session).toMatchObject({ id: 'p-1', cwd: '~/shop', model: 'medium', confidence: 0.95 });
  expect(transcript.session.stats).toEqual({ lines: 13, badLines: [], unknownRecords: { hologram: 1 } });
});

test('reads pi without ids: events are named by physical line, a bad line in the middle is counted', async () => {
  const transcript = await fixture('pi-linear.jsonl');
  expect(brief(transcript)).toEqual([
    'e2.1 user text Count the files.',
    'e4.1 assistant tool-call t1 bash {"command":"ls | wc -l"}',
    'e6.1 assistant text Seven.',
    'e6.2 system error overloaded',
  ]);
  expect(transcript.session.stats).toEqual({ lines: 6, badLines: [5], unknownRecords: {} });
});

test('reads swe-agent: the trajectory, after what came before the first answer without demonstrations', async () => {
  const transcript = await fixture('swe-agent.traj');
  expect(brief(transcript)).toEqual([
    'h1.1 system text You use a special interface.',
    'h3.1 user text ISSUE: check.py fails.',
    'e1.1 assistant text Run it.',
    'e1.2 assistant tool-call e1.2 python python check.py',
    'e1.3 tool tool-result e1.2 python Traceback (most recent call last):\nValueError: bad',
    'e2.2 assistant tool-call e2.2 edit edit 1:1\nprint(1)\nend_of_edit',
    'e2.3 tool tool-result e2.2 edit [File: /repo/check.py (1 lines total)]\n1:print(1)',
    'e3.1 assistant text Done.',
    'e3.2 assistant tool-call e3.2 submit submit',
    'e3.3 tool tool-result e3.2 submit ',
  ]);
  expect(transcript.session.outcome).toBe('success');
});

test('reads swe-agent files that hold only a history; another exit than submitted is a failure', async () => {
  const transcript = await fixture('swe-agent-history.traj');
  expect(brief(transcript)).toEqual([
    'h1.1 system text You use a special interface.',
    'h2.1 user text ISSUE: a colon is missing.',
    'h3.1 assistant text Open it.',
    'h3.2 assistant tool-call call_1 open open "a.py"',
    'h4.1 tool tool-result call_1 - [File: a.py (1 lines total)]',
  ]);
  expect(transcript.session.outcome).toBe('failure');
});

test('reads openai-chat: parts, parallel calls, the old call form, reward and id', async () => {
  const transcript = await fixture('chat.json');
  expect(brief(transcript)).toEqual([
    'e1.1 system text You help travellers.',
    'e2.1 user text Move my flight.',
    'e2.2 user text (attachment) [image_url 1 KB]',
    'e3.2 assistant tool-call c1 move_flight {"to":"monday"}',
    'e3.3 assistant tool-call c2 notify {broken',
    'e4.1 tool tool-result c1 move_flight Error: no seat on monday',
    'e5.0 assistant thinking Only tuesday is left.',
    'e5.1 assistant text Monday is full.',
    'e5.2 assistant tool-call e5.2 look {}',
    'e6.1 tool tool-result e5.2 look []',
  ]);
  expect(transcript.session).toMatchObject({
    id: 'task-9',
    model: 'small',
    outcome: 'failure',
    confidence: 0.9,
    stats: { badLines: [], unknownRecords: { 'message:narrator': 1 } },
  });
});

test('keeps the conversations of one file apart', async () => {
  const transcript = await fixture('chat-conversations.jsonl');
  expect(transcript.events.map((event) => [event.id, event.conversation])).toEqual([
    ['e1.1.1', 1],
    ['e1.2.1', 1],
    ['e3.1.1', 2],
    ['e3.2.1', 2],
  ]);
  expect(transcript.session.stats.badLines).toEqual([2]);
});

const SAMPLES = {
  knack: ['knack.jsonl'],
  pi: ['pi-tree.jsonl', 'pi-linear.jsonl'],
  'claude-code': ['claude-code.jsonl', 'claude-code-old.jsonl'],
  codex: ['codex.jsonl', 'codex-old.jsonl'],
  'swe-agent': ['swe-agent.traj', 'swe-agent-history.traj'],
  'openai-chat': ['chat.json', 'chat-conversations.jsonl'],
} satisfies Record<keyof typeof FORMATS, string[]>;

describe.each(
  Object.entries(SAMPLES).flatMap(([format, names]) => names.map((name) => [format, name] as const)),
)('every format: %s (%s)', (format, name) => {
  test('is detected by content alone, with ids that are unique', async () => {
    const copy = join(dir, 'unnamed');
    await writeFile(copy, await readFile(join(FIXTURES, name)));
    const { session, events } = await readTranscript(copy);
    expect(session.format).toBe(format);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  });

  test('reads the same with a byte order mark and carriage returns, and by name', async () => {
    const plain = await fixture(name);
    const copy = join(dir, name);
    const text = await readFile(join(FIXTURES, name), 'utf8');
    await writeFile(copy, `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    const { session: _, ...rest } = await readTranscript(copy, { format });
    expect(rest).toEqual({ file: copy, events: plain.events });
  });

  test('lets no secret through in any text field', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'}`;
    const copy = join(dir, `secret-${name}`);
    const text = await readFile(join(FIXTURES, name), 'utf8');
    const plant = text.replace(
      /"(text|content|observation|thought|action|command|thinking|output|summary|arguments|to|errorMessage)": ?"/g,
      (start) => `${start}${secret} `,
    );
    await writeFile(copy, plant);
    const read = JSON.stringify(await readTranscript(copy));
    expect(read).toContain('[REDACTED:github-token:1]');
    expect(read).not.toContain(secret.slice(0, 12));
  });

  test('odd values in any field are counted or refused, never a crash', async () => {
    const text = await readFile(join(FIXTURES, name), 'utf8');
    const isWhole = text.startsWith('{\n') || text.startsWith('{"messages": [');
    const pieces = (isWhole ? [text] : text.split('\n')).filter((piece) => /^\{.*\}\s*$/s.test(piece));
    const keys = [...new Set([...text.matchAll(/"(\w+)": ?/g)].map((match) => String(match[1])))];
    const copy = join(dir, `odd-${name}`);
    for (const key of keys) {
      for (const odd of [null, 7, [], {}, [[{ type: 3 }]], { toString: 1 }, true, '']) {
        const changed = pieces.map((piece) =>
          JSON.stringify(JSON.parse(piece, (at, value: unknown) => (at === key ? odd : value))),
        );
        await writeFile(copy, changed.join('\n'));
        const outcome = await readTranscript(copy, { format }).then(
          ({ session }) => session.format,
          (error: unknown) => error instanceof KnackError && error.code,
        );
        expect([format, 'transcript-unreadable'], `${key}: ${JSON.stringify(odd)}`).toContain(outcome);
      }
    }
  });
});

const UTF_16: [name: string, content: Buffer][] = [
  ['utf-16', Buffer.from('\uFEFF{"a": 1}\n', 'utf16le')],
  ['utf-16-big', Buffer.from('\uFEFF{"a": 1}\n', 'utf16le').swap16()],
  ['utf-16-without-a-mark', Buffer.from('{"a": 1}\n', 'utf16le')],
  ['utf-16-big-without-a-mark', Buffer.from('{"a": 1}\n', 'utf16le').swap16()],
];

describe('a file that is no transcript', () => {
  test.each([
    '{"messages":[{"role":"user","content":{"toString":1}}]}',
    '{"schema_version":{"toString":1}}',
    '{"trajectory_format":[{"toString":1}]}',
    '[{"role":"user","content":{"toString":1}}]',
    '[{"type":"x","content":[{"text":{"toString":1}}]}]',
    '{"customType":{"toString":1}}\n{"kind":{"toString":1}}\n',
  ])('with a value whose words are foreign is read or refused as any other: %s', async (text) => {
    const file = join(dir, 'odd-words.json');
    await writeFile(file, text);
    const outcome = await readTranscript(file).then(
      ({ session }) => session.format,
      (error: unknown) => (error instanceof KnackError ? error.message : 'a fault'),
    );
    expect(outcome).toMatch(/^openai-chat$|not supported yet|no transcript that knack knows/);
  });

  const foreign: readonly (readonly [string, string, string])[] = [
    [
      'Codex exec',
      'a.jsonl',
      '{"type":"thread.started","thread_id":"x"}\n{"type":"item.completed","item":{"type":"agent_message"}}\n',
    ],
    [
      'Qwen Code',
      'b.jsonl',
      '{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","parts":[{"text":"hi"}]}}\n',
    ],
    ['Gemini CLI', 'c.json', '{"sessionId":"s","projectHash":"h","messages":[]}'],
    ['ShareGPT', 'd.jsonl', '{"conversations":[{"from":"human","value":"hi"}]}\n'],
    ['OpenHands', 'e.json', '[{"id":0,"source":"user","action":"message","message":"hi"}]'],
    ['Hermes Agent', 'f.jsonl', '{"role":"session_meta","tools":[]}\n{"role":"user","content":"hi"}\n'],
    [
      'Anthropic Messages',
      'g.json',
      '{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]}',
    ],
    ['mini-swe-agent', 'h.json', '[{"role":"user","content":"<returncode>0</returncode>"}]'],
  ];
  test.each(foreign)('of %s is named', async (agent, name, text) => {
    const file = join(dir, name);
    await writeFile(file, text);
    await expect(readTranscript(file)).rejects.toMatchObject({
      code: 'transcript-unreadable',
      message: `${file} is a session of ${agent}, which is not supported yet; readable: knack, pi, claude-code, codex, swe-agent, openai-chat.`,
    });
  });

  test.each<[string, string | Buffer, string]>([
    ['empty', '', 'is empty: the session was never written, there is nothing to read.'],
    ['prose', 'Dear diary,\nnothing happened.\n', 'is not a transcript: neither JSON nor JSON Lines.'],
    [
      'cut',
      '{"messages": [\n{"role": "us',
      'starts like JSON and is not: it was cut or damaged; nothing was read.',
    ],
    [
      'other-json',
      '{"name": "package", "version": 1}',
      'is JSON and no transcript that knack knows; if it is one of knack, pi, claude-code, codex, swe-agent, openai-chat, say which with --format.',
    ],
    ['binary', Buffer.from([1, 2, 0, 3]), 'is binary and no transcript.'],
    ['nothing-but-nuls', Buffer.alloc(9000), 'is binary and no transcript.'],
    ...UTF_16.map(([name, content]): [string, Buffer, string] => [
      name,
      content,
      'is UTF-16 text, of which nothing was read; save it as UTF-8 first, as with iconv -f UTF-16 -t UTF-8.',
    ]),
    ['packed', gzipSync('{}'), 'is compressed; unpack it with gunzip first.'],
    [
      'base',
      'SQLite format 3\0....',
      'is a database (Cursor, OpenCode and Hermes Agent keep such); export the session to JSON first.',
    ],
  ])('%s says so', async (name, content, message) => {
    const file = join(dir, name);
    await writeFile(file, content);
    await expect(readTranscript(file)).rejects.toMatchObject({
      code: 'transcript-unreadable',
      message: `${file} ${message}`,
    });
  });

  test('missing, a folder, and of an unknown format are three different errors', async () => {
    const folder = join(dir, 'folder');
    await mkdir(folder, { recursive: true });
    await expect(readTranscript(join(dir, 'nowhere'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(readTranscript(folder)).rejects.toMatchObject({
      code: 'transcript-unreadable',
      message: `${folder} is a folder; name the transcript files in it.`,
    });
    await expect(readTranscript(join(FIXTURES, 'chat.json'), { format: 'toString' })).rejects.toMatchObject({
      code: 'usage',
    });
  });

  test.skipIf(process.getuid?.() === 0)('one that may not be read is not called empty', async () => {
    const file = join(dir, 'locked');
    await writeFile(file, '{}');
    await chmod(file, 0);
    await expect(readTranscript(file)).rejects.toThrow('cannot be read');
  });

  test('a forced format that finds nothing is refused instead of looking like a quiet session', async () => {
    await expect(
      readTranscript(join(FIXTURES, 'pi-linear.jsonl'), { format: 'knack' }),
    ).rejects.toMatchObject({
      code: 'transcript-unreadable',
      message: expect.stringContaining('nothing in it that reads as knack'),
    });
  });
});

const NULS = '\0'.repeat(6000);
const SAID = ['Sort it.', 'Done.', 'By date.', 'Good.'].map((text, at) =>
  JSON.stringify({ role: at % 2 === 0 ? 'user' : 'assistant', content: text, tool_calls: [] }),
);

test.each<[string, string[], number[], number]>([
  ['at the end', [...SAID, NULS], [5], 4],
  ['at the end, on many lines', [...SAID, NULS, NULS, NULS], [5, 6, 7], 4],
  ['at the beginning', [NULS, ...SAID], [1], 4],
  ['before a line, which is lost', [...SAID.slice(0, 2), NULS + SAID[2], String(SAID[3])], [3], 3],
  ['within a line', [...SAID.slice(0, 3), `${SAID[3]?.slice(0, 20)}${NULS}`], [4], 3],
])('a run of NULs %s is a bad line', async (_, lines, badLines, events) => {
  const file = join(dir, 'power-cut.jsonl');
  await writeFile(file, lines.join('\n'));
  const transcript = await readTranscript(file);
  expect(transcript.session.stats.badLines).toEqual(badLines);
  expect(transcript.events).toHaveLength(events);
});

test('a file of a header alone is a session without events', async () => {
  const file = join(dir, 'header.jsonl');
  await writeFile(file, '{"type":"session","format":"knack","version":1,"id":"s"}\n');
  expect((await readTranscript(file)).events).toEqual([]);
});

test('a long output keeps head and tail, and secrets go before it is cut', async () => {
  const file = join(dir, 'long.json');
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'}`;
  // The cut would fall into the middle of the secret.
  const content = `${'x '.repeat(11_995)}${secret}${' y'.repeat(40_000)}`;
  await writeFile(
    file,
    JSON.stringify([
      { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content },
    ]),
  );
  const text = (await readTranscript(file)).events.map(eventText).at(-1) ?? '';
  expect(text).toMatch(/characters left out …\]/);
  expect(text.length).toBeLessThan(33_000);
  expect(text).not.toContain('ghp_');
});

test('an aborted reading says so', async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(fixture('knack.jsonl')).resolves.toBeDefined();
  await expect(
    readTranscript(join(FIXTURES, 'knack.jsonl'), { signal: controller.signal }),
  ).rejects.toMatchObject({ code: 'aborted' });
});

test('sessions without an id are named after file and opening, so that two trajectory.json differ', async () => {
  const ids = [];
  for (const text of ['one', 'two', 'one']) {
    const file = join(dir, 'trajectory.json');
    await writeFile(
      file,
      JSON.stringify([
        { role: 'user', content: text },
        { role: 'tool', content: 'x' },
      ]),
    );
    ids.push((await readTranscript(file)).session.id);
  }
  expect(ids[0]).toMatch(/^trajectory-[0-9a-f]{8}$/);
  expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([false, true]);
});
