import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';
import { skillText, temporary } from '../support/skills.ts';

const { knack } = await freshKnack('in-repository');

test('`init --in-repo` keeps the revisions in the repository around, and the logs out of it', async () => {
  const team = await temporary('team');
  execFileSync('git', ['init', '--quiet', team]);
  const at = (...args: string[]) => knack([...args, '--workspace', join(team, 'agents')]);
  await mkdir(join(team, 'agents'));
  await writeFile(join(team, 'agents/.gitignore'), 'tmp');
  const { code, stdout } = await knack(['init', join(team, 'agents'), '--in-repo']);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`in the git repository ${team}`)]);
  expect(await readFile(join(team, 'agents/.gitignore'), 'utf8')).toBe('tmp\nlogs/\n');
  await mkdir(join(team, 'agents/skills/csv'), { recursive: true });
  await writeFile(join(team, 'agents/skills/csv/SKILL.md'), skillText('csv', '- x'));
  const identity = ['-c', 'user.name=p', '-c', 'user.email=p@localhost'];
  execFileSync('git', [...identity, '-C', team, 'add', '.']);
  execFileSync('git', [...identity, '-C', team, 'commit', '-qm', 'Add a skill']);
  const log = JSON.parse((await at('skills', 'log', 'csv', '--json')).stdout);
  expect(log.revisions).toMatchObject([{ version: '1.0.0', what: 'Add a skill' }]);
  expect((await at('doctor')).stdout).toMatch(/1 revision$/m);
  expect((await at('init', '--in-repo')).code).toBe(0);
  expect(existsSync(join(team, 'agents/skills/.git'))).toBe(false);
});

test('the receipt of a commit names a repository that is not its own, and no other', async () => {
  const team = await temporary('receipt');
  execFileSync('git', ['init', '--quiet', team]);
  const own = await temporary('own');
  await knack(['init', join(team, 'agents'), '--in-repo']);
  await knack(['init', own]);
  const receipts: string[] = [];
  for (const [place, repository] of [
    [join(team, 'agents'), team],
    [own, join(own, 'skills')],
  ] as const) {
    for (const line of ['x', 'y']) {
      await mkdir(join(place, 'skills/csv'), { recursive: true });
      await writeFile(join(place, 'skills/csv/SKILL.md'), skillText('csv', `- ${line}`));
      const identity = ['-c', 'user.name=p', '-c', 'user.email=p@localhost'];
      execFileSync('git', [...identity, '-C', repository, 'add', '.']);
      execFileSync('git', [...identity, '-C', repository, 'commit', '-qm', `Say ${line}`]);
    }
    receipts.push((await knack(['skills', 'rollback', 'csv', '--workspace', place])).stdout);
  }
  expect(receipts).toEqual([
    expect.stringMatching(new RegExp(`\\(commit [0-9a-f]{10} in the repository ${team}\\)`)),
    expect.stringMatching(/\(commit [0-9a-f]{10}\)/),
  ]);
});

test('it wants a repository, and none of its own', async () => {
  const place = await temporary('place');
  const outside = await knack(['init', place, '--in-repo']);
  expect([outside.code, outside.stderr]).toEqual([1, expect.stringContaining('lies in no git repository')]);
  expect(existsSync(join(place, 'knack.json'))).toBe(false);
  await knack(['init', place]);
  const own = await knack(['init', place, '--in-repo']);
  expect([own.code, own.stderr]).toEqual([1, expect.stringContaining('has a git repository of its own')]);
});
