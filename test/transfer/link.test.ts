import { existsSync, lstatSync, readlinkSync, writeFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LinkRequest, linkSkills } from '../../src/transfer/link.ts';
import { skillText, temporary } from '../support/skills.ts';
import { outcomes, placeAt, transferLab } from './transfer-lab.ts';

async function given() {
  const lab = await transferLab();
  await lab.skills.write({
    'tables/SKILL.md': skillText('tables', '# T'),
    'words/SKILL.md': skillText('words', '# W'),
  });
  const folder = join(await temporary('agent'), '.claude/skills');
  const link = async (options: Partial<LinkRequest> = {}) => {
    const { workspace, library } = await lab.open();
    const { skills, rootOf } = await library();
    const own = skills.filter((skill) => rootOf(skill).writable);
    const places = [workspace.skills, ...skills.map(({ dir }) => dir)];
    const request = { folders: [folder], skills: own, copy: false, own: places, dryRun: false, ...options };
    return linkSkills(workspace.links, request);
  };
  return { lab, folder, agent: placeAt(folder), link };
}

test('links are made once, the folder with them, and taken away again', async () => {
  const { lab, folder, link } = await given();
  expect(outcomes(await link({ dryRun: true }))).toEqual({ tables: 'linked', words: 'linked' });
  expect(existsSync(folder)).toBe(false);
  expect(outcomes(await link())).toEqual({ tables: 'linked', words: 'linked' });
  expect(readlinkSync(join(folder, 'words'))).toBe(join(lab.skills.dir, 'words'));
  expect(outcomes(await link())).toEqual({ tables: 'unchanged', words: 'unchanged' });
  expect(outcomes(await link({ remove: ['words'] }))).toEqual({ words: 'removed' });
  expect(outcomes(await link({ remove: [] }))).toEqual({ tables: 'removed' });
  expect(await link({ remove: [] })).toEqual([]);
  expect(existsSync(join(lab.skills.dir, 'words/SKILL.md'))).toBe(true);
});

test('folders that were made go with the last link, and those with anything else in them stay', async () => {
  const { folder, agent, link } = await given();
  await link();
  await link({ copy: true });
  expect(outcomes(await link({ remove: ['words'] }))).toEqual({ words: 'removed' });
  expect(existsSync(folder)).toBe(true);
  await link({ remove: [] });
  expect(existsSync(join(folder, '..'))).toBe(false);
  await link();
  await agent.write({ 'mine/SKILL.md': 'mine' });
  await link({ remove: [] });
  expect(await agent.read('mine/SKILL.md')).toBe('mine');
  await agent.remove('mine');
  await link();
  await link({ remove: [] });
  expect(existsSync(folder)).toBe(true);
});

test('what is not ours stays and is named, also where it took the place of a link', async () => {
  const { lab, folder, agent, link } = await given();
  await agent.write({ 'words/SKILL.md': 'theirs', 'tables@': join(lab.skills.dir, 'tables') });
  expect(await link()).toMatchObject([
    // A link of the person's that leads to the skill is as good as one of ours, and stays theirs.
    { name: 'tables', outcome: 'unchanged' },
    { name: 'words', outcome: 'refused', reason: expect.stringContaining(join(folder, 'words')) },
  ]);
  expect(await link({ remove: [] })).toEqual([]);
  await agent.remove('words');
  await link();
  await agent.remove('words');
  await agent.write({ words: 'theirs' });
  expect(await link({ remove: [] })).toMatchObject([{ outcome: 'refused' }]);
  expect([await agent.read('words'), lstatSync(join(folder, 'tables')).isSymbolicLink()]).toEqual([
    'theirs',
    true,
  ]);
});

test('copies follow the skill as long as nobody edits them, and links may become copies', async () => {
  const { lab, agent, folder, link } = await given();
  await link();
  expect(outcomes(await link({ copy: true }))).toEqual({ tables: 'copied', words: 'copied' });
  expect(lstatSync(join(folder, 'words')).isSymbolicLink()).toBe(false);
  expect(outcomes(await link({ copy: true }))).toEqual({ tables: 'unchanged', words: 'unchanged' });
  await lab.skills.write({ 'words/SKILL.md': skillText('words', '# New') });
  await agent.write({ 'tables/SKILL.md': 'edited' });
  expect(outcomes(await link({ copy: true }))).toEqual({ tables: 'refused', words: 'copied' });
  expect(await agent.read('words/SKILL.md')).toBe(skillText('words', '# New'));
  expect(outcomes(await link({ remove: [] }))).toEqual({ tables: 'refused', words: 'removed' });
  expect(await agent.read('tables/SKILL.md')).toBe('edited');
});

test('a link whose skill is gone is taken away', async () => {
  const { lab, folder, link } = await given();
  await link();
  await lab.skills.remove('words');
  expect(outcomes(await link())).toEqual({ tables: 'unchanged', words: 'removed' });
  expect(() => lstatSync(join(folder, 'words'))).toThrow();
});

test('a folder that cannot be made is told of', async () => {
  const { agent, folder, link } = await given();
  await placeAt(join(folder, '..')).write({ 'x.md': '' });
  await placeAt(join(folder, '..')).write({ 'skills@': 'nowhere' });
  await expect(link()).rejects.toMatchObject({
    code: 'io',
    message: expect.stringContaining(`cannot make ${agent.dir}`),
  });
});

test.each([
  ['a repository', '.git/HEAD', '.git'],
  ['packages', 'node_modules/own/index.js', 'node_modules'],
  ['a folder of packages further down', 'work/node_modules/own.js', 'work/node_modules'],
  ['a link', 'more@', 'more'],
])('a copy that %s was put into stays, and what it is is named', async (_, file, named) => {
  const { lab, agent, folder, link } = await given();
  const skills = (await (await lab.open()).library()).skills.filter(({ name }) => name === 'words');
  await link({ copy: true, skills });
  await agent.write({ [`words/${file}`]: 'SKILL.md' });
  await lab.skills.write({ 'words/SKILL.md': skillText('words', '# New') });
  const refused = [{ outcome: 'refused', reason: expect.stringContaining(join(folder, 'words', named)) }];
  expect(await link({ copy: true, skills })).toMatchObject(refused);
  expect(await link({ remove: [] })).toMatchObject(refused);
  expect(await agent.read(`words/${file.replace('@', '')}`)).not.toBe('');
});

test('an empty folder in a copy is somebody else’s too', async () => {
  const { folder, link } = await given();
  await link({ copy: true });
  await mkdir(join(folder, 'words/empty'));
  expect(outcomes(await link({ remove: [] }))).toEqual({ tables: 'removed', words: 'refused' });
  expect(existsSync(join(folder, 'words/empty'))).toBe(true);
});

test.each(['tables', 'tables/references', 'tables/references/deep', '.git', 'words'])(
  'nothing is put into the library (%s), and no folder is made for it',
  async (place) => {
    const { lab, link } = await given();
    const to = join(lab.skills.dir, place);
    const before = (await readdir(lab.skills.dir, { recursive: true })).sort();
    for (const copy of [true, false])
      for (const dryRun of [true, false])
        expect(await link({ folders: [to], copy, dryRun })).toMatchObject([
          { outcome: 'refused', reason: expect.stringContaining('is a part of the library') },
          { outcome: 'refused', reason: expect.stringContaining('link to a folder outside of it') },
        ]);
    expect((await readdir(lab.skills.dir, { recursive: true })).sort()).toEqual(before);
  },
);

test('nothing is put into the library by way of a link', async () => {
  const { lab, folder, link } = await given();
  await placeAt(join(folder, '..')).write({ 'skills@': join(lab.skills.dir, 'tables') });
  expect(outcomes(await link({ copy: true }))).toEqual({ tables: 'refused', words: 'refused' });
  await placeAt(join(folder, '..')).remove('skills');
  // An agent that reads the library itself has the skills already.
  await placeAt(join(folder, '..')).write({ 'skills@': lab.skills.dir });
  expect(outcomes(await link())).toEqual({ tables: 'unchanged', words: 'unchanged' });
});

test.each([
  ['{"path":"/x"}'],
  ['[5]'],
  ['[{"path":1,"skill":"a"}]'],
  ['[{"path":"x","skill":"a"}]'],
  ['null'],
])('a record of links that somebody broke is named with its place and what to do: %s', async (text) => {
  const { lab, link } = await given();
  const { workspace } = await lab.open();
  writeFileSync(workspace.links, text);
  await expect(link()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(
      /links\.json cannot be read \((?:the value|0).* must .*\); it says which links knack made: remove it/,
    ) as string,
  });
});

test.each([false, true])(
  'linking to several folders at once forgets none of them (copies: %s)',
  async (copy) => {
    const { lab, link } = await given();
    const agents = await temporary('agents');
    const folders = ['one', 'two', 'three', 'four'].map((name) => join(agents, name));
    await Promise.all(folders.map((folder) => link({ folders: [folder], copy })));
    const made = JSON.parse(await lab.workspace.read('links.json'));
    expect(made.map(({ path }: { path: string }) => path)).toEqual(
      folders.flatMap((folder) => [join(folder, 'tables'), join(folder, 'words')]).sort(),
    );
    expect((await readdir(lab.workspace.dir)).filter((name) => name.startsWith('links'))).toEqual([
      'links.json',
    ]);
  },
);

test('a skill that cannot be copied is named, and every other is', async () => {
  const { lab, folder, link } = await given();
  await lab.skills.write({ 'tables/dead@': '/nowhere' });
  expect(await link({ copy: true })).toMatchObject([
    { name: 'tables', outcome: 'refused', reason: expect.stringContaining('leads nowhere') },
    { name: 'words', outcome: 'copied' },
  ]);
  expect(await readdir(folder)).toEqual(['words']);
});
