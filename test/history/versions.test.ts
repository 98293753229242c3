import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fileText } from '../../src/files/folder.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import { skillText, temporary } from '../support/skills.ts';

const PATH = process.env['PATH'] ?? '';
let root = '';
let history: History;
beforeEach(async () => {
  root = join(await temporary('versions'), 'skills');
  history = createHistory({ root, environment: { home: root, path: PATH } });
  await history.open();
});

/** A commit that a person makes with git; answers with it. */
async function byHand(text: string, at = root, within = '.'): Promise<string> {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=p', '-c', 'user.email=p@localhost', ...args], {
      cwd: at,
      encoding: 'utf8',
      env: { PATH, HOME: root },
    });
  await mkdir(join(at, within, 'csv'), { recursive: true });
  await writeFile(join(at, within, 'csv/SKILL.md'), text);
  git('add', '.');
  git('commit', '--quiet', '--message=by hand');
  return git('rev-parse', 'HEAD').trim();
}

const one = skillText('csv', 'one', { version: '1.0.0' });
const two = skillText('csv', 'two', { version: '1.0.0' });

test.each<[string, (version: string) => Promise<unknown>]>([
  ['folderAt', (version) => history.folderAt('csv', version)],
  ['diff', (version) => history.diff('csv', version, version)],
  ['rollback', (version) => history.rollback('csv', version, 'y')],
  ['rolledBack', (version) => history.rolledBack('csv', version)],
])('%s refuses a number that stands for different files, and names its commits', async (_, ask) => {
  const [first, second] = [await byHand(one), await byHand(two)];
  const hashes = [second, first].map((sha) => sha.slice(0, 10));
  await expect(ask('1.0.0')).rejects.toMatchObject({
    code: 'refused',
    message: `1.0.0 of csv stands on 2 commits: name one by its hash (${hashes.join(', ')})`,
  });
  await expect(ask(first.slice(0, 10))).resolves.toBeDefined();
});

test('a skill without a number is named by its commits too', async () => {
  await byHand(one.replace(/^metadata:\n.*\n/m, ''));
  await byHand(two.replace(/^metadata:\n.*\n/m, ''));
  await expect(history.folderAt('csv', 'unnumbered')).rejects.toMatchObject({ code: 'refused' });
});

test('a number is looked up within the folder of skills also in a repository around it', async () => {
  const outer = await temporary('outer');
  await mkdir(join(outer, 'agents'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: outer, env: { PATH, HOME: root } });
  git('init', '--quiet', '--initial-branch=main');
  await byHand(one, outer, 'agents');
  await byHand(two, outer, 'agents');
  const within = createHistory({
    root: join(outer, 'agents'),
    environment: { home: root, path: PATH },
    inRepository: true,
  });
  await expect(within.folderAt('csv', '1.0.0')).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('stands on 2 commits'),
  });
});

test('a number that was brought back stands for the same files, and names them', async () => {
  const first = await byHand(one);
  await byHand(skillText('csv', 'two', { version: '1.1.0' }));
  await history.rollback('csv', '1.0.0', 'y');
  const [newest] = await history.log('csv');
  expect([newest?.version, newest?.sha === first]).toEqual(['1.0.0', false]);
  expect(fileText(await history.folderAt('csv', '1.0.0'), 'SKILL.md')).toBe(one);
  await history.rollback('csv', 'none', 'y');
  await history.rollback('csv', '1.0.0', 'y');
  expect((await history.rollback('csv', 'none', 'y')).kind).toBe('committed');
  await expect(history.folderAt('csv', 'none')).rejects.toMatchObject({ code: 'not-found' });
});
