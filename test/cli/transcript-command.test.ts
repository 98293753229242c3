import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN, environmentIn, freshKnack, ROOT } from '../support/command-line.ts';
import { temporary } from '../support/skills.ts';

const SESSION = join(ROOT, 'examples/demo/session.jsonl');
const { knack, workspace } = await freshKnack('transcript');

test('a folder stands for the transcripts below it, and one without any is not found', async () => {
  const dir = await temporary('transcripts');
  await mkdir(join(dir, 'below'));
  for (const name of ['a.jsonl', 'below/b.jsonl']) await copyFile(SESSION, join(dir, name));
  const { code, stdout } = await knack(['transcript', dir, '--json']);
  const files = stdout.trim().split('\n');
  expect([code, files.map((line) => JSON.parse(line).file)]).toEqual([
    0,
    [join(dir, 'a.jsonl'), join(dir, 'below/b.jsonl')],
  ]);
  const none = await knack(['transcript', await temporary('empty')]);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('there is no transcript in ')]);
});

test('one odd file among others stops none of them', async () => {
  const dir = await temporary('transcripts');
  await copyFile(SESSION, join(dir, 'b.jsonl'));
  const odd = '{"messages":[{"role":"user","content":{"toString":1}}]}';
  for (const name of ['a.json', 'c.json']) await writeFile(join(dir, name), odd);
  const { code, stdout, stderr } = await knack(['transcript', dir, '--json']);
  const files = stdout.trim().split('\n');
  expect([code, files.map((line) => JSON.parse(line).file), stderr]).toEqual([
    0,
    ['a.json', 'b.jsonl', 'c.json'].map((name) => join(dir, name)),
    '',
  ]);
  const review = await knack(['review', '--since', '2020-01-01', '--dry-run', dir]);
  expect(review.stdout + review.stderr).not.toContain('unexpected fault');
});

test('- reads the standard input', () => {
  const told = execFileSync(process.execPath, [BIN, 'transcript', '-', '--json'], {
    input: readFileSync(SESSION),
    env: environmentIn(workspace),
  });
  const { file, events } = JSON.parse(told.toString());
  expect([file, events > 0]).toEqual(['-', true]);
});
