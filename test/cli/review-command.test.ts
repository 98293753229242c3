import { existsSync } from 'node:fs';
import { appendFile, readdir, utimes, writeFile } from 'node:fs/promises';
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
  expect((await knack(['review'])).stdout).toContain('no signal in the 1 event since the last review');
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
    expect.stringContaining('2 sessions: 1 nothing, 1 worth drafting, for want of a model not drafted'),
    [`${jobId(jobs[1])}.json`],
  ]);
});

const WORTH = 'worth drafting, but no model is set: give';

test('without a model it says once what is left out, shows the signals, and the ledger has no failed review', async () => {
  for (const name of ['a', 'b']) await log(name, commaSession(name));
  await log('c');
  const { code, stdout, stderr } = await knack(['review']);
  const again = await knack(['review', '--json']);
  const stats = JSON.parse((await knack(['stats', '--json'])).stdout);
  expect([code, stderr.match(/no model is set/g)?.length, stdout.match(/correction at/g)?.length]).toEqual([
    1, 1, 2,
  ]);
  expect(stdout).toContain('worth drafting: no model is set\n');
  expect(stdout).not.toContain('failed');
  const lines = again.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    ...['a', 'b'].map((id) => ({
      id,
      file: fileOf(id),
      outcome: 'failed',
      undrafted: true,
      reasons: [expect.stringContaining(WORTH)],
      tokens: 0,
    })),
    {
      summary: {
        items: 2,
        outcomes: { failed: 2 },
        tokens: 0,
        undrafted: 2,
        failed: [fileOf('a'), fileOf('b')],
      },
    },
  ]);
  expect(stats.outcomes).toEqual({ nothing: 1 });
});

test('a dry run shows what would be reviewed and its least cost, and writes nothing', async () => {
  await log('a', commaSession('a'));
  await log('b');
  await writeFile(fileOf('c'), 'no transcript');
  const before = await readdir(workspace, { recursive: true });
  const { code, stdout } = await knack(['review', '--dry-run', '--json']);
  const told = await knack(['review', '--dry-run', fileOf('a')]);
  const [a, b, c, last] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([a.plan, a.signals[0].kind, b.plan, b.reasons, c.plan]).toEqual([
    'review',
    'correction',
    'nothing',
    ['no signal in 2 events'],
    'unreadable',
  ]);
  expect(a.digestTokens).toBeGreaterThan(0);
  const leastTokens = 4 * a.digestTokens;
  expect([code, last.plan]).toEqual([1, { items: 3, toReview: 1, unreadable: [fileOf('c')], leastTokens }]);
  expect([told.code, told.stdout.trim().split('\n').at(-1)]).toEqual([
    0,
    expect.stringContaining(`1 transcript: 1 would be reviewed, for at least ${leastTokens} tokens`),
  ]);
  expect(await readdir(workspace, { recursive: true })).toEqual(before);
});

test('a dry run makes no workspace', async () => {
  const file = await log('a', commaSession('a'));
  const dir = join(workspace, 'other');
  const { code } = await knack(['review', '--dry-run', file, '--workspace', dir]);
  const none = await knack(['review', '--dry-run', '--workspace', dir]);
  expect([code, none.code, none.stdout, existsSync(dir)]).toEqual([
    0,
    0,
    'nothing to review: there are no sessions yet\n',
    false,
  ]);
});

test('--since leaves out what ended before, by the events and else by the file', async () => {
  const said = (id: string, ts: string) =>
    writeFile(
      fileOf(id),
      `{"type":"session","format":"knack","version":1,"id":"${id}"}\n{"type":"event","kind":"text","role":"user","id":"e1","text":"What is this?","ts":"${ts}"}\n`,
    );
  await said('old', '2026-02-27T10:00:00Z');
  await said('new', '2026-03-01T00:00:00Z');
  await log('untimed');
  await utimes(fileOf('untimed'), new Date('2026-02-01'), new Date('2026-02-01'));
  const at = async (date: string) =>
    (await knack(['review', '--dry-run', '--since', date])).stdout.match(/[a-z]+(?=\.jsonl$)/gm);
  expect([await at('2026-03-01'), await at('2026-02-27'), await at('2026-01-01')]).toEqual([
    ['new'],
    ['new', 'old'],
    ['new', 'old', 'untimed'],
  ]);
  const wrong = await knack(['review', '--since', 'yesterday']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('expected a date')]);
});
