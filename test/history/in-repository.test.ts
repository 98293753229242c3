import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Folder, readFolder } from '../../src/files/folder.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

const PATH = process.env['PATH'] ?? '';
let home = '';
let team = '';
let root = '';
let history: History;

beforeEach(async () => {
  home = await temporary('in-repository');
  team = join(home, 'team');
  git('init', '-q', '-b', 'main', team);
  await mkdir(join(team, 'agents/skills'), { recursive: true });
  await writeFile(join(team, 'code.txt'), 'one\n');
  git('-C', team, 'add', '.');
  git('-C', team, 'commit', '-qm', 'first');
  root = join(team, 'agents/skills');
  history = openAt(root);
});

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=p', '-c', 'user.email=p@localhost', ...args], {
    encoding: 'utf8',
    env: { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
const openAt = (dir: string) =>
  createHistory({ root: dir, environment: { home, path: PATH }, inRepository: true });
const version = (number: string, body: string, more: Record<string, string> = {}): Folder =>
  folderOf({ 'SKILL.md': skillText('csv', body, { version: number }), ...more });
const change = (base: Folder | undefined, target: Folder, to: string) =>
  ({
    skill: 'csv',
    base,
    target,
    to,
    what: `change to ${to}`,
    why: 'y',
    actor: 'reviewer',
    sessions: [],
    operations: [],
  }) as const;

const one = version('1.0.0', '- One.', { 'scripts/a.sh': 'a' });
const two = version('1.1.0', '- One.\n- Two.');

test('a revision is a commit of the repository around the folder, of the paths of the skill alone', async () => {
  await writeFile(join(team, 'code.txt'), 'two\n');
  git('-C', team, 'add', 'code.txt');
  await writeFile(join(team, 'code.txt'), 'three\n');
  await writeFile(join(team, 'new.txt'), 'x');
  expect(await history.commit(change(undefined, one, '1.0.0'))).toMatchObject({ kind: 'committed' });
  expect(existsSync(join(root, '.git'))).toBe(false);
  expect(git('-C', team, 'show', '--name-only', '--format=%s').split('\n')).toEqual([
    expect.stringMatching(/^skill\(csv\)/),
    '',
    'agents/skills/csv/SKILL.md',
    'agents/skills/csv/scripts/a.sh',
  ]);
  expect(git('-C', team, 'status', '--porcelain').split('\n')).toEqual(['MM code.txt', '?? new.txt']);
});

test('log, diff, blame, rollback and ownership know the skill and nothing else of the repository', async () => {
  await history.commit(change(undefined, one, '1.0.0'));
  git('-C', team, 'commit', '-q', '--allow-empty', '-m', 'of the team');
  await writeFile(join(team, 'code.txt'), 'two\n');
  git('-C', team, 'commit', '-qam', 'code');
  await history.commit(change(one, two, '1.1.0'));
  for (const revisions of [await history.log('csv'), await history.logAll()])
    expect(revisions.map(({ skill, version: number }) => [skill, number])).toEqual([
      ['csv', '1.1.0'],
      ['csv', '1.0.0'],
    ]);
  expect(await history.folderAt('csv', '1.0.0')).toEqual(one);
  expect(await history.diff('csv', '1.0.0', '1.1.0')).toContain('+- Two.');
  expect((await history.blame('csv')).map((line) => line.version).at(-1)).toBe('1.1.0');
  expect(await history.ownership('csv')).toBe('learned');
  expect(await history.rollback('csv', '1.0.0', 'worse')).toMatchObject({ kind: 'committed' });
  expect(await readFolder(join(root, 'csv'))).toEqual(one);
  expect(await readFile(join(team, 'code.txt'), 'utf8')).toBe('two\n');
});

test('an edit of a person is seen, and a detached HEAD or a merge of theirs is left alone', async () => {
  await history.commit(change(undefined, one, '1.0.0'));
  await writeFile(join(root, 'csv/SKILL.md'), skillText('csv', '- Mine.'));
  expect(await history.commit(change(one, two, '1.1.0'))).toEqual({
    kind: 'dirty',
    files: ['agents/skills/csv/SKILL.md'],
  });
  git('-C', team, 'checkout', '-q', '--', '.');
  git('-C', team, 'checkout', '-q', '--detach');
  expect(await history.commit(change(one, two, '1.1.0'))).toMatchObject({
    kind: 'unavailable',
    why: expect.stringContaining('HEAD is detached'),
  });
});

test('two folders of skills in one repository keep out of the way of each other', async () => {
  const other = openAt(join(team, 'more'));
  await Promise.all([
    history.commit(change(undefined, one, '1.0.0')),
    other.commit(change(undefined, two, '1.1.0')),
  ]);
  expect((await history.log('csv')).map((revision) => revision.version)).toEqual(['1.0.0']);
  expect((await other.logAll()).map((revision) => revision.version)).toEqual(['1.1.0']);
});

test('what git ignores is never forced in, and no repository is an error with what to do', async () => {
  await writeFile(join(team, '.gitignore'), 'skills/\n');
  expect(await history.commit(change(undefined, one, '1.0.0'))).toMatchObject({
    kind: 'unavailable',
    why: expect.stringContaining('git ignores'),
  });
  await rm(join(team, '.git'), { recursive: true });
  await expect(openAt(root).open()).rejects.toMatchObject({
    code: 'git-failed',
    message: expect.stringMatching(/history\.inRepository in knack\.json.*git finds none/),
  });
});

test('attributes of the repository around the folder hold, and a rollback writes what a checkout writes', async () => {
  await writeFile(
    join(team, '.gitattributes'),
    '*.txt text eol=crlf\nagents/skills/csv/data.bin filter=up\n',
  );
  git('-C', team, 'config', 'filter.up.clean', 'tr a-z A-Z');
  git('-C', team, 'config', 'filter.up.smudge', 'tr A-Z a-z');
  for (const text of ['one', 'two']) {
    await mkdir(join(root, 'csv'), { recursive: true });
    await writeFile(join(root, 'csv/SKILL.md'), skillText('csv', text));
    await writeFile(join(root, 'csv/a.txt'), `${text}\r\n`);
    await writeFile(join(root, 'csv/data.bin'), text);
    git('-C', team, 'add', '-A');
    git('-C', team, 'commit', '-qm', text);
  }
  expect(await history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
  expect([
    await readFile(join(root, 'csv/a.txt'), 'utf8'),
    await readFile(join(root, 'csv/data.bin'), 'utf8'),
    git('-C', team, 'status', '--porcelain'),
    git('-C', team, 'rev-parse', 'HEAD:agents/skills/csv'),
  ]).toEqual(['one\r\n', 'one', '', git('-C', team, 'rev-parse', 'HEAD~2:agents/skills/csv')]);
  const base = await history.present('csv');
  const next = new Map([...(base ?? []), ...folderOf({ 'data.bin': 'three' })]);
  expect(await history.commit(change(base, next, '1.2.0'))).toMatchObject({
    kind: 'unavailable',
    why: expect.stringContaining('csv/data.bin (filter=up)') as string,
  });
});
