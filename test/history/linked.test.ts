import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createHistory } from '../../src/history/history.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

const PATH = process.env['PATH'] ?? '';
let home = '';
beforeEach(async () => {
  home = await temporary('linked');
  git(home, 'init', '-q', '-b', 'main', 'team');
  await writeFile(join(home, 'team', 'README'), 'x');
  git(join(home, 'team'), 'add', '.');
  git(join(home, 'team'), 'commit', '-qm', 'first');
});

const git = (at: string, ...args: string[]) =>
  execFileSync(
    'git',
    [
      '-c',
      'user.name=p',
      '-c',
      'user.email=p@localhost',
      '-c',
      'protocol.file.allow=always',
      '-C',
      at,
      ...args,
    ],
    { encoding: 'utf8', env: { PATH, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] },
  ).trim();
const openAt = (root: string) => createHistory({ root, environment: { home, path: PATH } });

async function worktree(): Promise<string> {
  git(join(home, 'team'), 'worktree', 'add', '-q', '-b', 'mine', join(home, 'skills'));
  return join(home, 'skills');
}

async function submodule(): Promise<string> {
  git(home, 'init', '-q', '-b', 'main', 'dotfiles');
  git(join(home, 'dotfiles'), 'submodule', '--quiet', 'add', join(home, 'team'), 'skills');
  return join(home, 'dotfiles', 'skills');
}

const one = folderOf({ 'SKILL.md': skillText('csv', 'one', { version: '1.0.0' }) });
const change = {
  skill: 'csv',
  base: undefined,
  target: one,
  to: '1.0.0',
  what: 'x',
  why: 'y',
  actor: 'reviewer',
  sessions: [],
  operations: [],
} as const;

test.each([
  ['a worktree', worktree],
  ['a submodule', submodule],
])(
  'skills that are %s are written, taken back and mended like a repository of their own',
  async (_, make) => {
    const root = await make();
    const entry = await readFile(join(root, '.git'), 'utf8');
    const history = openAt(root);
    expect(await history.commit(change)).toMatchObject({ kind: 'committed' });
    const gitDir = git(root, 'rev-parse', '--absolute-git-dir');
    // As if the process had died before it closed its journal.
    await writeFile(
      join(gitDir, 'knack', 'intent.json'),
      JSON.stringify({ skill: 'csv', base: 'none', target: 'x' }),
    );
    expect(await openAt(root).rollback('csv', 'none', 'x')).toMatchObject({ kind: 'committed' });
    expect([
      git(root, 'status', '--porcelain'),
      git(root, 'ls-files'),
      existsSync(join(root, 'csv')),
    ]).toEqual(['', 'README', false]);
    expect([await readFile(join(root, '.git'), 'utf8'), (await history.log('csv')).length]).toEqual([
      entry,
      2,
    ]);
    await writeFile(join(gitDir, 'MERGE_HEAD'), `${git(root, 'rev-parse', 'HEAD')}\n`);
    expect(await history.commit(change)).toEqual({
      kind: 'unavailable',
      why: `a merge is under way in ${root}; finish or abort it first`,
    });
    await rm(join(gitDir, 'MERGE_HEAD'));
    git(root, 'checkout', '-q', '--detach');
    expect(await history.whyBusy()).toBe(`HEAD is detached in ${root}; check out a branch first`);
  },
);

test('a worktree whose repository is gone is an error that says how to mend it', async () => {
  const root = await worktree();
  await rename(join(home, 'team'), join(home, 'moved'));
  await expect(openAt(root).open()).rejects.toMatchObject({
    code: 'git-failed',
    message: expect.stringMatching(/skills\/\.git is the file of a worktree .*git worktree repair/) as string,
  });
});
