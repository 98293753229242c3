import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSessionLog, type LoggableEvent } from '../../src/transcript/session-log.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'knack-log-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const header = {
  id: 's-1',
  started: '2025-01-02T03:04:05.000Z',
  cwd: '/somewhere',
  model: 'small',
  purpose: 'chat' as const,
};
const says = (id: string, text: string): LoggableEvent => ({ id, role: 'user', kind: 'text', text });
const lines = async (file: string) =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('writes a header and one line an event, native fields beside it, readable by the owner alone', async () => {
  const file = join(dir, 'sessions/s-1.jsonl');
  const log = createSessionLog({ file, header });
  await log.append(says(log.nextId(), 'hello'), { role: 'user' });
  await log.append({
    id: log.nextId(),
    role: 'assistant',
    kind: 'tool-call',
    toolName: 'shell',
    callId: 'c1',
    args: { command: 'ls' },
    ref: '',
  });
  await log.close();
  expect(await lines(file)).toEqual([
    { type: 'session', format: 'knack', version: 1, ...header },
    { type: 'event', id: 'e1', role: 'user', kind: 'text', text: 'hello', native: { role: 'user' } },
    {
      type: 'event',
      id: 'e2',
      role: 'assistant',
      kind: 'tool-call',
      toolName: 'shell',
      callId: 'c1',
      args: { command: 'ls' },
    },
  ]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('keeps the order of calls that do not wait for each other', async () => {
  const file = join(dir, 'a.jsonl');
  const log = createSessionLog({ file, header });
  await Promise.all(Array.from({ length: 50 }, (_, index) => log.append(says(log.nextId(), `${index}`))));
  await log.close();
  expect((await lines(file)).slice(1).map((line) => [line.id, line.text])).toEqual(
    Array.from({ length: 50 }, (_, index) => [`e${index + 1}`, `${index}`]),
  );
});

test('leaves no file for a session without an event', async () => {
  const file = join(dir, 'a.jsonl');
  await createSessionLog({ file, header }).close();
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

test('continues a log: one header, ids that were not used, a cut last line closed off', async () => {
  const file = join(dir, 'a.jsonl');
  await writeFile(
    file,
    `${JSON.stringify({ type: 'session', format: 'knack', version: 1, ...header })}\n` +
      '{"type":"event","id":"e7","role":"user","kind":"text","text":"before"}\n{"type":"event","id":"e8","ro',
  );
  const log = createSessionLog({ file, header: { ...header, model: 'other' } });
  await log.append(says(log.nextId(), 'after'));
  await log.close();
  expect((await readFile(file, 'utf8')).split('\n').slice(1)).toEqual([
    '{"type":"event","id":"e7","role":"user","kind":"text","text":"before"}',
    '{"type":"event","id":"e8","ro',
    '{"type":"event","id":"e9","role":"user","kind":"text","text":"after"}',
    '',
  ]);
});

test('a write that fails names the file, and the log goes on when the fault is gone', async () => {
  const file = join(dir, 'blocked/a.jsonl');
  await writeFile(join(dir, 'blocked'), 'a file where a folder should be');
  const log = createSessionLog({ file: join(dir, 'x.jsonl'), header });
  expect(() => createSessionLog({ file, header })).toThrow(
    expect.objectContaining({ code: 'io', message: expect.stringContaining(file) }),
  );
  const gone = join(dir, 'later/a.jsonl');
  const late = createSessionLog({ file: gone, header });
  await writeFile(join(dir, 'later'), '');
  await expect(late.append(says('e1', 'one'))).rejects.toMatchObject({ code: 'io' });
  await rm(join(dir, 'later'));
  await late.append(says('e2', 'two'));
  await late.close();
  await log.close();
  expect((await lines(gone)).map((line) => line.type)).toEqual(['session', 'event']);
});

test('counts on from the events’ own ids: what calls have for arguments and what nobody counted up to is passed over', async () => {
  const file = join(dir, 'a.jsonl');
  const log = createSessionLog({ file, header });
  await log.append(says(log.nextId(), 'the id is "id":"e70"'));
  await log.append(
    {
      id: log.nextId(),
      role: 'assistant',
      kind: 'tool-call',
      toolName: 'run_skill_tool',
      callId: 'c1',
      args: { id: 'e99999999999999999999', deep: { id: 'e80' } },
    },
    { id: 'e90' },
  );
  for (const id of ['e99999999999999999999', `e${Number.MAX_SAFE_INTEGER}`, 'e1.5'])
    await log.append(says(id, 'by hand'));
  await log.close();
  const resumed = createSessionLog({ file, header });
  expect([resumed.nextId(), resumed.nextId()]).toEqual(['e3', 'e4']);
});
