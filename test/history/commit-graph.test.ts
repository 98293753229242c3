import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { COMMITS_BETWEEN } from '../../src/history/commit-graph.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

const PATH = process.env['PATH'] ?? '';
let root = '';
let history: History;
beforeEach(async () => {
  root = join(await temporary('graph'), 'skills');
  history = createHistory({ root, environment: { home: root, path: PATH } });
  await history.open();
});

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', env: { PATH, HOME: root } });
const graphs = () => join(root, '.git/objects/info/commit-graphs');
const count = () => join(root, '.git/knack-commits');

const one = folderOf({ 'SKILL.md': skillText('csv', 'one', { version: '1.0.0' }) });
const commit = async () =>
  history.commit({
    skill: 'csv',
    base: await history.present('csv'),
    target: one,
    to: '1.0.0',
    what: 'w',
    why: 'y',
    actor: 'user',
    sessions: [],
    operations: [],
  });

/** Commits of ours that were counted before. */
const counted = (commits: number) => writeFile(count(), '.'.repeat(commits));

test('commits are counted, and with the hundredth git writes which paths they changed', async () => {
  await commit();
  await history.rollback('csv', 'none', 'y');
  expect([statSync(count()).size, existsSync(graphs())]).toEqual([2, false]);
  await counted(COMMITS_BETWEEN - 1);
  expect((await commit()).kind).toBe('committed');
  expect([existsSync(count()), existsSync(join(graphs(), 'commit-graph-chain'))]).toEqual([false, true]);
  expect(git('commit-graph', 'verify')).toBe('');
  expect(git('log', '--format=%H', '--', 'csv/').trim().split('\n').length).toBe(3);
});

test.each([
  ['at work stays', 0, false],
  ['dead is removed, and what it had written', 7_200_000, true],
])('the lock of a git that is %s', async (_, age, isWritten) => {
  await mkdir(graphs(), { recursive: true });
  const lock = join(graphs(), 'commit-graph-chain.lock');
  const half = join(graphs(), 'tmp_graph_aB3_x9');
  const made = new Date(Date.now() - age);
  for (const file of [lock, half]) {
    await writeFile(file, '');
    await utimes(file, made, made);
  }
  await counted(COMMITS_BETWEEN - 1);
  expect((await commit()).kind).toBe('committed');
  expect([existsSync(join(graphs(), 'commit-graph-chain')), existsSync(lock), existsSync(half)]).toEqual([
    isWritten,
    !isWritten,
    !isWritten,
  ]);
});

test('where none can be written the commit stands', async () => {
  await writeFile(join(root, '.git/objects/info/commit-graphs'), 'in the way');
  await counted(COMMITS_BETWEEN - 1);
  expect((await commit()).kind).toBe('committed');
  expect(git('status', '--porcelain')).toBe('');
});

test('in somebody’s repository nothing of the kind is written', async () => {
  const outer = await temporary('outer');
  execFileSync('git', ['init', '--quiet'], { cwd: outer });
  root = join(outer, 'agents');
  await mkdir(root);
  history = createHistory({ root, environment: { home: outer, path: PATH }, inRepository: true });
  expect((await commit()).kind).toBe('committed');
  expect(existsSync(join(outer, '.git/knack-commits'))).toBe(false);
});
