import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitBefore, copyCommit, removeCopy } from '../../src/history/commit-copy.ts';
import { BEGAN, PATH, repositoryOf } from '../support/replay-lab.ts';
import { temporary } from '../support/skills.ts';

const ENVIRONMENT = { path: PATH, home: '/nowhere' };

/** The copy of a repository of what `make` puts there. */
async function copyOf(make: (dir: string) => void) {
  const { dir, git, commit } = await repositoryOf({ 'first.txt': '1\n' }, '2026-01-01T00:00:00Z');
  make(dir);
  await commit({}, '2026-01-02T00:00:00Z');
  const target = join(await temporary('copy'), 'work');
  const earlier = await commitBefore(dir, BEGAN, ENVIRONMENT);
  await copyCommit(earlier, target);
  return { dir, git, target, earlier };
}

test('files come as they were committed, byte by byte and with their modes, whatever filters the repository has', async () => {
  const bytes = Buffer.from([0, 255, 13, 10, 200]);
  const { dir, target } = await copyOf((dir) => {
    writeFileSync(join(dir, 'data.bin'), bytes);
    writeFileSync(join(dir, 'run.sh'), 'exit 0\n', { mode: 0o755 });
    mkdirSync(join(dir, 'ünï/deep'), { recursive: true });
    writeFileSync(join(dir, 'ünï/deep/a b.txt'), '');
    writeFileSync(join(dir, '.gitattributes'), '*.txt filter=evil export-ignore\n');
    execFileSync('git', ['-C', dir, 'config', 'filter.evil.smudge', `touch ${dir}/ran; cat`]);
  });
  expect(new Set(readdirSync(target, { recursive: true }).map(String))).toEqual(
    new Set(['.gitattributes', 'data.bin', 'first.txt', 'run.sh', 'ünï', 'ünï/deep', 'ünï/deep/a b.txt']),
  );
  expect(readFileSync(join(target, 'data.bin'))).toEqual(bytes);
  expect([
    statSync(join(target, 'run.sh')).mode & 0o100,
    statSync(join(target, 'first.txt')).mode & 0o100,
  ]).toEqual([0o100, 0]);
  expect(existsSync(join(dir, 'ran'))).toBe(false);
});

test('links within are links, those that lead out are left out, and so are other repositories', async () => {
  const { target } = await copyOf((dir) => {
    mkdirSync(join(dir, 'sub'));
    symlinkSync('../first.txt', join(dir, 'sub/within'));
    symlinkSync('/etc/passwd', join(dir, 'absolute'));
    symlinkSync('../../up', join(dir, 'sub/out'));
    execFileSync('git', [
      '-C',
      dir,
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${'1'.repeat(40)},other`,
    ]);
  });
  expect(readlinkSync(join(target, 'sub/within'))).toBe('../first.txt');
  expect(readdirSync(target, { recursive: true }).map(String).sort()).toEqual([
    'first.txt',
    'sub',
    'sub/within',
  ]);
});

test('a tree made by hand that holds a file below a link is refused', async () => {
  const { dir, git } = await repositoryOf({ 'a.txt': 'x\n' });
  const blob = git('rev-parse', 'HEAD:a.txt');
  const inner = execFileSync('git', ['-C', dir, 'mktree'], {
    input: `100644 blob ${blob}\tx\n`,
    encoding: 'utf8',
  }).trim();
  const link = execFileSync('git', ['-C', dir, 'hash-object', '-w', '--stdin'], {
    input: 'b',
    encoding: 'utf8',
  }).trim();
  const tree = execFileSync('git', ['-C', dir, 'mktree'], {
    input: `120000 blob ${link}\ta\n040000 tree ${inner}\ta\n`,
    encoding: 'utf8',
  }).trim();
  const commit = git('commit-tree', tree, '-m', 'by hand');
  const earlier = { ...(await commitBefore(dir, BEGAN, ENVIRONMENT)), commit };
  await expect(copyCommit(earlier, join(await temporary('copy'), 'work'))).rejects.toMatchObject({
    code: 'refused',
    message: '"a/x" is no path within a folder',
  });
});

test('more than is copied at once comes whole', async () => {
  const large = Buffer.alloc(9 * 1024 * 1024, 7);
  const { target } = await copyOf((dir) => {
    for (const name of ['a', 'b', 'c'])
      writeFileSync(join(dir, name), Buffer.concat([large, Buffer.from(name)]));
  });
  expect(
    ['a', 'b', 'c'].map((name) => readFileSync(join(target, name)).subarray(-2).toString('latin1')),
  ).toEqual(['\u0007a', '\u0007b', '\u0007c']);
});

test('the commit is the last of HEAD from before the moment, and a folder in the repository is known as one', async () => {
  const { dir, git, commit } = await repositoryOf({ 'app/a.txt': '1\n' }, '2026-01-01T00:00:00Z');
  const first = git('rev-parse', 'HEAD');
  await commit({ 'app/a.txt': '2\n' }, '2026-01-05T00:00:00Z');
  const second = git('rev-parse', 'HEAD');
  const at = async (moment: string) => (await commitBefore(join(dir, 'app'), moment, ENVIRONMENT)).commit;
  expect([
    await at('2026-01-04T23:59:59Z'),
    await at('2026-01-05T00:00:01Z'),
    await at('2026-01-05T01:30:00+02:00'),
  ]).toEqual([first, second, first]);
  expect((await commitBefore(join(dir, 'app'), BEGAN, ENVIRONMENT)).inside).toBe('app');
});

test('a repository without a commit has none from before', async () => {
  const dir = await temporary('empty');
  execFileSync('git', ['init', '--quiet', dir]);
  await expect(commitBefore(dir, BEGAN, ENVIRONMENT)).rejects.toMatchObject({
    code: 'not-found',
    message: `${dir} has no commit from before ${BEGAN}`,
  });
});

test('what a program locked is removed too', async () => {
  const dir = await temporary('locked');
  mkdirSync(join(dir, 'a/b'), { recursive: true });
  writeFileSync(join(dir, 'a/b/c'), '');
  chmodSync(join(dir, 'a/b'), 0);
  chmodSync(join(dir, 'a'), 0);
  await removeCopy(dir);
  expect(existsSync(dir)).toBe(false);
});
