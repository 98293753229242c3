import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { equalFolders, type Folder, fileText, readFolder, writeFolder } from '../../src/files/folder.ts';
import { createHistory } from '../../src/history/history.ts';
import { digestOf } from '../../src/history/tree.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

const PATH = process.env['PATH'] ?? '';
const GIT = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
let root = '';
beforeEach(async () => {
  root = join(await temporary('crash'), 'skills');
});

const openAt = (at: string, log: (line: string) => void = () => undefined) =>
  createHistory({ root: at, environment: { home: at, path: PATH }, log });
const gitAt = (at: string, ...args: string[]) =>
  execFileSync('git', ['-C', at, ...args], { encoding: 'utf8', env: { PATH, HOME: at } }).trim();
const isOpen = (at: string) => existsSync(join(at, '.git', 'knack', 'intent.json'));

/** The next start finds the old or the new version, committed and whole; answers with what it mended. */
async function expectWhole(at: string): Promise<string[]> {
  const lines: string[] = [];
  const after = openAt(at, (line) => lines.push(line));
  await after.open();
  const present = existsSync(join(at, 'csv')) ? await readFolder(join(at, 'csv')) : undefined;
  const committed = gitAt(at, 'for-each-ref') === '' ? undefined : await after.folderAt('csv', 'HEAD');
  expect(equalFolders(present, committed)).toBe(true);
  expect([
    gitAt(at, 'status', '--porcelain'),
    gitAt(at, 'fsck', '--strict', '--no-dangling'),
    isOpen(at),
  ]).toEqual(['', '', false]);
  const versions = present === undefined ? [] : (await after.log('csv')).map((revision) => revision.version);
  expect(versions).toEqual(versions.map((_, place) => `1.${versions.length - 1 - place}.0`));
  return lines;
}

/** Starts a process that commits; resolves when it has made its first. */
async function startWriter(at: string, skill: string, count: number, path = PATH) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', resolve(import.meta.dirname, '../support/writer-child.ts'), at, skill, String(count)],
    // A group of its own, so that it can be killed with its git.
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PATH: path }, detached: true },
  );
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<{ code: number | null; errors: string }>((done) =>
    child.on('close', (code) => done({ code, errors })),
  );
  await Promise.race([new Promise((ready) => child.stdout.once('data', ready)), ended]);
  return { child, ended };
}

test('20 writers in four processes make 20 revisions, five each of one skill and all of them whole', {
  timeout: 120_000,
}, async () => {
  const history = openAt(root);
  await history.open();
  const writers = await Promise.all(['a', 'a', 'b', 'b'].map((skill) => startWriter(root, skill, 5)));
  expect(await Promise.all(writers.map((writer) => writer.ended))).toEqual(
    writers.map(() => ({ code: 0, errors: '' })),
  );
  expect([
    (await history.log('a')).length,
    (await history.log('b')).length,
    gitAt(root, 'status', '--porcelain'),
    gitAt(root, 'fsck', '--strict'),
  ]).toEqual([10, 10, '', '']);
  expect(fileText(await readFolder(join(root, 'a')), 'SKILL.md')?.match(/- rule/g)?.length).toBe(10);
});

test('what stands is a whole version without uncommitted edits, also while another process writes', {
  timeout: 60_000,
}, async () => {
  const writer = await startWriter(root, 'csv', 1000);
  const history = openAt(root);
  for (let look = 0; look < 20; look += 1) {
    const { folder, ...rest } = await history.standing('csv');
    expect(rest).toEqual({ dirty: [], owner: 'learned' });
    const text = folder === undefined ? '' : fileText(folder, 'SKILL.md');
    const version = /version: "(.*)"/.exec(text ?? '')?.[1] ?? '';
    expect(equalFolders(folder, await history.folderAt('csv', version))).toBe(true);
  }
  writer.child.kill('SIGKILL');
  await writer.ended;
});

test('kill -9 at 50 moments after the journal was opened leaves the old or the new version', {
  timeout: 300_000,
}, async () => {
  const places = await Promise.all(Array.from({ length: 5 }, () => temporary('kill')));
  let open = 0;
  const mended = await Promise.all(
    places.map(async (place) => {
      const at = join(place, 'skills');
      const lines: string[] = [];
      for (let round = 0; round < 10; round += 1) {
        const writer = await startWriter(at, 'csv', 1000);
        while (!isOpen(at)) await new Promise((later) => setImmediate(later));
        // At once, and at moments spread over the time of a commit.
        if (round % 2 === 1) await new Promise((later) => setTimeout(later, 4 * round));
        // With the git that it runs, which leaves its locks, or without it, which ends what it does.
        const withGit = round % 4 > 1;
        process.kill(withGit ? -Number(writer.child.pid) : Number(writer.child.pid), 'SIGKILL');
        await writer.ended;
        if (withGit)
          for (const lock of ['index.lock', 'HEAD.lock', 'refs/heads/main.lock'])
            await rm(join(at, '.git', lock), { force: true });
        if (isOpen(at)) open += 1;
        lines.push(...(await expectWhole(at)));
      }
      return lines;
    }),
  );
  // Those that were killed at once at the least.
  expect(open).toBeGreaterThanOrEqual(25);
  expect(mended.flat().length).toBe(open);
});

const GIT_STEPS: [title: string, script: string, mended: string][] = [
  [
    'before it is staged',
    `*' update-index '*) kill -9 $PPID; exit 1;;`,
    'csv: an interrupted change was finished',
  ],
  [
    'after it was staged',
    `*' update-index '*) ${GIT} "$@"; kill -9 $PPID; exit 1;;`,
    'csv: an interrupted change was finished',
  ],
  [
    'before the commit',
    `*' fast-import '*) kill -9 $PPID; exit 1;;`,
    'csv: an interrupted change was finished',
  ],
  [
    'after the commit, with an index from before it',
    `*' update-index '*) cp .git/index .git/before; exec ${GIT} "$@";; *' fast-import '*) ${GIT} "$@"; mv .git/before .git/index; kill -9 $PPID; exit 1;;`,
    'csv: the last change had been committed before the interruption',
  ],
  [
    'after the commit',
    `*' fast-import '*) ${GIT} "$@"; kill -9 $PPID; exit 1;;`,
    'csv: the last change had been committed before the interruption',
  ],
];

test.each(GIT_STEPS)(
  'a process that is killed %s leaves a change that the next start mends',
  async (_, script, mended) => {
    await (await startWriter(root, 'csv', 1)).ended;
    const bin = await temporary('bin');
    await writeFile(join(bin, 'git'), `#!/bin/sh\ncase "$*" in ${script} esac\nexec ${GIT} "$@"\n`, {
      mode: 0o755,
    });
    const writer = await startWriter(root, 'csv', 1, `${bin}:${PATH}`);
    expect([await writer.ended, isOpen(root)]).toEqual([{ code: null, errors: '' }, true]);
    expect(await expectWhole(root)).toEqual([mended]);
    expect((await openAt(root).log('csv')).length).toBe(2);
  },
);

test('the git of a killed process that lives on for a moment and commits is not in the way of the mending', async () => {
  await (await startWriter(root, 'csv', 1)).ended;
  const bin = await temporary('bin');
  const script = `#!/bin/sh\ncase "$*" in *' fast-import '*) kill -9 $PPID;; esac\nexec ${GIT} "$@"\n`;
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  await (await startWriter(root, 'csv', 1, `${bin}:${PATH}`)).ended;
  await openAt(root).open();
  expect((await openAt(root).log('csv')).length).toBe(2);
  await expectWhole(root);
});

const one = folderOf({ 'SKILL.md': skillText('csv', 'old') });
const two = folderOf({ 'SKILL.md': skillText('csv', 'new', { version: '1.1.0' }) });
const SWAP_STEPS: [
  title: string,
  base: Folder | undefined,
  steps: number,
  mended: string,
  left: Folder | undefined,
][] = [
  ['before a skill is moved aside', one, 0, 'csv: an interrupted change was undone', one],
  [
    'between moving a skill aside and moving the next in',
    one,
    1,
    'csv: an interrupted change was undone',
    one,
  ],
  ['after moving the next in', one, 2, 'csv: an interrupted change was finished', two],
  ['before a new skill is moved in', undefined, 1, 'csv: an interrupted change was undone', undefined],
  ['after a new skill was moved in', undefined, 2, 'csv: an interrupted change was finished', two],
];

test.each(SWAP_STEPS)(
  'a crash %s leaves a change that the next start mends',
  async (_, base, steps, mended, left) => {
    const history = openAt(root);
    await history.open();
    if (base !== undefined)
      await history.commit({ skill: 'csv', base: undefined, target: base, to: '1.0.0', ...COMMON });
    const area = join(root, '.git', 'knack');
    await mkdir(area, { recursive: true });
    await writeFolder(join(area, 'next'), two);
    await writeFile(join(area, 'message'), 'a change\n');
    const intent = { skill: 'csv', base: digestOf(base), target: digestOf(two) };
    await writeFile(join(area, 'intent.json'), JSON.stringify(intent));
    if (steps > 0 && base !== undefined) await rename(join(root, 'csv'), join(area, 'previous'));
    if (steps > 1) await rename(join(area, 'next'), join(root, 'csv'));
    const lines: string[] = [];
    await openAt(root, (line) => lines.push(line)).open();
    const present = existsSync(join(root, 'csv')) ? await readFolder(join(root, 'csv')) : undefined;
    expect([lines, equalFolders(present, left), gitAt(root, 'status', '--porcelain'), isOpen(root)]).toEqual([
      [mended],
      true,
      '',
      false,
    ]);
  },
);

test('whatever a killed writer left in the write area is gone after the next change', async () => {
  const history = openAt(root);
  await history.open();
  const area = join(root, '.git', 'knack');
  await writeFolder(join(area, 'next'), two);
  // The intent before it takes its name, as a kill amid its writing leaves it.
  await writeFile(join(area, 'intent.json.1234567'), '{"skill":"csv","ba');
  await history.commit({ skill: 'csv', base: undefined, target: one, to: '1.0.0', ...COMMON });
  expect([await readdir(area), gitAt(root, 'status', '--porcelain')]).toEqual([[], '']);
});

const COMMON = { what: 'x', why: 'y', actor: 'reviewer', sessions: [], operations: [] } as const;
