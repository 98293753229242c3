import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { changeOf, csv, type HistoryLab, openLab } from '../support/history-lab.ts';

const one = csv('1.0.0', '- one');
const two = csv('1.1.0', '- two');
let lab: HistoryLab;
let latin: Buffer;
beforeEach(async () => {
  lab = await openLab('names');
  latin = Buffer.concat([Buffer.from(join(lab.root, 'csv/caf')), Buffer.from([0xe9]), Buffer.from('.txt')]);
  await lab.history.commit(changeOf(undefined, one, '1.0.0'));
  await lab.history.commit(changeOf(one, two, '1.1.0'));
});
const names = async () =>
  (await readdir(join(lab.root, 'csv'), 'buffer')).map((name) => name.toString('latin1')).sort();

test('a file of a person whose name is not UTF-8 is named as it is, and nothing is changed', async () => {
  await writeFile(latin, 'mine');
  const refusal = {
    code: 'refused',
    message: expect.stringMatching(/csv\/caf\\xe9\.txt is not UTF-8; give it another name$/) as string,
  };
  await expect(lab.history.rollback('csv', undefined, 'x')).rejects.toMatchObject(refusal);
  await expect(lab.history.standing('csv')).rejects.toMatchObject(refusal);
  expect(await names()).toEqual(['SKILL.md', 'caf\xe9.txt']);
});

test('one that git ignores is carried along', async () => {
  await writeFile(latin, 'mine');
  await mkdir(join(lab.root, '.git/info'));
  await writeFile(join(lab.root, '.git/info/exclude'), 'csv/caf*\n');
  expect(await lab.history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
  expect(await names()).toEqual(['SKILL.md', 'caf\xe9.txt']);
  expect(await lab.history.rollback('csv', 'none', 'x')).toMatchObject({ kind: 'committed' });
  expect(await names()).toEqual(['caf\xe9.txt']);
});

test('a version with such a file is not brought back under another name; the log tells of it all the same', async () => {
  await writeFile(latin, 'mine');
  lab.commitAll('latin');
  const sha = lab.git('rev-parse', 'HEAD');
  await rm(latin);
  lab.commitAll('gone');
  expect((await lab.history.log('csv')).map(({ version }) => version)).toEqual([
    '1.1.0',
    '1.1.0',
    '1.1.0',
    '1.0.0',
  ]);
  await expect(lab.history.rollback('csv', sha, 'x')).rejects.toMatchObject({
    code: 'refused',
    message: 'the name of csv/caf\\xe9.txt is not UTF-8, and knack cannot write it; use git for this version',
  });
  expect(await lab.history.rollback('csv', '1.0.0', 'x')).toMatchObject({ kind: 'committed' });
});

test('a name with the sign that stands for what cannot be read is a name', async () => {
  const odd = csv('1.2.0', '- three', { 'caf\ufffd.txt': 'x\n', 'two\nlines "quoted" \\ é.txt': 'y\n' });
  expect(await lab.history.commit(changeOf(two, odd, '1.2.0'))).toMatchObject({ kind: 'committed' });
  await lab.history.rollback('csv', undefined, 'x');
  expect(await lab.history.rollback('csv', '1.2.0', 'x')).toMatchObject({ kind: 'committed' });
  expect([await lab.history.present('csv'), lab.git('status', '--porcelain')]).toEqual([odd, '']);
});
