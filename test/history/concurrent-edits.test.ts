import { existsSync } from 'node:fs';
import { appendFile, chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readFolder } from '../../src/files/folder.ts';
import { changeOf, csv, type HistoryLab, openLab } from '../support/history-lab.ts';

const one = csv('1.0.0', '- one', { 'a.md': 'a\n', 'run.sh*': '#!/bin/sh\n' });
const two = csv('1.1.0', '- two', { 'a.md': 'a\n', 'run.sh*': '#!/bin/sh\n' });
let lab: HistoryLab;
beforeEach(async () => {
  lab = await openLab('edits');
  await lab.history.commit(changeOf(undefined, one, '1.0.0'));
  await lab.history.commit(changeOf(one, two, '1.1.0'));
});
const read = (path: string) => readFile(join(lab.root, 'csv', path), 'utf8');

/** After git was asked about the skill, and before the folder is moved aside. */
const BEFORE_SWAP = "*' core.sharedRepository')";
const SAVES: [title: string, script: (dir: string) => string, file: string][] = [
  ['a line more', (dir) => `echo mine >> ${dir}/SKILL.md`, 'SKILL.md'],
  ['a file saved as editors do', (dir) => `echo mine > ${dir}/x; mv ${dir}/x ${dir}/SKILL.md`, 'SKILL.md'],
  ['a line more in a file that does not change', (dir) => `echo mine >> ${dir}/a.md`, 'a.md'],
  ['an x bit', (dir) => `chmod +x ${dir}/a.md`, 'a.md'],
  ['a new file', (dir) => `echo mine > ${dir}/new.md`, 'new.md'],
  ['a file removed', (dir) => `rm ${dir}/a.md`, 'a.md'],
];

const KINDS = ['rollback', 'commit', 'taking out'];
const write = (history: HistoryLab['history'], kind: string) =>
  kind === 'commit'
    ? history.commit(
        changeOf(two, csv('1.2.0', '- three', { 'a.md': 'a\n', 'run.sh*': '#!/bin/sh\n' }), '1.2.0'),
      )
    : history.rollback('csv', kind === 'rollback' ? undefined : 'none', 'x');

describe.each(KINDS.slice(0, 2))('during a %s', (kind) => {
  test.each(SAVES)(
    '%s of a person is found before anything is committed, and stands',
    async (_, script, file) => {
      const head = lab.git('rev-parse', 'HEAD');
      const history = await lab.withGit(`${BEFORE_SWAP} ${script(join(lab.root, 'csv'))};;`);
      expect(await write(history, kind)).toEqual({ kind: 'dirty', files: [`csv/${file}`] });
      expect([
        lab.git('rev-parse', 'HEAD'),
        lab.git('status', '--porcelain').slice(-`csv/${file}`.length),
        existsSync(join(lab.root, '.git/knack/intent.json')),
      ]).toEqual([head, `csv/${file}`, false]);
      if (file !== 'a.md') expect(await read(file)).toMatch(/mine\n$/);
    },
  );
});

test.each(KINDS)(
  'a save through a file that was open before a %s stands beside what is written',
  async (kind) => {
    const aside = join(lab.root, '.git/knack/previous/SKILL.md');
    const history = await lab.withGit(`*' fast-import '*) echo mine >> ${aside};;`);
    expect(await write(history, kind)).toMatchObject({ kind: 'committed' });
    const kept = kind === 'taking out' ? 'SKILL.md' : 'SKILL.md.kept';
    expect([await read(kept), lab.git('status', '--porcelain', '-uall')]).toEqual([
      `${Buffer.from(two.get('SKILL.md')?.bytes ?? []).toString()}mine\n`,
      `?? csv/${kept}`,
    ]);
  },
);

test('a save between the swap and the commit is no part of the commit, and stays an edit', async () => {
  const history = await lab.withGit(`*' fast-import '*) echo mine >> ${lab.root}/csv/SKILL.md;;`);
  const tree = lab.git('rev-parse', 'HEAD~1:csv');
  expect(await history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
  expect([lab.git('rev-parse', 'HEAD:csv'), lab.git('status', '--porcelain')]).toEqual([
    tree,
    'M csv/SKILL.md',
  ]);
  expect(await read('SKILL.md')).toMatch(/- one\nmine\n$/);
});

test('a save in the new version, before it is taken back because git failed, stands beside the old one', async () => {
  const history = await lab.withGit(
    `*' fast-import '*) echo mine >> ${lab.root}/csv/SKILL.md; echo no >&2; exit 1;;`,
  );
  await expect(history.rollback('csv', undefined, 'x')).rejects.toMatchObject({ code: 'git-failed' });
  expect([await read('SKILL.md'), lab.git('status', '--porcelain')]).toEqual([
    Buffer.from(two.get('SKILL.md')?.bytes ?? []).toString(),
    '?? csv/SKILL.md.kept',
  ]);
  expect(await read('SKILL.md.kept')).toMatch(/- one\nmine\n$/);
});

describe('an edit that git does not show', () => {
  test.each(['--assume-unchanged', '--skip-worktree'])('by %s is not written over', async (flag) => {
    lab.git('update-index', flag, 'csv/SKILL.md');
    await appendFile(join(lab.root, 'csv/SKILL.md'), 'mine\n');
    expect(lab.git('status', '--porcelain')).toBe('');
    expect(await lab.history.rollback('csv', undefined, 'x')).toEqual({
      kind: 'dirty',
      files: ['csv/SKILL.md'],
    });
    expect((await lab.history.standing('csv')).dirty).toEqual(['csv/SKILL.md']);
    expect(await read('SKILL.md')).toMatch(/mine\n$/);
  });

  test.each(['--assume-unchanged', '--skip-worktree'])(
    'by %s does not hinder a rollback where there is none',
    async (flag) => {
      lab.git('update-index', flag, 'csv/SKILL.md');
      expect(await lab.history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
      expect([lab.git('rev-parse', 'HEAD:csv'), await readFolder(join(lab.root, 'csv'))]).toEqual([
        lab.git('rev-parse', 'HEAD~2:csv'),
        one,
      ]);
    },
  );

  test('a file that was taken away under skip-worktree is not taken out of the skill', async () => {
    lab.git('update-index', '--skip-worktree', 'csv/a.md');
    await rm(join(lab.root, 'csv/a.md'));
    expect(await lab.history.rollback('csv', undefined, 'x')).toEqual({ kind: 'dirty', files: ['csv/a.md'] });
  });

  test('of an x bit is an edit where x bits count, and where they do not, those of the last commit stay', async () => {
    await chmod(join(lab.root, 'csv/run.sh'), 0o644);
    lab.git('update-index', '--assume-unchanged', 'csv/run.sh');
    expect(await lab.history.rollback('csv', undefined, 'x')).toEqual({
      kind: 'dirty',
      files: ['csv/run.sh'],
    });
    lab.git('update-index', '--no-assume-unchanged', 'csv/run.sh');
    lab.git('config', 'core.fileMode', 'false');
    expect(await lab.history.present('csv')).toEqual(two);
    expect(await lab.history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
    expect([
      lab.git('rev-parse', 'HEAD:csv'),
      (await stat(join(lab.root, 'csv/run.sh'))).mode & 0o111,
    ]).toEqual([lab.git('rev-parse', 'HEAD~2:csv'), 0o111]);
    await writeFile(join(lab.root, 'csv/new.sh'), 'x');
    expect((await lab.history.standing('csv')).dirty).toEqual(['csv/new.sh']);
  });
});
