import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openUsage } from '../../src/library/use/usage.ts';
import { freshKnack } from '../support/command-line.ts';

const { knack, workspace } = await freshKnack('graph');
const root = join(workspace, 'skills');
const EVIL = '"];\u202e</script> \\N &amp; x';

const skill = async (name: string, fields: string, body = '- do it') => {
  await mkdir(join(root, name), { recursive: true });
  const front = `name: ${name}\ndescription: ${JSON.stringify(`Does ${name}. Use when ${name} is wanted. ${EVIL}`)}`;
  await writeFile(join(root, name, 'SKILL.md'), `---\n${front}\n${fields}\n---\n\n${body}\n`);
};
const graph = async (...args: string[]) =>
  JSON.parse((await knack(['skills', 'graph', '--json', ...args])).stdout);
const names = ({ nodes }: { nodes: { name: string }[] }) => nodes.map(({ name }) => name);

beforeAll(async () => {
  await knack(['init']);
  await skill(
    'tea',
    'tags: [kitchen]\nversion: 1.2.0\nrelated_skills: [cup, "gone]\\u001b[2J"]',
    'See `milk-jug`.',
  );
  await skill('cup', 'related_skills: [tea]');
  await skill('milk-jug', 'tags: [kitchen]');
  await skill('bread', 'tags: [kitchen]');
  await skill('far', 'related_skills: [bread]');
  const steps = 'Boil the water, warm the pot, put in the leaves, wait for some minutes and pour it out.';
  for (const name of ['brew', 'infuse']) await skill(name, 'tags: [hot]', steps);
  const usage = await openUsage(join(workspace, 'logs/usage.jsonl'), String);
  for (const name of ['tea', 'bread'])
    await usage.record({ skill: name, session: 's', query: 'q', by: 'user', at: '2030-01-02T03:04:05Z' });
});

test('the neighbourhood of a skill as data', async () => {
  const near = await graph('tea', '--no-similar');
  expect(names(near)).toEqual(['bread', 'cup', 'milk-jug', 'tea']);
  expect(near.nodes[3]).toEqual({
    name: 'tea',
    description: `Does tea. Use when tea is wanted. ${EVIL}`,
    version: '1.2.0',
    tags: ['kitchen'],
    derivedTags: [{ tag: 'tea', from: 'name' }],
    root: 'workspace',
    path: join(root, 'tea/SKILL.md'),
    loads: 1,
  });
  expect(near.edges).toEqual([
    { from: 'bread', to: 'tea', kind: 'co-use', dangling: false },
    { from: 'cup', to: 'tea', kind: 'related', dangling: false },
    { from: 'tea', to: 'cup', kind: 'related', dangling: false },
    { from: 'tea', to: 'gone]\u001b[2J', kind: 'related', dangling: true },
    { from: 'tea', to: 'milk-jug', kind: 'mention', dangling: false },
  ]);
});

test('--depth reaches farther, and without a name everything is there', async () => {
  expect(names(await graph('tea', '--depth', '2', '--no-similar'))).toContain('far');
  const [all, list] = [await graph(), JSON.parse((await knack(['skills', 'list', '--json'])).stdout)];
  expect(names(all)).toEqual(list.skills.map(({ name }: { name: string }) => name));
});

test('skills that say the same are joined, unless they are not wanted', async () => {
  const { edges } = await graph('brew');
  expect(edges).toEqual([
    { from: 'brew', to: 'infuse', kind: 'similar', dangling: false, score: expect.closeTo(0.88, 1) },
  ]);
  expect((await graph('brew', '--no-similar')).edges).toEqual([]);
});

test('as text it is a tree, with what does not exist marked', async () => {
  const { stdout } = await knack(['skills', 'graph', 'tea', '--no-similar']);
  expect(stdout).toContain(
    'tea 1.2.0\n├─ related to cup\n├─ related to gone]<U+001B>[2J (does not exist)\n├─ named by cup\n├─ used with bread\n└─ mentions milk-jug\n',
  );
});

test('as DOT every text is a quoted string that nothing in it ends', async () => {
  const { stdout } = await knack(['skills', 'graph', '--dot']);
  const strings = /"(?:[^"\\]|\\.)*"/g;
  const bare = stdout.replace(strings, 'S');
  expect(bare).toMatch(/^digraph skills \{\n[\sS;[\]=,\->\w.]*\}\n$/);
  expect(stdout).toContain('"tea" -> "missing: gone]<U+001B>[2J"');
  expect(stdout).toContain('\\"];<U+202E></script> \\\\N &amp;amp; x');
});

test('as a page it is one file that holds the data', async () => {
  const file = join(workspace, 'graph.html');
  const { code, stdout } = await knack(['skills', 'graph', '--html', file]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/graph\.html: \d+ skills, \d+ edges/)]);
  const page = await readFile(file, 'utf8');
  expect([
    page.includes('"name":"tea"'),
    page.match(/<\/script/g)?.length,
    /https?:\/\/(?!www\.w3\.org)/.test(page),
  ]).toEqual([true, 2, false]);
});

test.each([
  [['no-such'], 1, 'there is no skill "no-such"'],
  [['--depth', '2'], 2, '--depth needs the name of a skill'],
  [['tea', '--depth', '0'], 2, 'expected a whole number from 1'],
  [['--dot', '--html', 'x.html'], 2, 'cannot be used with'],
  [['--html', '/no/such/folder/x.html'], 1, 'cannot write /no/such/folder/x.html'],
])('%j is refused', async (args, expected, named) => {
  const { code, stderr } = await knack(['skills', 'graph', ...args]);
  expect([code, stderr]).toEqual([expected, expect.stringContaining(named)]);
});

test('of an empty folder there is nothing to draw and no fault', async () => {
  const empty = join(workspace, 'empty');
  await mkdir(empty);
  const { code, stdout } = await knack(['skills', 'graph', '--root', empty]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('no skills')]);
  const page = join(workspace, 'empty.html');
  expect((await knack(['skills', 'graph', '--root', empty, '--html', page])).code).toBe(0);
});
