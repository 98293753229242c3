import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openUsage } from '../../src/library/use/usage.ts';
import { freshKnack, type Knack, onTerminal } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';

let knack: Knack;
let workspace: string;
let file: string;

beforeEach(async () => {
  ({ knack, workspace } = await freshKnack('forget'));
  await knack(['init']);
  file = join(workspace, 'logs/usage.jsonl');
  for (const name of ['tea', 'bread']) {
    await mkdir(join(workspace, 'skills', name), { recursive: true });
    await writeFile(join(workspace, 'skills', name, 'SKILL.md'), skillText(name, '- do it'));
  }
  const usage = await openUsage(file, String);
  const at = '2030-01-02T03:04:05.000Z';
  await usage.record({ skill: 'tea', session: 's1', query: 'quench my thirst', by: 'user', at });
  await usage.record({ skill: 'bread', session: 's1', query: 'appease a hungry stomach', by: 'user', at });
  await usage.record({ skill: 'gone', session: 's2', query: 'what was there', by: 'user', at });
});

const hits = async (query: string) =>
  JSON.parse((await knack(['skills', 'search', '--json', query])).stdout).hits.map(
    ({ name }: { name: string }) => name,
  );

test('search finds a skill by its recorded queries until they are forgotten', async () => {
  expect((await hits('quench my thirst'))[0]).toBe('tea');
  const { code, stdout } = await knack(['skills', 'forget', 'tea']);
  expect([code, stdout]).toEqual([
    0,
    'forgotten of tea: 1 use, 1 recorded query, 1 pair that was used together; search no longer uses it\n',
  ]);
  expect(await hits('quench my thirst')).toEqual([]);
  expect((await hits('appease a hungry stomach'))[0]).toBe('bread');
  expect(await readFile(file, 'utf8')).not.toMatch(/thirst|tea/);
});

test('a part alone can be forgotten, and what was dropped is counted', async () => {
  const queries = await knack(['skills', 'forget', 'tea', '--queries', '--json']);
  expect(JSON.parse(queries.stdout)).toEqual({ name: 'tea', uses: 0, queries: 1, pairs: 0, trials: 0 });
  const pairs = await knack(['skills', 'forget', 'tea', '--co-use', '--json']);
  expect(JSON.parse(pairs.stdout)).toEqual({ name: 'tea', uses: 0, queries: 0, pairs: 1, trials: 0 });
  const again = await knack(['skills', 'forget', 'tea', '--co-use']);
  expect(again.stdout).toBe('there was nothing to forget of tea\n');
});

test('of a skill that is gone the uses can be forgotten; any other name is not found', async () => {
  expect((await knack(['skills', 'forget', 'gone'])).stdout).toMatch(/^forgotten of gone: 1 use/);
  const { code, stderr } = await knack(['skills', 'forget', 'gon']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('there is no skill "gon"')]);
  expect((await knack(['skills', 'forget', 'brea'])).stderr).toMatch(/did you mean .*bread/);
});

test.each([
  [['--all'], '--yes'],
  [[], '--all'],
  [['tea', '--all', '--yes'], 'either the name of a skill or --all'],
  [['tea', '--queries', '--co-use'], 'cannot be used with'],
])('without a terminal, %j is a usage fault that names the flag', async (args, named) => {
  const before = await readFile(file, 'utf8');
  const { code, stderr } = await knack(['skills', 'forget', ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('--all --yes leaves nothing', async () => {
  const { stdout } = await knack(['skills', 'forget', '--all', '--yes', '--json']);
  expect(JSON.parse(stdout)).toEqual({ uses: 3, queries: 3, pairs: 1, trials: 0 });
  expect((await readFile(file, 'utf8')).trim()).toBe('');
  const again = await knack(['skills', 'forget', '--all', '--yes']);
  expect(again.stdout).toBe('there was nothing to forget: nothing was learned of any skill\n');
});

test('on a terminal it asks, and a no leaves everything', async () => {
  const before = await readFile(file, 'utf8');
  const question = 'Forget everything learned from use of every skill?';
  const no = await onTerminal(
    ['skills', 'forget', '--all'],
    [
      [question, 'perhaps\n'],
      ['answer y or n', 'n\n'],
    ],
    { workspace },
  );
  expect([no.code, no.screen, await readFile(file, 'utf8')]).toEqual([
    1,
    expect.stringContaining('nothing is forgotten'),
    before,
  ]);
  const yes = await onTerminal(['skills', 'forget', '--all'], [[question, 'y\n']], { workspace });
  expect([yes.code, (await readFile(file, 'utf8')).trim()]).toEqual([0, '']);
});
