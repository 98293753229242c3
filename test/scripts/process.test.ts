import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasSystemCode } from '../../src/errors.ts';
import { runProcess } from '../../src/scripts/process.ts';
import { temporary } from '../support/skills.ts';

const LONG = 600;

function run(script: string, more: Partial<Parameters<typeof runProcess>[0]> = {}) {
  return runProcess({
    command: ['sh', '-c', script],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: '/',
    timeoutSeconds: LONG,
    ...more,
  });
}

/** Resolves when no process has this number any more; a killed one is there until it is reaped. */
async function isGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      if (/^State:\tZ/m.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tZ'))) return;
    } catch (error) {
      if (hasSystemCode(error, 'ESRCH')) return;
      throw error;
    }
    await new Promise(setImmediate);
  }
}

describe('a program that leaves a child behind, which holds its pipes', () => {
  test('is over when it ends, with its output, and the child is ended', async () => {
    const outcome = await run(`sleep ${LONG} & echo $!`);
    expect(outcome).toMatchObject({ exitCode: 0, timedOut: false, truncated: false, stderr: '' });
    await isGone(Number(outcome.stdout));
  });

  test('is over also when the child has left the group', async () => {
    const file = join(await temporary('process'), 'pid');
    const outcome = await run(
      `setsid sh -c 'echo $$ > ${file}; exec sleep ${LONG}' & until [ -s ${file} ]; do :; done; echo done`,
    );
    expect(outcome).toMatchObject({ exitCode: 0, timedOut: false, stdout: 'done\n' });
    process.kill(await written(file), 'SIGKILL');
  });

  test('and waits for it is ended with it at the time limit', async () => {
    const outcome = await run(`sleep ${LONG} & echo $!; wait`, { timeoutSeconds: 0.2 });
    expect([outcome.timedOut, outcome.exitCode]).toEqual([true, undefined]);
    await isGone(Number(outcome.stdout));
  });

  test('and waits for it is ended with it by an abort', async () => {
    const file = join(await temporary('process'), 'pid');
    const stop = new AbortController();
    const running = run(`sleep ${LONG} & echo $! > ${file}.new; mv ${file}.new ${file}; wait`, {
      signal: stop.signal,
    });
    const pid = await written(file);
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    await isGone(pid);
  });
});

test('all of a large output is there', async () => {
  const { stdout } = await run("head -c 200000 /dev/zero | tr '\\0' a; echo end");
  expect([stdout.length, stdout.slice(-5)]).toEqual([200_004, 'aend\n']);
});

async function written(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (hasSystemCode(error, 'ENOENT')) return undefined;
      throw error;
    });
    if (text !== undefined) return Number(text);
    await new Promise(setImmediate);
  }
}
