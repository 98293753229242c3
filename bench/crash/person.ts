import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Somebody who works with git in the same repository, beside the skills. */
export interface Person {
  /** What differs from how the person left it: files, and what is staged. */
  faults(): Promise<string[]>;
  pause(): Promise<void>;
  go(): void;
  /** Calls of git that worked. */
  readonly calls: number;
  stop(): Promise<void>;
}

/** Looks at the status and the log, and stages a file of their own now and then, as fast as git answers. */
export async function startPerson(root: string, environment: Record<string, string>): Promise<Person> {
  const git = (...args: string[]) => run('git', ['-C', root, ...args], { env: environment });
  const staged: string[] = [];
  const untracked = join(root, 'notes-of-mine.txt');
  await writeFile(untracked, 'mine\n');
  const state: { stopped: boolean; paused: boolean; idle: boolean; calls: number } = {
    stopped: false,
    paused: false,
    idle: false,
    calls: 0,
  };
  const stage = async (number: number) => {
    const name = `mine-${number}.txt`;
    await writeFile(join(root, name), `${number}\n`);
    // Another git may hold the index; then it is tried again at the next turn.
    const isStaged = await git('add', '--', name).then(
      () => true,
      () => false,
    );
    if (isStaged) staged.push(name);
    else await git('rm', '--cached', '--quiet', '--ignore-unmatch', '--', name).catch(() => undefined);
    return isStaged;
  };
  const work = (async () => {
    for (let number = 0; !state.stopped; number += 1) {
      state.idle = state.paused;
      if (state.paused) {
        await new Promise((later) => setTimeout(later, 20));
        continue;
      }
      const worked =
        number % 20 === 0
          ? await stage(number)
          : await git(...(number % 2 === 0 ? ['status', '--porcelain'] : ['log', '--oneline', '-3'])).then(
              () => true,
              () => false,
            );
      if (worked) state.calls += 1;
      await new Promise((later) => setTimeout(later, 300));
    }
  })();
  return {
    async faults() {
      const found: string[] = [];
      if ((await readFile(untracked, 'utf8').catch(() => '')) !== 'mine\n')
        found.push('the untracked file changed');
      for (const name of staged)
        if ((await readFile(join(root, name), 'utf8').catch(() => '')) !== `${/\d+/.exec(name)?.[0]}\n`)
          found.push(`${name} changed`);
      const { stdout } = await git('diff', '--cached', '--name-only');
      const inIndex = stdout.split('\n').filter((name) => name.startsWith('mine-'));
      for (const name of staged) if (!inIndex.includes(name)) found.push(`${name} is staged no more`);
      const committed = (await git('ls-tree', '--name-only', 'HEAD')).stdout.split('\n');
      for (const name of committed) if (name.includes('mine')) found.push(`${name} was committed`);
      return found;
    },
    async pause() {
      state.paused = true;
      while (!state.idle) await new Promise((later) => setTimeout(later, 20));
    },
    go() {
      state.paused = false;
    },
    get calls() {
      return state.calls;
    },
    async stop() {
      state.stopped = true;
      await work;
    },
  };
}
