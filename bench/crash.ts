/**
 * Commits, rollbacks, revocations and hand-overs by two processes at once that are killed at random moments, with a
 * person's git beside. Run: `npx tsx bench/crash.ts [operations] [seed]`. Ends with 1 if anything was lost or left.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { equalFolders, readFolder } from '../src/files/folder.ts';
import { createHistory } from '../src/history/history.ts';
import { temporary } from '../test/support/skills.ts';
import { startPerson } from './crash/person.ts';
import { SKILLS } from './crash/skills.ts';
import { createRandom } from './rot/random.ts';

const operations = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? 7);
/** The longest time between two kills, in milliseconds. */
const LONGEST_LIFE = 9000;
/** Every so often both are killed with the git that they run. */
const WITH_GIT_SHARE = 0.3;

const random = createRandom(seed);
const root = join(await temporary('crashes'), 'skills');
const environment = { PATH: process.env['PATH'] ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', env: environment });
const made = new Set<string>();
const counts = { kills: 0, withGit: 0, mended: {} as Record<string, number>, staleLocks: 0 };
const faults: string[] = [];

interface Writer {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

function startWriter(number: number): Writer {
  const file = resolve(import.meta.dirname, 'crash/child.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', file, root, String(number)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that it can be killed with its git.
    detached: true,
  });
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) made.add(line);
  });
  child.stderr.on('data', (chunk: Buffer) =>
    faults.push(`writer ${number}: ${chunk.toString().slice(0, 600)}`),
  );
  return { child, ended: new Promise((done) => child.on('close', done)) };
}

/** Opens the library anew, as the next start does, and looks at every skill while nobody writes. */
async function check(): Promise<void> {
  const log = (line: string) => {
    const kind = line.replace(/^\S+: /, '');
    counts.mended[kind] = (counts.mended[kind] ?? 0) + 1;
  };
  const history = createHistory({ root, environment: { home: root, path: environment.PATH }, log });
  await history.settled(async () => {
    for (const skill of SKILLS) {
      const dir = join(root, skill);
      const present = existsSync(dir) ? await readFolder(dir) : undefined;
      if (!equalFolders(present, await history.committed(skill)))
        faults.push(`after kill ${counts.kills}: ${skill} is not what was last committed`);
    }
    const area = join(root, '.git/knack');
    const left = existsSync(area) ? readdirSync(area) : [];
    if (left.length > 0)
      faults.push(`after kill ${counts.kills}: ${left.join(', ')} left in the staging area`);
    const known = new Set(git('rev-list', 'HEAD').split('\n'));
    for (const sha of made)
      if (!known.has(sha)) faults.push(`after kill ${counts.kills}: commit ${sha} is lost`);
  });
  faults.push(...(await person.faults()).map((fault) => `after kill ${counts.kills}: ${fault}`));
}

/** A git that was killed leaves its locks; knack names them and lets whoever runs the machine remove them. */
function removeStaleLocks(): void {
  const folders = ['.git', '.git/refs/heads'].map((part) => join(root, part));
  for (const folder of folders)
    for (const name of readdirSync(folder))
      if (name.endsWith('.lock') && !name.startsWith('knack')) {
        rmSync(join(folder, name));
        counts.staleLocks += 1;
      }
}

await createHistory({ root, environment: { home: root, path: environment.PATH } }).open();
const person = await startPerson(root, environment);
let number = seed * 100_000;
const next = () => {
  number += 1;
  return startWriter(number);
};
let writers: [Writer, Writer] = [next(), next()];
while (made.size === 0) await new Promise((later) => setTimeout(later, 50));
for (let shown = 0; made.size < operations; ) {
  await new Promise((later) => setTimeout(later, random.next() * LONGEST_LIFE));
  counts.kills += 1;
  if (random.next() < WITH_GIT_SHARE) {
    counts.withGit += 1;
    for (const { child } of writers) process.kill(-Number(child.pid), 'SIGKILL');
    await Promise.all(writers.map(({ ended }) => ended));
    await person.pause();
    removeStaleLocks();
    await check();
    person.go();
    writers = [next(), next()];
  } else {
    const [killed, other] = random.next() < 0.5 ? writers : [writers[1], writers[0]];
    killed.child.kill('SIGKILL');
    await killed.ended;
    await check();
    writers = [other, next()];
  }
  if (made.size >= shown + 100) {
    shown = made.size;
    process.stderr.write(`${made.size} commits, ${counts.kills} kills, ${faults.length} faults\n`);
  }
}
for (const { child } of writers) child.kill('SIGKILL');
await Promise.all(writers.map(({ ended }) => ended));
await person.stop();
removeStaleLocks();
await check();
const fsck = git('fsck', '--strict', '--no-dangling').trim();
const subjects = git('log', '--format=%s').split('\n').filter(Boolean);
const count = (pattern: RegExp) => subjects.filter((subject) => pattern.test(subject)).length;
process.stdout.write(
  `${JSON.stringify(
    {
      commits: subjects.length,
      reported: made.size,
      rollbacks: count(/roll back to|out of the library/),
      revocations: count(/take out what/),
      handOvers: count(/hand over/),
      ...counts,
      personCalls: person.calls,
      fsck: fsck === '' ? 'clean' : fsck,
      faults: [...new Set(faults)],
    },
    undefined,
    1,
  )}\n`,
);
process.exitCode = faults.length > 0 || fsck !== '' ? 1 : 0;
