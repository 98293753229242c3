import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeOf, csv, openLab } from '../support/history-lab.ts';
import { skillText } from '../support/skills.ts';

const one = csv('1.0.0', '- one');
const two = csv('1.1.0', '- two');

test.each([
  ['a control character', 'two \x1e sep'],
  ['many of them', '\x1e\x1e\x02\x1e'],
  ['what looks like a commit', `x\n\n${'a'.repeat(40)}\n2026-01-01T00:00:00Z`],
  ['lines that look like files', 'x\n\n\ncsv/SKILL.md\nother/SKILL.md\n'],
  ['nothing', ''],
])('a message of a person with %s stops neither the log nor a rollback', async (_, message) => {
  const { history, root, git, commitAll } = await openLab('messages');
  await history.commit(changeOf(undefined, one, '1.0.0'));
  await history.commit(changeOf(one, two, '1.1.0'));
  await writeFile(join(root, 'csv/SKILL.md'), skillText('csv', 'mine', { version: '1.2.0' }));
  await mkdir(join(root, 'other'));
  await writeFile(join(root, 'other/SKILL.md'), skillText('other', 'mine'));
  if (message === '') git('add', '-A');
  if (message === '') git('commit', '-q', '--allow-empty-message', '-m', '');
  else commitAll(message);
  git('commit', '-q', '--allow-empty', '-m', message || 'x');
  expect((await history.log('csv')).map(({ version, actor }) => [version, actor])).toEqual([
    ['1.2.0', 'user'],
    ['1.1.0', 'reviewer'],
    ['1.0.0', 'reviewer'],
  ]);
  expect((await history.logAll()).length).toBe(3);
  expect(Object.fromEntries(await history.owners())).toEqual({ csv: 'written', other: 'written' });
  expect(await history.rollback('csv', '1.0.0', 'x')).toMatchObject({
    kind: 'committed',
    revision: { version: '1.0.0' },
  });
});

test.each(['i18n.logOutputEncoding', 'i18n.commitEncoding'])('%s changes nothing of it', async (setting) => {
  const { history, git } = await openLab('messages');
  git('config', setting, 'UTF-16');
  await history.commit(changeOf(undefined, one, '1.0.0'));
  await history.commit({ ...changeOf(one, two, '1.1.0'), what: 'größer → 大' });
  expect((await history.log('csv')).map(({ what }) => what)).toEqual(['größer → 大', 'change to 1.0.0']);
  expect(await history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
});
