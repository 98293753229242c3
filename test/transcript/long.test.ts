import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, expect, test } from 'vitest';

const BIN = resolve(import.meta.dirname, '../../dist/knack.mjs');
const HEAP = 64;
const LONG_RESULTS = 60;
const SHORT_RESULTS = 10_000;
const dir = mkdtempSync(join(tmpdir(), 'knack-long-'));
afterAll(() => rmSync(dir, { recursive: true }));

const step = (number: number, output: string) => {
  const call = `toolu_${number}`;
  const line = (type: string, role: string, content: object) =>
    `${JSON.stringify({ type, uuid: `${type}-${number}`, sessionId: 'long', message: { role, content: [content] } })}\n`;
  return (
    line('assistant', 'assistant', {
      type: 'tool_use',
      id: call,
      name: 'Bash',
      input: { command: `make ${number}` },
    }) + line('user', 'user', { type: 'tool_result', tool_use_id: call, content: output })
  );
};

/** Results of 2 MB, with a character that makes it 4 in memory, then many short ones. */
async function writeLong(file: string): Promise<void> {
  const stream = createWriteStream(file);
  for (let number = 0; number < LONG_RESULTS; number += 1)
    stream.write(step(number, `${number} → ${'a line of output\n'.repeat(125_000)}`));
  for (let number = LONG_RESULTS; number < LONG_RESULTS + SHORT_RESULTS; number += 1)
    stream.write(step(number, `built target ${number}`));
  stream.end();
  await finished(stream);
}

test('reads a transcript of twice the heap that it is given, and keeps head and tail of what is long', async () => {
  const file = join(dir, 'long.jsonl');
  await writeLong(file);
  expect(statSync(file).size).toBeGreaterThan(2 * HEAP * 2 ** 20);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      `--max-old-space-size=${HEAP}`,
      BIN,
      'transcript',
      file,
      '--json',
      '--workspace',
      join(dir, 'workspace'),
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    session: 'long',
    format: 'claude-code',
    events: 2 * (LONG_RESULTS + SHORT_RESULTS),
    toolCalls: LONG_RESULTS + SHORT_RESULTS,
    skippedLines: 0,
  });
}, 120_000);
