import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { reviewPaths } from '../../src/review/batch.ts';
import { takeClaim } from '../../src/review/claim.ts';
import { openReviewQueue } from '../../src/review/queue.ts';
import { reviewTranscript } from '../../src/review/review.ts';
import { abstractOf, createDraft } from '../support/drafts.ts';
import { commaSession, openLab } from '../support/review-lab.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { temporary } from '../support/skills.ts';

test('a claim is held by one, and free when it is given back', async () => {
  const file = join(await temporary('claim'), 'deep/a.claim');
  const first = await takeClaim(file);
  expect(await takeClaim(file)).toEqual({ kind: 'held', process: process.pid });
  if (first.kind === 'ours') await first.release();
  expect((await takeClaim(file)).kind).toBe('ours');
});

test('of many that claim at once one holds it', async () => {
  const file = join(await temporary('claim'), 'a.claim');
  const claims = await Promise.all(Array.from({ length: 8 }, () => takeClaim(file)));
  expect(claims.filter(({ kind }) => kind === 'ours').length).toBe(1);
});

test.each([
  ['of a process that is gone', '999999999 left'],
  ['of an earlier process with the number of this one', `${process.pid} left`],
  ['that was cut off while it was written', ''],
])('a claim %s is free at once', async (_, text) => {
  const file = join(await temporary('claim'), 'a.claim');
  await writeFile(file, text);
  expect((await takeClaim(file)).kind).toBe('ours');
});

test('a claim that nobody has shown to be alive is free, though its number lives', async () => {
  const file = join(await temporary('claim'), 'a.claim');
  await writeFile(file, `${process.ppid} left`);
  expect((await takeClaim(file)).kind).toBe('held');
  await utimes(file, 0, 0);
  expect((await takeClaim(file)).kind).toBe('ours');
});

test('a session that another process reviews is skipped and left for later, and free when that one is killed', async () => {
  const lab = await openLab();
  const requests = new EventEmitter();
  const arrived = once(requests, 'arrived');
  const server = await startScriptedModel([
    {
      answer: () => {
        requests.emit('arrived');
        return { raw: [], ending: 'hang' };
      },
    },
  ]);
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      resolve(import.meta.dirname, '../support/review-child.ts'),
      join(lab.skills, '..'),
      'session-1',
      server.url,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await arrived;
  const why = `session session-1 is being reviewed by process ${child.pid}`;
  const review = () => reviewTranscript(lab.parts, commaSession());
  await expect(review()).rejects.toMatchObject({ code: 'lock-held', message: why });

  const file = join(await temporary('sessions'), 'a.jsonl');
  await writeFile(file, '');
  const items: unknown[] = [];
  const summary = await reviewPaths({
    paths: [file],
    cwd: '/',
    read: async () => commaSession(),
    review,
    onItem: (item) => items.push(item),
  });
  expect(summary).toEqual({ items: 1, outcomes: { skipped: 1 }, tokens: 0, failed: [] });
  expect(items).toEqual([{ file, kind: 'skipped', reason: why }]);

  const [lines, dir] = [[] as string[], await temporary('queue')];
  const job = { session: 'session-1', file };
  const queue = await openReviewQueue({
    dir,
    run: review,
    now: lab.parts.now,
    log: (line) => lines.push(line),
  });
  await queue.add(job);
  await queue.onIdle();
  expect([await queue.status(), lines]).toEqual([
    { waiting: [job], running: [], failed: [], ended: [], done: {} },
    [`review of session-1 is left for later: ${why}`],
  ]);

  child.kill('SIGKILL');
  await once(child, 'close');
  await server.close();
  const { outcome } = await lab.review([{ json: abstractOf() }, { json: createDraft() }]);
  expect(outcome).toMatchObject({ outcome: 'committed', version: '1.0.0' });
  // What was left for later is taken up with the next job.
  await queue.add({ session: 'other', file });
  await queue.onIdle();
  expect([(await queue.status()).done, await readdir(dir)]).toEqual([{ nothing: 2 }, []]);
  expect((await readdir(lab.reviews)).filter((name) => name.endsWith('.claim'))).toEqual([]);
});
