import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFolder, writeFolder } from '../../src/files/folder.ts';
import { createHistory } from '../../src/history/history.ts';
import { digestOf } from '../../src/history/tree.ts';
import { changeOf, csv, openLab } from '../support/history-lab.ts';

const one = csv('1.0.0', '- one');
const two = csv('1.1.0', '- two');

/** A change that was cut off after its version was moved in; what it was to be in git is `entries`. */
async function cutOff(entries: readonly (readonly [string, string, string])[]) {
  const lab = await openLab('stuck');
  await lab.history.commit(changeOf(undefined, one, '1.0.0'));
  const area = join(lab.root, '.git/knack');
  await mkdir(area, { recursive: true });
  await rename(join(lab.root, 'csv'), join(area, 'previous'));
  await writeFolder(join(lab.root, 'csv'), two);
  await writeFile(join(area, 'message'), 'a change\n');
  const intent = { skill: 'csv', base: digestOf(one), target: digestOf(two), own: ['SKILL.md'], entries };
  await writeFile(join(area, 'intent.json'), JSON.stringify(intent));
  const lines: string[] = [];
  const open = () =>
    createHistory({
      root: lab.root,
      environment: { home: lab.root, path: process.env['PATH'] ?? '' },
      log: (line) => lines.push(line),
    });
  return { ...lab, area, open, lines };
}

test('a change that git does not take is undone', async () => {
  const { open, root, area, lines, git } = await cutOff([['SKILL.md', '100644', 'a'.repeat(40)]]);
  expect((await open().log('csv')).map(({ version }) => version)).toEqual(['1.0.0']);
  expect([
    await readFolder(join(root, 'csv')),
    git('status', '--porcelain'),
    existsSync(join(area, 'intent.json')),
    lines,
  ]).toEqual([one, '', false, ['csv: an interrupted change was undone']]);
});

test('while a lock of git is left behind, history is read, a change names the lock, and without it all is mended', async () => {
  const { open, root, git, lines } = await cutOff([['SKILL.md', '100644', 'a'.repeat(40)]]);
  const lock = join(root, '.git/index.lock');
  await writeFile(lock, '');
  const stuck = open();
  expect((await stuck.log('csv')).map(({ version }) => version)).toEqual(['1.0.0']);
  expect(lines[0]).toMatch(/cannot be mended now: another git holds .*index\.lock/);
  await expect(stuck.rollback('csv', undefined, 'x')).rejects.toMatchObject({ code: 'lock-held' });
  await rm(lock);
  expect(await stuck.rollback('csv', undefined, 'x')).toMatchObject({ revision: { version: 'none' } });
  expect(git('status', '--porcelain')).toBe('');
});

test('a folder that somebody edited since is theirs, with nothing of the change staged', async () => {
  const { open, root, git, lines } = await cutOff([]);
  await writeFile(join(root, 'csv/SKILL.md'), 'mine\n');
  git('add', 'csv/SKILL.md');
  await open().open();
  expect([await readFile(join(root, 'csv/SKILL.md'), 'utf8'), lines]).toEqual([
    'mine\n',
    ['csv: an interrupted change was dropped, because the folder was edited since'],
  ]);
  expect(git('status', '--porcelain')).toBe('M csv/SKILL.md');
});
