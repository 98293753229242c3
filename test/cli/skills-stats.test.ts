import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openUsage } from '../../src/library/use/usage.ts';
import { freshKnack, type Knack } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';

let knack: Knack;
let workspace: string;

const write = async (path: string, text: string) => {
  const file = join(workspace, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
};
const json = async (...args: string[]) => JSON.parse((await knack([...args, '--json'])).stdout);

beforeEach(async () => {
  ({ knack, workspace } = await freshKnack('stats'));
  await knack(['init']);
  await write(
    'skills/long/SKILL.md',
    skillText('long', 'Body.', { description: `Makes tables. ${'Use when a table is wanted. '.repeat(20)}` }),
  );
  await write('skills/short/SKILL.md', skillText('short', 'Body. '.repeat(200)));
  await write('skills/short/references/guide.md', 'A guide of a few words.');
  await write('skills/short/assets/picture.bin', '\0'.repeat(1000));
  await write('skills/short/node_modules/nested/SKILL.md', skillText('nested', 'not ours'));
});

/** A session of the workspace in which somebody said this. */
const session = (id: string, words: string) => {
  const header = { type: 'session', format: 'knack', version: 1, id, started: '2030-01-01T00:00:00.000Z' };
  const records = [
    { ...header, cwd: '/', model: 'none', purpose: 'chat' },
    { type: 'event', id: 'e1', kind: 'text', role: 'user', text: words },
  ];
  return write(`logs/sessions/${id}.jsonl`, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
};

test('the entries sum up to the catalog that is sent, where every entry fits', async () => {
  await write('knack.json', '{"disclosure":{"catalogTokens":100000}}');
  const [stats, catalog] = [await json('skills', 'stats'), await json('skills', 'catalog')];
  const entries = stats.skills.map((skill: { entry: number }) => skill.entry);
  expect(entries.reduce((sum: number, entry: number) => sum + entry, 0)).toBe(catalog.tokens);
  expect(stats.catalog).toEqual({
    tokens: catalog.tokens,
    budget: 100000,
    described: catalog.total,
    total: catalog.total,
    entries: catalog.tokens,
    rest: 0,
  });
  expect(entries).toEqual(entries.toSorted((left: number, right: number) => right - left));
});

test('where they do not fit, the difference is said', async () => {
  await write('knack.json', '{"disclosure":{"catalogTokens":300}}');
  const [stats, catalog] = [await json('skills', 'stats'), await json('skills', 'catalog')];
  expect(stats.catalog.tokens).toBe(catalog.tokens);
  expect(stats.catalog.entries + stats.catalog.rest).toBe(catalog.tokens);
  expect(stats.totals.entry).toBeGreaterThan(catalog.tokens);
  const { stdout } = await knack(['skills', 'stats']);
  expect(stdout).toContain(`${catalog.tokens} tokens of a budget of 300. All ${catalog.total} entries would`);
  expect(stdout).toContain('disclosure.catalogTokens');
});

test('it counts the skills that the library lists, and no nested ones', async () => {
  const [stats, list] = [await json('skills', 'stats'), await json('skills', 'list')];
  const names = (each: { skills: { name: string }[] }) =>
    each.skills.map(({ name }) => name).sort((left, right) => (left < right ? -1 : 1));
  expect([names(stats), stats.totals.skills]).toEqual([names(list), list.skills.length]);
  expect(names(stats)).not.toContain('nested');
});

test('a use under a name that became an alias counts for the skill that took it over', async () => {
  const aliased = skillText('short', 'b').replace('metadata:', 'metadata:\n  aliases: "long-gone"');
  await write('skills/short/SKILL.md', aliased);
  const usage = await openUsage(join(workspace, 'logs/usage.jsonl'), String);
  const at = '2030-01-02T03:04:05.000Z';
  await usage.record({ skill: 'long-gone', session: 's1', query: 'q', by: 'user', at });
  const { skills } = await json('skills', 'stats', '--sort', 'loads');
  expect(skills[0]).toMatchObject({ name: 'short', loads: 1, lastUse: at });
});

test('what is loaded, the files, the owner and the use of a skill', async () => {
  const usage = await openUsage(join(workspace, 'logs/usage.jsonl'), String);
  const use = { skill: 'short', session: 's1', query: 'q', by: 'user' } as const;
  await usage.record({ ...use, at: '2030-01-02T03:04:05.000Z' });
  await usage.record({ ...use, at: '2030-02-03T03:04:05.000Z' });
  const { skills } = await json('skills', 'stats', '--sort', 'loads');
  expect(skills[0]).toEqual({
    name: 'short',
    path: join(workspace, 'skills/short/SKILL.md'),
    root: 'workspace',
    owner: 'written',
    entry: expect.any(Number),
    loaded: expect.any(Number),
    files: 2,
    text: 7,
    bytes: 1000,
    loads: 2,
    lastUse: '2030-02-03T03:04:05.000Z',
  });
  expect(skills[0].loaded).toBeGreaterThan(400);
  const { stdout } = await knack(['skills', 'stats', '--sort', 'loads', '--limit', '1']);
  expect(stdout.split('\n')[1]).toMatch(/^short +\d+ +\d+ +7 \+ 1,000 bytes in 2 +2 +2030-02-03 +written/);
  expect(stdout).toMatch(/and \d+ more skills; --limit/);
});

test('a skill that sessions spoke of and that was never loaded is dead weight', async () => {
  const words = 'please make a table of these numbers, a table is wanted';
  const dead = async () =>
    (await json('skills', 'stats')).deadWeight.filter(({ name }: { name: string }) => name === 'long');
  for (const id of ['a', 'b', 'd']) await session(id, id === 'd' ? 'hello' : words);
  expect(await dead()).toEqual([]);
  await session('c', words);
  expect(await dead()).toEqual([{ name: 'long', matched: 3 }]);
  expect((await knack(['skills', 'stats'])).stdout).toContain(
    'long: never loaded, although 3 of 4 sessions spoke of such things',
  );
  const usage = await openUsage(join(workspace, 'logs/usage.jsonl'), String);
  await usage.record({ skill: 'long', session: 'a', query: words, by: 'user', at: '2030-01-02T03:04:05Z' });
  expect(await dead()).toEqual([]);
  const loaded = await json('skills', 'stats', '--sort', 'used', '--limit', '1');
  expect(loaded.skills.map(({ name }: { name: string }) => name)).toEqual(['long']);
});

test('after many sessions every skill that was never loaded is', async () => {
  for (let index = 0; index < 20; index += 1) await session(`s${index}`, 'hello');
  const stats = await json('skills', 'stats');
  expect([stats.sessions, stats.deadWeight.length]).toEqual([20, stats.totals.skills]);
});

test('two skills that say the same are a pair with their score', async () => {
  const body = 'Open the file, look at each row, and write down what is odd about it in a new file. '.repeat(
    3,
  );
  for (const name of ['rows', 'lines']) await write(`skills/${name}/SKILL.md`, skillText(name, body));
  const { nearDuplicates } = await json('skills', 'stats');
  expect(nearDuplicates).toEqual([{ left: 'lines', right: 'rows', score: 1 }]);
});

test('an unknown order is a usage fault', async () => {
  const { code, stderr } = await knack(['skills', 'stats', '--sort', 'size']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are entry')]);
});

test('an empty folder has no statistics and is no fault', async () => {
  await mkdir(join(workspace, 'empty'));
  const { code, stdout } = await knack(['skills', 'stats', '--root', join(workspace, 'empty')]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('no skills')]);
});
