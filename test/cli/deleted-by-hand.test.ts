import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { equalFolders, readFolder } from '../../src/files/folder.ts';
import { freshKnack, type Knack } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';
import { place } from '../transfer/transfer-lab.ts';

let knack: Knack;
let source = '';
let skills = '';
let dir = '';
const git = (...args: string[]) =>
  execFileSync('git', ['-C', skills, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    encoding: 'utf8',
  });

beforeAll(async () => {
  const from = await place();
  await from.write({
    'words/SKILL.md': skillText('words', '# Words\n\n- do it', { version: '1.2.0' }),
    'words/scripts/run.sh': '#!/bin/sh\necho done\n',
  });
  source = from.dir;
  const fresh = await freshKnack('deleted');
  knack = fresh.knack;
  skills = join(fresh.workspace, 'skills');
  dir = join(skills, 'words');
  await knack(['init']);
  await knack(['skills', 'add', source, '--yes']);
});

const TOLD =
  'words was deleted by hand, which is not committed; its last version is 1.2.0: `knack skills restore words` brings it back, `knack skills retire words` makes it final';

const ASK = [
  ['skills', 'show', 'words'],
  ['skills', 'show', 'words@1.2.0'],
  ['skills', 'log', 'words'],
  ['skills', 'diff', 'words'],
  ['skills', 'list', '--all'],
  ['skills', 'update', 'words'],
  ['skills', 'update'],
  ['skills', 'rollback', 'words'],
  ['skills', 'rollback', 'words', '--dry-run'],
  ['skills', 'adopt', 'words'],
  ['skills', 'own', 'words'],
  ['skills', 'add', 'SOURCE', '--skill', 'words'],
  ['skills', 'add', 'SOURCE', '--skill', 'words', '--dry-run'],
  ['doctor'],
];

test('of a folder that was deleted by hand every command tells the same, and changes nothing', async () => {
  await rm(dir, { recursive: true });
  const before = git('log', '--format=%H');
  for (const words of ASK) {
    const { stdout, stderr } = await knack(words.map((word) => (word === 'SOURCE' ? source : word)));
    expect(`${words.join(' ')}: ${stdout}${stderr}`).toContain(TOLD);
  }
  expect([existsSync(dir), git('log', '--format=%H')]).toEqual([false, before]);
}, 60_000);

test.each([
  ['from the disk alone', () => rm(dir, { recursive: true, force: true })],
  ['with git, and staged', async () => void git('rm', '-rq', 'words')],
])('restore brings it back to the byte and the mode, deleted %s', async (_, remove) => {
  git('checkout', 'HEAD', '--', 'words');
  const folder = await readFolder(dir);
  await remove();
  const { code, stdout } = await knack(['skills', 'restore', 'words', '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { skill: 'words', outcome: { kind: 'put-back', version: '1.2.0' }, aliases: [] },
  ]);
  expect(equalFolders(await readFolder(dir), folder)).toBe(true);
  expect(git('status', '--porcelain')).toBe('');
});

test('restore overwrites no file that git ignores and that is left of it', async () => {
  await mkdir(join(skills, '.git/info'), { recursive: true });
  await writeFile(join(skills, '.git/info/exclude'), 'notes.txt\n');
  await rm(dir, { recursive: true });
  await mkdir(dir);
  await writeFile(join(dir, 'notes.txt'), 'mine');
  const { code, stderr } = await knack(['skills', 'restore', 'words']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('still holds other files')]);
  await rm(dir, { recursive: true });
  expect((await knack(['skills', 'restore', 'words'])).code).toBe(0);
});

test('retire makes it final, and restore brings that back too', async () => {
  await rm(dir, { recursive: true });
  const retired = await knack(['skills', 'retire', 'words']);
  const [latest] = JSON.parse((await knack(['skills', 'log', 'words', '--json'])).stdout).revisions;
  expect([retired.code, latest.version, existsSync(dir), git('status', '--porcelain')]).toEqual([
    0,
    'none',
    false,
    '',
  ]);
  const back = await knack(['skills', 'restore', 'words']);
  expect([back.code, existsSync(dir)]).toEqual([0, true]);
});
