import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Folder, textFile, withFile, writeFolder } from '../../src/files/folder.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import type { Change } from '../../src/history/revision.ts';
import { digestOf } from '../../src/history/tree.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

const PATH = process.env['PATH'] ?? '';
let home = '';
let root = '';
let history: History;
beforeEach(async () => {
  home = await temporary('private');
  root = join(home, 'skills');
  history = open();
});

const open = (log: (line: string) => void = () => undefined) =>
  createHistory({ root, environment: { home, path: PATH }, log });
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', env: { PATH, HOME: home } }).trim();

const version = (number: string, body = number) =>
  folderOf({ 'SKILL.md': skillText('csv', body, { version: number }) });
const one = version('1.0.0');
const two = withFile(version('1.1.0'), 'references/a.md', textFile('a\n'));
const change = (base: Folder | undefined, target: Folder, to: string): Change => ({
  skill: 'csv',
  base,
  target,
  to,
  what: 'x',
  why: 'y',
  actor: 'reviewer',
  sessions: [],
  operations: [],
});

async function write(files: Record<string, string>, below = join(root, 'csv')): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(below, path)), { recursive: true });
    await writeFile(join(below, path), text);
  }
}

const MINE = {
  '.env': 'TOKEN=mine\n',
  'local/notes.txt': 'mine\n',
  'node_modules/dep/index.js': '1\n',
  'references/scratch.tmp': 'mine\n',
};
const PATTERNS = '.env\n**/local/notes.txt\nnode_modules/\n*.tmp\n.venv\n';
const mine = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.keys(MINE).map(async (path) => [
        path,
        await readFile(join(root, 'csv', path), 'utf8').catch(() => 'gone'),
      ]),
    ),
  ) as Record<string, string>;
const everTracked = () =>
  new Set(
    git('log', '--all', '--format=', '--name-only')
      .split('\n')
      .filter((path) => path.startsWith('csv/')),
  );

/** Has git ignore what is the person's, each way that it knows. */
const WAYS: [title: string, ignore: () => Promise<unknown>][] = [
  [
    'a .gitignore',
    async () => {
      await write({ '.gitignore': PATTERNS }, root);
      git('add', '.gitignore');
      git('-c', 'user.name=p', '-c', 'user.email=p@localhost', 'commit', '-qm', 'ignore');
    },
  ],
  ['the excludes of the repository', () => write({ '.git/info/exclude': PATTERNS }, root)],
  [
    'the excludes of the person',
    async () => {
      await write({ '.gitconfig': `[core]\n\texcludesFile = ${home}/ignored\n`, ignored: PATTERNS }, home);
    },
  ],
];

test.each(WAYS)('what git ignores by %s is neither read, committed nor moved away', async (_, ignore) => {
  await history.commit(change(undefined, one, '1.0.0'));
  await ignore();
  await write(MINE);
  // As Python makes them: they lead out of the skill.
  await symlink('/usr', join(root, 'csv', '.venv'));
  expect(await history.standing('csv')).toMatchObject({ folder: one, dirty: [] });
  expect(await history.commit(change(one, two, '1.1.0'))).toMatchObject({ kind: 'committed' });
  expect([await mine(), existsSync(join(root, 'csv', '.venv')), git('status', '--porcelain')]).toEqual([
    MINE,
    true,
    '',
  ]);
  expect(await history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
  expect([await mine(), git('rev-parse', 'HEAD:csv')]).toEqual([MINE, git('rev-parse', 'HEAD:csv')]);
  expect(await history.rollback('csv', 'none', 'x')).toMatchObject({ kind: 'committed' });
  expect([await mine(), existsSync(join(root, 'csv', 'SKILL.md')), git('ls-files', 'csv')]).toEqual([
    MINE,
    false,
    '',
  ]);
  expect((await history.standing('csv')).folder).toBeUndefined();
  expect(await history.rollback('csv', '1.1.0', 'x')).toMatchObject({ kind: 'committed' });
  expect([await mine(), (await history.standing('csv')).folder, git('status', '--porcelain')]).toEqual([
    MINE,
    two,
    '',
  ]);
  expect(everTracked()).toEqual(new Set(['csv/SKILL.md', 'csv/references/a.md']));
});

test('a file that is tracked is part of the skill whatever ignores it', async () => {
  const tracked = withFile(one, 'data/table.tmp', textFile('t\n'));
  await history.commit(change(undefined, tracked, '1.0.0'));
  await write({ '.git/info/exclude': '*.tmp\ndata/\n' }, root);
  await write({ 'data/mine.tmp': 'mine\n' });
  const next = withFile(withFile(two, 'data/table.tmp', textFile('u\n')), 'SKILL.md', two.get('SKILL.md'));
  expect(await history.commit(change(tracked, next, '1.1.0'))).toMatchObject({ kind: 'committed' });
  expect([
    git('show', 'HEAD:csv/data/table.tmp'),
    await readFile(join(root, 'csv/data/mine.tmp'), 'utf8'),
  ]).toEqual(['u', 'mine\n']);
  expect(await history.rollback('csv', '1.0.0', 'x')).toMatchObject({ kind: 'committed' });
  expect([git('ls-files', 'csv'), await readFile(join(root, 'csv/data/mine.tmp'), 'utf8')]).toEqual([
    'csv/SKILL.md\ncsv/data/table.tmp',
    'mine\n',
  ]);
});

test('a rollback brings back a file that is ignored by now, unless one of the person is in its place', async () => {
  const before = withFile(one, 'data.tmp', textFile('old\n'));
  await history.commit(change(undefined, before, '1.0.0'));
  await history.commit(change(before, two, '1.1.0'));
  await write({ '.git/info/exclude': PATTERNS }, root);
  await write({ 'data.tmp': 'mine\n' });
  expect(await history.rollback('csv', '1.0.0', 'x')).toEqual({ kind: 'dirty', files: ['csv/data.tmp'] });
  expect(await readFile(join(root, 'csv/data.tmp'), 'utf8')).toBe('mine\n');
  await rename(join(root, 'csv/data.tmp'), join(home, 'data.tmp'));
  expect(await history.rollback('csv', '1.0.0', 'x')).toMatchObject({ kind: 'committed' });
  expect([git('ls-files', 'csv'), (await history.standing('csv')).folder]).toEqual([
    'csv/SKILL.md\ncsv/data.tmp',
    before,
  ]);
});

const IGNORING: [title: string, path: string, line: string, file: string, ignore: () => Promise<unknown>][] =
  [
    [
      'the excludes of the repository',
      'a.tmp',
      '*.tmp, line 2',
      'skills/.git/info/exclude',
      () => write({ '.git/info/exclude': '# mine\n*.tmp\n!b.tmp\n' }, root),
    ],
    [
      'a .gitignore',
      'a.tmp',
      'csv/*.tmp, line 1',
      'skills/.gitignore',
      () => write({ '.gitignore': 'csv/*.tmp\n' }, root),
    ],
    [
      'the excludes of the person',
      'a b.tmp',
      'a b*, line 1',
      'ignored',
      () => write({ '.gitconfig': `[core]\n\texcludesFile = ${home}/ignored\n`, ignored: 'a b*\n' }, home),
    ],
  ];

test.each(IGNORING)(
  'a change that adds what git ignores by %s is not written; it is told by which pattern of which file',
  async (_, path, line, file, ignore) => {
    await history.commit(change(undefined, one, '1.0.0'));
    await ignore();
    const added = withFile(withFile(two, path, textFile('x')), 'b.tmp', textFile('x'));
    const next = file.endsWith('exclude') ? added : withFile(two, path, textFile('x'));
    expect(await history.commit(change(one, next, '1.1.0'))).toEqual({
      kind: 'unavailable',
      why: `git ignores csv/${path} by the pattern ${line} of ${join(home, file)}; change that first`,
    });
    expect([existsSync(join(root, 'csv', path)), git('status', '--porcelain', 'csv')]).toEqual([false, '']);
  },
);

test('a change that adds what no folder is read with is not written', async () => {
  await history.commit(change(undefined, one, '1.0.0'));
  const next = withFile(two, 'node_modules/a.js', textFile('x'));
  expect(await history.commit(change(one, next, '1.1.0'))).toEqual({
    kind: 'unavailable',
    why: 'csv/node_modules/a.js is in a folder that is never read back; leave it out',
  });
  expect(existsSync(join(root, 'csv/node_modules'))).toBe(false);
});

test('a skill that is new in a folder with files of the person stands beside them', async () => {
  await history.open();
  await write({ '.git/info/exclude': PATTERNS }, root);
  await write(MINE);
  expect(await history.commit(change(undefined, two, '1.0.0'))).toMatchObject({ kind: 'committed' });
  expect([await mine(), git('ls-files')]).toEqual([MINE, 'csv/SKILL.md\ncsv/references/a.md']);
});

const STEPS: [
  title: string,
  steps: number,
  target: Folder | undefined,
  mended: string,
  left: Folder | undefined,
][] = [
  ['before the skill is moved aside', 0, two, 'undone', one],
  ['after it was moved aside', 1, two, 'undone', one],
  ['after the next was moved in', 2, two, 'finished', two],
  ['after a part was carried over', 3, two, 'finished', two],
  ['while it is being put back', 4, two, 'undone', one],
  ['after it was put back', 5, two, 'undone', one],
  ['before it is taken out', 0, undefined, 'undone', one],
  ['after it was taken out', 1, undefined, 'finished', undefined],
];

test.each(STEPS)('a crash %s loses no file of the person', async (_, steps, target, mended, left) => {
  await history.commit(change(undefined, one, '1.0.0'));
  await write({ '.git/info/exclude': PATTERNS }, root);
  await write(MINE);
  const area = join(root, '.git', 'knack');
  const [dir, next, previous] = [join(root, 'csv'), join(area, 'next'), join(area, 'previous')];
  if (target !== undefined) await writeFolder(next, target);
  await mkdir(area, { recursive: true });
  await writeFile(join(area, 'message'), 'a change\n');
  const own = [...new Set([...one.keys(), ...(target?.keys() ?? [])])];
  const intent = { skill: 'csv', base: digestOf(one), target: digestOf(target), own };
  await writeFile(join(area, 'intent.json'), JSON.stringify(intent));
  if (steps > 0) await rename(dir, previous);
  if (steps > 1) await rename(next, dir);
  if (steps > 2) await rename(join(previous, '.env'), join(dir, '.env'));
  if (steps > 3) await rename(dir, next);
  if (steps > 4) await rename(previous, dir);
  const lines: string[] = [];
  const after = open((line) => lines.push(line));
  await after.open();
  expect(lines).toEqual([`csv: an interrupted change was ${mended}`]);
  expect([await mine(), (await after.standing('csv')).folder, git('status', '--porcelain')]).toEqual([
    MINE,
    left,
    '',
  ]);
});

test('a change that fails puts the old version back with all files of the person', async () => {
  await history.commit(change(undefined, one, '1.0.0'));
  await write({ '.git/info/exclude': PATTERNS }, root);
  await write(MINE);
  await write(
    {
      'bin/git': `#!/bin/sh\ncase "$*" in *' fast-import '*) echo broken >&2; exit 1;; esac\nPATH='${PATH}' exec git "$@"\n`,
    },
    home,
  );
  execFileSync('chmod', ['+x', join(home, 'bin/git')]);
  const other = createHistory({ root, environment: { home, path: `${home}/bin:${PATH}` } });
  await expect(other.commit(change(one, two, '1.1.0'))).rejects.toMatchObject({ code: 'git-failed' });
  expect([await mine(), (await history.standing('csv')).folder, git('status', '--porcelain')]).toEqual([
    MINE,
    one,
    '',
  ]);
});
