import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeOf, csv, type HistoryLab, openLab } from '../support/history-lab.ts';

const same = { 'same.md': 's\n', 'scripts/same.sh*': '#!/bin/sh\n' };
const one = csv('1.0.0', '- one', { ...same, 'only-one.md': 'x\n', 'scripts/one.sh*': '#!/bin/sh\n' });
const two = csv('1.1.0', '- two', { ...same, 'now.sh*': '#!/bin/sh\n' });

let lab: HistoryLab;
const umask = process.umask();
beforeEach(async () => {
  lab = await openLab('permissions');
});
afterEach(() => {
  process.umask(umask);
});

async function modes(...paths: string[]): Promise<string[]> {
  return Promise.all(
    paths.map(async (path) => ((await stat(join(lab.root, 'csv', path))).mode & 0o7777).toString(8)),
  );
}

test('a rollback leaves the permissions of files and folders that do not change, and those of the others but for x bits', async () => {
  process.umask(0o022);
  await lab.history.commit(changeOf(undefined, one, '1.0.0'));
  await lab.history.commit(changeOf(one, two, '1.1.0'));
  const set = { 'SKILL.md': 0o600, 'same.md': 0o664, 'scripts/same.sh': 0o700, scripts: 0o2775, '': 0o750 };
  for (const [path, mode] of Object.entries(set)) await chmod(join(lab.root, 'csv', path), mode);
  const before = await stat(join(lab.root, 'csv/same.md'));
  expect(await lab.history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
  expect(await modes(...Object.keys(set), 'only-one.md', 'scripts/one.sh')).toEqual([
    '600',
    '664',
    '700',
    '2775',
    '750',
    '644',
    '755',
  ]);
  const after = await stat(join(lab.root, 'csv/same.md'));
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  expect([lab.git('status', '--porcelain'), lab.git('rev-parse', 'HEAD:csv')]).toEqual([
    '',
    lab.git('rev-parse', 'HEAD~2:csv'),
  ]);
});

test.each([
  [0o077, '', ['600', '700', '700']],
  [0o022, '', ['644', '755', '755']],
  [0o002, '', ['664', '775', '775']],
  [0o022, 'group', ['664', '775', '775']],
  [0o077, 'group', ['660', '770', '770']],
  [0o077, 'all', ['664', '775', '775']],
  [0o077, '0640', ['640', '750', '750']],
])('under a umask of %o and core.sharedRepository=%s new files have %s', async (mask, shared, expected) => {
  if (shared !== '') lab.git('config', 'core.sharedRepository', shared);
  process.umask(mask);
  await lab.history.commit(changeOf(undefined, one, '1.0.0'));
  expect(await modes('SKILL.md', 'scripts/one.sh', 'scripts')).toEqual(expected);
  expect(lab.git('status', '--porcelain')).toBe('');
});

test('a file that becomes a script may be run by whoever may read it, and one that is none any more by nobody', async () => {
  process.umask(0o022);
  const plain = csv('1.0.0', '- one', { 'run.sh': 'x\n' });
  const script = csv('1.0.0', '- one', { 'run.sh*': 'x\n' });
  await lab.history.commit(changeOf(undefined, plain, '1.0.0'));
  await chmod(join(lab.root, 'csv/run.sh'), 0o640);
  await lab.history.commit(changeOf(plain, script, '1.0.1'));
  expect(await modes('run.sh')).toEqual(['750']);
  expect(await lab.history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
  expect([await modes('run.sh'), lab.git('status', '--porcelain')]).toEqual([['640'], '']);
});

test('files of the person in a folder that a change makes stay', async () => {
  await mkdir(join(lab.root, 'csv/empty'), { recursive: true });
  expect(await lab.history.commit(changeOf(undefined, one, '1.0.0'))).toMatchObject({ kind: 'committed' });
  expect((await stat(join(lab.root, 'csv/empty'))).isDirectory()).toBe(true);
});
