import { beforeEach, describe, expect, test } from 'vitest';
import type { Library, LibraryEntry, SkillRoot } from '../../src/library/library.ts';
import { openLibrary } from '../../src/library/library.ts';
import { precedenceOf } from '../../src/library/precedence.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';

let base: LibraryFolder;
let roots: SkillRoot[];

beforeEach(() => {
  base = libraryFolder();
  roots = ['workspace', 'agents', 'bundled'].map((name) => ({
    name,
    dir: base.path(name),
    writable: name === 'workspace',
  }));
  for (const { name } of roots) base.file(`${name}/README.md`, 'x');
});

const open = (order = roots) => openLibrary({ roots: order });

/** Each entry as `root:name state`, with what shadows it. */
const states = (library: Library) => library.entries.map(stateOf);

function stateOf(entry: LibraryEntry): string {
  const name = entry.state === 'refused' ? entry.path.slice(entry.root.dir.length + 1) : entry.skill.name;
  return `${entry.root.name}:${name} ${entry.state}${entry.state === 'shadowed' ? ` by ${entry.by}` : ''}`;
}

const describedAs = (library: Library, name: string) => library.find(name)?.description;

describe('of several skills of a name', () => {
  beforeEach(() => {
    for (const { name } of roots) base.skill(`${name}/pdf`, { description: `From ${name}.` });
    base.skill('bundled/csv');
  });

  test('the one of the first root is listed and the others are shadowed, reachable by root and name', async () => {
    const library = await open();
    expect(states(library)).toEqual([
      'bundled:csv listed',
      'workspace:pdf listed',
      'agents:pdf shadowed by workspace:pdf',
      'bundled:pdf shadowed by workspace:pdf',
    ]);
    expect(library.skills.map(({ name }) => name)).toEqual(['csv', 'pdf']);
    for (const { name } of roots) expect(describedAs(library, `${name}:pdf`)).toBe(`From ${name}.`);
    expect(describedAs(library, 'pdf')).toBe('From workspace.');
  });

  test('the order of roots decides, not their names', async () => {
    expect(describedAs(await open([...roots].reverse()), 'pdf')).toBe('From bundled.');
  });

  test('the next one is listed when the first goes, and when the first comes back', async () => {
    const library = await open();
    base.remove('workspace/pdf');
    expect(await library.refresh()).toMatchObject([{ name: 'pdf', kind: 'changed' }]);
    expect(describedAs(library, 'pdf')).toBe('From agents.');
    base.skill('workspace/pdf', { description: 'Back.' });
    await library.refresh();
    expect(describedAs(library, 'pdf')).toBe('Back.');
  });

  test('a broken one hides no other and stays in sight', async () => {
    base.file('workspace/pdf/SKILL.md', 'no front matter');
    const library = await open();
    expect(states(library)).toEqual([
      'bundled:csv listed',
      'workspace:pdf/SKILL.md refused',
      'agents:pdf listed',
      'bundled:pdf shadowed by agents:pdf',
    ]);
  });
});

test('two of a name in one root: the one that lies least deep is listed, the others are reached by their folders', async () => {
  base.skill('workspace/pdf', { description: 'First.' });
  base.skill('workspace/a', { name: 'pdf', description: 'Misnamed.' });
  base.skill('workspace/a-copy/old/pdf', { description: 'Copy.' });
  const library = await open();
  expect(states(library)).toEqual([
    'workspace:pdf listed',
    'workspace:pdf shadowed by workspace:pdf',
    'workspace:pdf shadowed by workspace:pdf',
  ]);
  const asked = ['pdf', 'workspace:pdf', 'workspace:a', 'workspace:a-copy/old/pdf', 'agents:a'];
  expect(asked.map((name) => describedAs(library, name))).toEqual([
    'First.',
    'First.',
    'Misnamed.',
    'Copy.',
    undefined,
  ]);
});

test('each of several of a name has one name that finds it, and a search for that name finds it first', async () => {
  for (const folder of ['workspace/pdf', 'workspace/a', 'agents/pdf', 'agents/old/pdf'])
    base.skill(folder, { name: 'pdf', description: `From ${folder}.` });
  const library = await open();
  const skills = library.entries.flatMap((entry) => (entry.state === 'refused' ? [] : [entry.skill]));
  const names = skills.map((skill) => library.nameOf(skill));
  expect(names).toEqual(['pdf', 'workspace:a', 'agents:pdf', 'agents:old/pdf']);
  for (const [index, name] of names.entries()) {
    expect(library.find(name)).toBe(skills[index]);
    expect(library.search(name)[0]).toEqual({
      name,
      path: skills[index]?.path,
      score: 2,
      why: ['exact name'],
    });
  }
  expect(library.search('workspace:pdf')[0]?.name).toBe('pdf');
});

test('found is listed, shadowed and refused together', async () => {
  base.skill('workspace/a');
  base.skill('agents/a');
  base.file('agents/b/SKILL.md', '---\nname: b\n---\n');
  base.file('bundled/c/SKILL.md', new Uint8Array([0xff]));
  base.skill('bundled/d');
  const { entries } = await open();
  expect(entries).toHaveLength(5);
});

test('one file that two roots share belongs to the first, without a word', async () => {
  base.skill('workspace/pdf');
  base.link('linked', base.path('workspace'));
  const library = await open([...roots, { name: 'linked', dir: base.path('linked'), writable: false }]);
  expect(states(library)).toEqual(['workspace:pdf listed']);
  expect(library.problems).toEqual([]);
});

test('a copy that is a hard link is a skill of its own', async () => {
  base.skill('workspace/pdf');
  base.file('agents/pdf/extra.md', 'x');
  base.hardLink('agents/pdf/SKILL.md', base.path('workspace/pdf/SKILL.md'));
  expect(states(await open())).toEqual(['workspace:pdf listed', 'agents:pdf shadowed by workspace:pdf']);
});

test('a root that is not there is a problem and hides no other', async () => {
  base.skill('bundled/pdf');
  base.remove('agents');
  const library = await open();
  expect(library.problems.map(({ rule }) => rule)).toEqual(['root-missing']);
  expect(states(library)).toEqual(['bundled:pdf listed']);
});

const NAMES: [asked: string, found: string | undefined][] = [
  ['pdf-tools', 'pdf-tools'],
  ['PDF Tools', 'pdf-tools'],
  ['portable', 'pdf-tools'],
  ['pdftools', 'pdf-tools'],
  ['csv', 'csv'],
  ['workspace:csv', 'csv'],
  ['agents:csv', undefined],
  ['', undefined],
  ['!!!', undefined],
  ['../pdf-tools', 'pdf-tools'],
  ['constructor', undefined],
  ['__proto__', undefined],
  ['toString', undefined],
];

describe('a skill is found by name, label, alias and folder', () => {
  beforeEach(() => {
    base.skill('workspace/pdftools', { name: 'PDF Tools', more: 'aliases: portable, csv, "!!!"' });
    base.skill('workspace/csv');
  });

  test.each(NAMES)('%j finds %s', async (asked, found) => {
    expect((await open()).find(asked)?.name).toBe(found);
  });
});

test('the outcome does not depend on the order in which entries were found', async () => {
  for (const { name } of roots)
    for (const folder of ['a', 'b/a', 'c'])
      base.skill(`${name}/${folder}`, { description: `${name} ${folder}` });
  base.file('agents/a/SKILL.md', 'broken');
  const { entries } = await open();
  const reversed = precedenceOf(
    entries
      .map((entry) =>
        entry.state === 'shadowed'
          ? { state: 'listed' as const, root: entry.root, skill: entry.skill }
          : entry,
      )
      .reverse(),
    roots,
  );
  expect(reversed.entries).toEqual(entries);
});

test('the listed one is the loaded one, in whatever order the folders were made', async () => {
  const folders = ['workspace/a/pdf', 'workspace/b/pdf', 'workspace/pdf-old', 'agents/pdf', 'bundled/x/pdf'];
  const orders = [folders, [...folders].reverse(), [2, 4, 0, 3, 1].map((at) => folders[at] ?? '')];
  const seen: string[][] = [];
  for (const order of orders) {
    for (const { name } of roots) base.remove(name);
    for (const folder of order) base.skill(folder, { name: 'pdf', description: folder });
    const library = await open();
    const [listed] = library.skills;
    expect([listed?.path, listed?.description]).toEqual([
      library.find('pdf')?.path,
      library.find('workspace:pdf')?.description,
    ]);
    seen.push(
      library.entries.map((entry) => `${entry.state} ${entry.state === 'refused' ? '' : entry.skill.path}`),
    );
  }
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
});

test('an alias belongs to the skill of the first root, whatever the names', async () => {
  const [first, second] = [libraryFolder(), libraryFolder()];
  first.skill('zeta', { description: 'Ships.', more: 'aliases: [ship]' });
  second.skill('aaa', { description: 'Ships too.', more: 'aliases: [ship]' });
  const library = await openLibrary({
    roots: [
      { name: 'first', dir: first.dir, writable: true },
      { name: 'second', dir: second.dir, writable: false },
    ],
  });
  expect(library.find('ship')?.name).toBe('zeta');
});
