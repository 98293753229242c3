import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createHistory } from '../../src/history/history.ts';
import { withLock } from '../../src/history/lock.ts';
import { temporary } from '../support/skills.ts';

let file = '';
beforeEach(async () => {
  file = join(await temporary('lock'), 'counter');
  await writeFile(file, '0');
});

function start(count: number) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', resolve(import.meta.dirname, '../support/lock-child.ts'), file, String(count)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const holds = new Promise((ready) => child.stdout.once('data', ready));
  const ended = new Promise<string>((done) => child.on('close', () => done(errors)));
  return { child, holds, ended };
}

/** A process that holds the lock and dies. */
async function dieHolding(): Promise<void> {
  const { child, holds, ended } = start(0);
  await holds;
  child.kill('SIGKILL');
  await ended;
}

test('one process holds it at a time, and waits for another in the same process too', async () => {
  const order: string[] = [];
  const hold = (name: string) =>
    withLock(file, async () => {
      order.push(`${name} in`);
      await readFile(file);
      order.push(`${name} out`);
    });
  await Promise.all([hold('a'), hold('b'), hold('c')]);
  expect(order.map((step) => step.split(' ')[1])).toEqual(['in', 'out', 'in', 'out', 'in', 'out']);
  expect(await readdir(dirname(file))).toEqual(['counter']);
});

test('of four processes that find the lock of one that died, one at a time takes it, and nothing is left', {
  timeout: 120_000,
}, async () => {
  await dieHolding();
  expect(existsSync(`${file}.lock`)).toBe(true);
  const children = [10, 10, 10, 10].map((count) => start(count));
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual(['', '', '', '']);
  expect(await readFile(file, 'utf8')).toBe('40');
  expect(await readdir(dirname(file))).toEqual(['counter']);
});

test('many that find the same dead lock at the same moment take it one after the other', async () => {
  for (let round = 0; round < 20; round += 1) {
    await writeFile(`${file}.lock`, `${process.pid} ${hostname()} of-an-earlier-process`);
    let inside = 0;
    const most = await Promise.all(
      Array.from({ length: 8 }, () =>
        withLock(file, async () => {
          inside += 1;
          const seen = inside;
          await readFile(file);
          inside -= 1;
          return seen;
        }),
      ),
    );
    expect(most).toEqual(Array.from({ length: 8 }, () => 1));
  }
});

const LEFT: [title: string, content: string, age: number][] = [
  ['made and not signed', '', 3],
  ['of another host that is silent for long', '1 elsewhere x', 61],
  ['of a number that was given anew to a process that lives', `${process.ppid} ${hostname()} x`, 61],
];
test.each(LEFT)('a lock %s is taken over', async (_, content, age) => {
  await writeFile(`${file}.lock`, content);
  const then = new Date(Date.now() - age * 1000);
  await utimes(`${file}.lock`, then, then);
  expect(await withLock(file, async () => 'done')).toBe('done');
});

test('what the guard of a takeover was left by a process that died does not keep it', async () => {
  await dieHolding();
  await writeFile(`${file}.lock.removing`, await readFile(`${file}.lock`));
  expect(await withLock(file, async () => 'done')).toBe('done');
  expect(await readdir(dirname(file))).toEqual(['counter']);
});

test('a process that lives keeps its lock, however long it was stopped within a minute', async () => {
  const { child, holds, ended } = start(0);
  await holds;
  child.kill('SIGSTOP');
  const then = new Date(Date.now() - 30_000);
  await utimes(`${file}.lock`, then, then);
  const taken = withLock(file, async () => child.signalCode);
  child.kill('SIGKILL');
  await ended;
  expect(await taken).toBe('SIGKILL');
});

test('a folder that cannot be written to is an error at once that names the lock', async () => {
  await expect(withLock(join(file, 'x'), async () => 'done')).rejects.toMatchObject({
    code: 'io',
    message: expect.stringContaining(`${file}/x.lock`) as string,
  });
});

test('of many that make a repository at once one does, and all find it', async () => {
  const [home, bin, path] = [await temporary('lock'), await temporary('bin'), process.env['PATH'] ?? ''];
  // Two at once get in each other's way for certain, as git's own do now and then.
  const script = `case "$*" in *init*) mkdir '${bin}/one' || exit 1; sleep 0.2; rmdir '${bin}/one';; esac`;
  await writeFile(join(bin, 'git'), `#!/bin/sh\n${script}\nPATH='${path}' exec git "$@"\n`, { mode: 0o755 });
  const root = join(home, 'skills');
  const environment = { home, path: `${bin}:${path}` };
  const histories = Array.from({ length: 4 }, () => createHistory({ root, environment }));
  await Promise.all(histories.map((history) => history.open()));
  expect(await readdir(root)).toEqual(['.git']);
});
