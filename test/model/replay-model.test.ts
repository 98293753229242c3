import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Model, ModelRequest } from '../../src/model/model.ts';
import { createRecordingModel, createReplayModel, requestKey } from '../../src/model/replay-model.ts';

const asking = (content: string): ModelRequest => ({ messages: [{ role: 'user', content }] });
const folders = { '/tmp/one': '<workspace>' };

const SAME: [string, string, string][] = [
  ['folder', 'read /tmp/one/a', 'read <workspace>/a'],
  ['date', 'on 2026-01-02', 'on 2025-03-04T05:06:07.890Z'],
  ['id', 'id 0b0e7f1c-1111-4222-8333-123456789abc', 'id 9b0e7f1c-1111-4222-8333-123456789abd'],
  ['hash', 'commit\n0123abcd9', 'commit\nfe98dc76ba'],
];

test.each(SAME)('a %s does not count for the key of a request', (_, left, right) => {
  expect(requestKey(asking(left), folders)).toBe(requestKey(asking(right), folders));
});

test('a word, a number and a tool do', () => {
  const keys = [
    asking('read 1'),
    asking('read 2'),
    asking('write 1'),
    { ...asking('read 1'), tools: [{ name: 't', description: '', parameters: {} }] },
  ].map((request) => requestKey(request, folders));
  expect(new Set(keys).size).toBe(4);
});

test('what was recorded in one folder is answered in another, with its paths', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'knack-replay-')), 'recording.json');
  await writeFile(file, '{"answers":[]}');
  const live: Model = {
    id: 'live',
    complete: async () => ({
      message: { role: 'assistant', content: 'see /tmp/one/a' },
      finish: 'stop',
      usage: { promptTokens: 1, completionTokens: 1 },
    }),
  };
  await createRecordingModel(live, { file, folders, remedy: 'again' }).complete(
    asking('where is /tmp/one/a'),
  );
  expect(await readFile(file, 'utf8')).not.toContain('/tmp/one');
  const replay = createReplayModel({
    file,
    folders: { '/tmp/two': '<workspace>' },
    remedy: 'npm run record',
  });
  expect((await replay.complete(asking('where is /tmp/two/a'))).message.content).toBe('see /tmp/two/a');
  await expect(replay.complete(asking('where is /tmp/two/b'))).rejects.toMatchObject({
    code: 'model-failed',
    message: expect.stringContaining('npm run record') as string,
  });
});
