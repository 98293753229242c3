import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createJobFiles, jobId } from '../../src/review/job-files.ts';
import { freshKnack, type Knack } from '../support/command-line.ts';
import { commaSession, logSession, quietSession } from '../support/review-lab.ts';

let knack: Knack;
let workspace = '';
beforeEach(async () => {
  ({ knack, workspace } = await freshKnack('review-command'));
  await knack(['init']);
});

const fileOf = (name: string) => join(workspace, 'logs/sessions', `${name}.jsonl`);

const log = (name: string, session = quietSession(name)) =>
  logSession(join(workspace, 'logs/sessions'), session);

test('review without a path takes only sessions that were not reviewed in full', async () => {
  expect((await knack(['review'])).stdout).toBe('nothing to review: there are no sessions yet\n');
  await log('a');
  const first = await knack(['review']);
  await log('b');
  await log('c');
  const rest = await knack(['review']);
  const none = await knack(['review']);
  const again = await knack(['review', '--again']);
  expect([first, rest, again].map(({ stdout }) => stdout.match(/\[\d\/\d\] .*/g))).toEqual([
    [`[1/1] ${fileOf('a')}`],
    [`[1/2] ${fileOf('b')}`, `[2/2] ${fileOf('c')}`],
    [`[1/3] ${fileOf('a')}`, `[2/3] ${fileOf('b')}`, `[3/3] ${fileOf('c')}`],
  ]);
  expect(none).toEqual({
    code: 0,
    stdout: 'nothing to review: 3 sessions were reviewed already; --again reviews them anew\n',
    stderr: '',
  });
});

test('a session that went on since its review is taken again', async () => {
  const file = await log('a');
  await knack(['review']);
  await appendFile(file, '{"type":"event","kind":"text","role":"user","id":"e3","text":"And this one?"}\n');
  expect((await knack(['review'])).stdout).toContain('no signal in the 1 events since the last review');
});

test('a session given by its path that was reviewed says so, and is counted as that', async () => {
  const file = await log('a');
  await knack(['review', file]);
  const { code, stdout } = await knack(['review', file, await log('b')]);
  const json = await knack(['review', file, '--json']);
  expect([code, stdout]).toEqual([
    0,
    `[1/2] ${file}\nreviewed already (ended as nothing); --again reviews it anew\n[2/2] ${fileOf('b')}\nnothing (0 tokens)\n  no signal in 2 events\n2 sessions: 1 nothing, 1 already reviewed; 0 tokens\n`,
  ]);
  const [item, last] = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([item.id, item.outcome, last.summary.already]).toEqual(['a', 'nothing', 1]);
});

test('a reviewed session leaves the queue, and one whose review failed stays', async () => {
  const queue = join(workspace, 'logs/queue');
  const files = createJobFiles(queue);
  const jobs = [
    { session: 'a', file: await log('a') },
    { session: 'b', file: await log('b', commaSession('b')) },
  ] as const;
  for (const job of jobs)
    await files.write({ ...job, id: jobId(job), added: '2026-01-01T00:00:00Z', state: 'waiting' });
  const { stdout } = await knack(['review']);
  expect([stdout, await readdir(queue)]).toEqual([
    expect.stringContaining('2 sessions: 1 nothing, 1 failed'),
    [`${jobId(jobs[1])}.json`],
  ]);
});
