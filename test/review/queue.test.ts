import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { KnackError } from '../../src/errors.ts';
import { type JobResult, openReviewQueue, type ReviewJob } from '../../src/review/queue.ts';
import { temporary } from '../support/skills.ts';

let dir = '';
beforeEach(async () => {
  dir = await temporary('queue');
});

const job = (session: string): ReviewJob => ({ session, file: `/sessions/${session}.jsonl` });
const nothing: JobResult = { outcome: 'nothing', reasons: ['no signal'] };

function open(
  run: (job: ReviewJob, signal: AbortSignal) => Promise<JobResult>,
  options: { concurrency?: number; timeoutMs?: number; log?: (line: string) => void } = {},
) {
  return openReviewQueue({ dir, run, now: () => new Date('2026-01-01T00:00:00Z'), ...options });
}

/** A job that ends only when it is stopped, as a model call does. */
function untilStopped(signal: AbortSignal): Promise<JobResult> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new KnackError('aborted', 'stopped')), { once: true }),
  );
}

test('a job is run once and leaves nothing behind', async () => {
  const ran: ReviewJob[] = [];
  const queue = await open(async (given) => {
    ran.push(given);
    return nothing;
  });
  await queue.add(job('a'));
  await queue.add(job('a'));
  await queue.onIdle();
  expect(ran.length).toBeLessThanOrEqual(2);
  expect(new Set(ran.map((given) => given.session))).toEqual(new Set(['a']));
  expect([await queue.status(), await readdir(dir)]).toEqual([
    {
      waiting: [],
      running: [],
      failed: [],
      ended: ran.map((given) => ({ ...given, ...nothing })),
      done: { nothing: ran.length },
    },
    [],
  ]);
});

test('a session that is added again while its review runs is reviewed again', async () => {
  let minute = 0;
  let release: () => void = () => undefined;
  let running: () => void = () => undefined;
  const isRunning = new Promise<void>((done) => {
    running = done;
  });
  let runs = 0;
  const queue = await openReviewQueue({
    dir,
    now: () => new Date(Date.UTC(2026, 0, 1, 0, minute++)),
    run: async () => {
      runs += 1;
      running();
      if (runs === 1)
        await new Promise<void>((done) => {
          release = done;
        });
      return nothing;
    },
  });
  await queue.add(job('a'));
  await isRunning;
  await queue.add(job('a'));
  release();
  await queue.onIdle();
  expect([runs, await readdir(dir)]).toEqual([2, []]);
});

test('one at a time unless told otherwise', async () => {
  let now = 0;
  let most = 0;
  const queue = await open(async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise(setImmediate);
    now -= 1;
    return nothing;
  });
  for (const name of ['a', 'b', 'c']) await queue.add(job(name));
  await queue.onIdle();
  expect([most, (await queue.status()).done]).toEqual([1, { nothing: 3 }]);
});

test('a failure is visible with its error, stops no other, and is done once it is tried again', async () => {
  let broken = true;
  const queue = await open(async ({ session }) => {
    if (session === 'throws' && broken) throw new TypeError('read of undefined');
    if (session === 'fails' && broken) return { outcome: 'failed', reasons: ['no model', 'none set'] };
    return { outcome: 'committed', reasons: [] };
  });
  for (const name of ['throws', 'fails', 'works']) await queue.add(job(name));
  await queue.onIdle();
  const status = await queue.status();
  expect(status.failed.map(({ session, error }) => [session, error]).sort()).toEqual([
    ['fails', 'no model; none set'],
    ['throws', 'read of undefined'],
  ]);
  expect(status.done).toEqual({ failed: 2, committed: 1 });
  broken = false;
  expect(await queue.retry(status.failed[0]?.id)).toBe(1);
  expect(await queue.retry()).toBe(1);
  await queue.onIdle();
  expect([(await queue.status()).failed, await readdir(dir)]).toEqual([[], []]);
});

test('a failed job is not run at the next start, but stays visible', async () => {
  const first = await open(() => Promise.reject(new Error('boom')));
  await first.add(job('a'));
  await first.onIdle();
  const second = await open(() => Promise.reject(new Error('was run')));
  await second.onIdle();
  expect((await second.status()).failed.map((failed) => failed.error)).toEqual(['boom']);
});

test('a review that takes too long is a failure that says so', async () => {
  const queue = await open((_, signal) => untilStopped(signal), { timeoutMs: 20 });
  await queue.add(job('slow'));
  await queue.onIdle();
  expect((await queue.status()).failed.map(({ session, error }) => [session, error])).toEqual([
    ['slow', 'it took longer than 0 seconds'],
  ]);
});

test('on shutdown what runs is stopped, and the next start runs all that is left, in order', async () => {
  let running: () => void = () => undefined;
  const isRunning = new Promise<void>((done) => {
    running = done;
  });
  const first = await open((_, signal) => {
    running();
    return untilStopped(signal);
  });
  await first.add(job('a'));
  await first.add(job('b'));
  await isRunning;
  expect(await first.drain(10)).toEqual({ left: 2 });
  const ran: string[] = [];
  const second = await open(async ({ session }) => {
    ran.push(session);
    return nothing;
  });
  await second.onIdle();
  expect([ran, await readdir(dir)]).toEqual([['a', 'b'], []]);
});

test('shutdown waits for what ends in time', async () => {
  let finish: (result: JobResult) => void = () => undefined;
  let running: () => void = () => undefined;
  const isRunning = new Promise<void>((done) => {
    running = done;
  });
  const queue = await open(() => {
    running();
    return new Promise<JobResult>((done) => {
      finish = done;
    });
  });
  await queue.add(job('a'));
  await isRunning;
  const drained = queue.drain(60_000);
  finish(nothing);
  expect([await drained, (await queue.status()).done]).toEqual([{ left: 0 }, { nothing: 1 }]);
});

test('shutdown does not hang on a review that cannot be stopped', async () => {
  const queue = await open(() => new Promise(() => undefined));
  await queue.add(job('stuck'));
  expect(await queue.drain(1)).toEqual({ left: 1 });
});

test('a file that is no job is shown with what to do, and the others run', async () => {
  await writeFile(join(dir, 'torn.json'), '{"session": "x", "fi');
  await writeFile(join(dir, 'other.json'), '[1]');
  const queue = await open(async () => nothing);
  await queue.add(job('a'));
  await queue.onIdle();
  const { failed, done } = await queue.status();
  expect([failed.map(({ id }) => id).sort(), done]).toEqual([['other', 'torn'], { nothing: 1 }]);
  expect(failed.every(({ error }) => error.endsWith('remove it'))).toBe(true);
});

test('another process leaves a running job alone, and takes it over after kill -9', async () => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', resolve(import.meta.dirname, '../support/queue-child.ts'), dir, 'a'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  const ran: string[] = [];
  const run = async ({ session }: ReviewJob) => {
    ran.push(session);
    return nothing;
  };
  const beside = await open(run);
  await beside.onIdle();
  expect([ran, (await beside.status()).waiting]).toEqual([[], [job('a')]]);
  child.kill('SIGKILL');
  await once(child, 'close');
  await (await open(run)).onIdle();
  expect([ran, await readdir(dir)]).toEqual([['a'], []]);
});
