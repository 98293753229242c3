import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { pathInDiff, unifiedDiff } from '../../src/text/text-diff.ts';
import { temporary } from '../support/skills.ts';

test.each([
  'src/周报/SKILL.md',
  'résumé/ファイル.md',
  'plain/SKILL.md',
  'a "quoted".md',
  'back\\slash.md',
  'line\nbreak\ttab.md',
])('the head of a diff has the path %j as git writes it', async (path) => {
  const dir = await temporary('diff');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.quotePath=false', ...args], { cwd: dir, encoding: 'utf8' });
  git('init', '--quiet');
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), 'one\n');
  git('add', '--all');
  writeFileSync(join(dir, path), 'two\n');
  // After a path with a blank git puts a tab, which ends it for `patch`.
  const wanted = git('diff')
    .replace(/^(?:diff|index) .*\n/gm, '')
    .replace(/\t$/gm, '');
  expect(unifiedDiff(path, 'one\n', 'two\n').replaceAll(' -1,1 +1,1 ', ' -1 +1 ')).toBe(wanted);
});

test('a file that is new or gone has the other end at /dev/null', () => {
  expect([unifiedDiff('周报.md', undefined, 'x\n'), unifiedDiff('周报.md', 'x\n', undefined)]).toEqual([
    '--- /dev/null\n+++ b/周报.md\n@@ -0,0 +1,1 @@\n+x\n',
    '--- a/周报.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n',
  ]);
});

test('a path with a control character stays on one line', () => {
  expect(pathInDiff('a\u001b[2K\n.md')).toBe('"a\\033[2K\\n.md"');
});
