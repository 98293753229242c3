import { mkdirSync, renameSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Library, SkillRoot } from '../../src/library/library.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';

let root: LibraryFolder;
let library: Library;
let log: string[];

beforeEach(async () => {
  root = libraryFolder();
  log = [];
  root.skill('tea', {
    description: 'Brews green tea.',
    body: 'Water at 70 degrees.\n',
    more: 'version: 1.0.0',
  });
  root.skill('bread', { description: 'Bakes rye bread.' });
  library = await root.open({ log: (line) => log.push(line) });
});

const names = (query: string) => library.search(query).map(({ name }) => name);

test('nothing changed: nothing is read anew and nothing said', async () => {
  const before = library.skills;
  expect(await library.refresh()).toEqual([]);
  for (const [index, skill] of library.skills.entries()) expect(skill).toBe(before[index]);
  expect(log).toEqual([]);
});

test('an edit is taken up by find, search and graph at once, and logged with both versions', async () => {
  expect(names('brew tea')).toEqual(['tea']);
  root.skill('tea', {
    description: 'Roasts coffee beans.',
    body: 'See `bread` skill.\n',
    more: 'version: 1.1.0',
  });
  expect(await library.refresh()).toEqual([{ name: 'tea', kind: 'changed', from: '1.0.0', to: '1.1.0' }]);
  expect(library.find('tea')?.body).toBe('See `bread` skill.\n');
  // What its instructions mention comes with it.
  expect(names('roast coffee')).toEqual(['tea', 'bread']);
  expect(names('brew green')).toEqual([]);
  expect(library.edges('tea')).toEqual([{ from: 'tea', to: 'bread', kind: 'mention', dangling: false }]);
  expect(log).toEqual(['reloaded tea 1.0.0 → 1.1.0']);
});

test('an edit of the same size and modification time is seen', async () => {
  const { atime, mtime } = statSync(root.path('tea/SKILL.md'));
  root.skill('tea', {
    description: 'Brews black tea.',
    body: 'Water at 70 degrees.\n',
    more: 'version: 1.0.0',
  });
  utimesSync(root.path('tea/SKILL.md'), atime, mtime);
  await library.refresh();
  expect(library.find('tea')?.description).toBe('Brews black tea.');
});

test('another case of the letters of its name is seen, and search tells the path that is there', async () => {
  expect(names('brew tea')).toEqual(['tea']);
  const [before, after] = [root.path('tea/SKILL.md'), root.path('tea/Skill.md')];
  renameSync(before, after);
  expect(await library.refresh()).toEqual([{ name: 'tea', kind: 'changed', from: before, to: after }]);
  expect(library.search('brew tea')).toEqual((await root.open()).search('brew tea'));
  expect(library.search('brew tea')[0]?.path).toBe(after);
});

test('a rename over the file, as an editor saves, is seen', async () => {
  root.skill('.new/tea', { description: 'Brews white tea.' });
  renameSync(root.path('.new/tea/SKILL.md'), root.path('tea/SKILL.md'));
  await library.refresh();
  expect(library.find('tea')?.description).toBe('Brews white tea.');
});

test('a touch without a change changes nothing', async () => {
  const before = library.find('tea');
  utimesSync(root.path('tea/SKILL.md'), new Date(0), new Date(0));
  expect(await library.refresh()).toEqual([]);
  expect(library.find('tea')).toBe(before);
});

test('a new skill and one that was removed are taken up', async () => {
  names('warm up the index');
  root.skill('soup', { description: 'Cooks onion soup.' });
  root.remove('bread');
  expect(await library.refresh()).toEqual([
    { name: 'soup', kind: 'added', to: expect.stringMatching(/^[0-9a-f]{8}$/) },
    { name: 'bread', kind: 'removed', from: expect.stringMatching(/^[0-9a-f]{8}$/) },
  ]);
  expect(names('onion soup')).toEqual(['soup']);
  expect(names('rye bread')).toEqual([]);
  expect(library.find('bread')).toBeUndefined();
});

test('a skill that was renamed is gone under its old name', async () => {
  names('warm up the index');
  root.skill('tea', { name: 'infusions', description: 'Brews green tea.' });
  expect((await library.refresh()).map(({ name, kind }) => [name, kind])).toEqual([
    ['infusions', 'added'],
    ['tea', 'removed'],
  ]);
  expect(names('green tea')).toEqual(['infusions']);
});

test.each([
  ['tools.yaml', 'tools:\n  - {name: pour, description: Pours., script: pour.sh}\n'],
  ['evals/triggers.json', '[{"query": "a hot drink", "should_trigger": true}]'],
])('a change of %s alone is taken up', async (file, content) => {
  root.file(`tea/${file}`, content);
  expect((await library.refresh()).map(({ name }) => name)).toEqual(['tea']);
  const { tools = [], triggers = [] } = library.find('tea') ?? {};
  expect(tools.length + triggers.length).toBe(1);
});

describe('a broken edit', () => {
  const entry = () => library.entries.find((each) => each.state !== 'refused' && each.skill.name === 'tea');

  test('keeps the last good version in service, says so, and is forgotten when mended', async () => {
    root.file('tea/SKILL.md', '---\n- a\n---\n');
    expect(await library.refresh()).toEqual([]);
    expect(library.find('tea')?.body).toBe('Water at 70 degrees.\n');
    expect(names('brew tea')).toEqual(['tea']);
    expect(entry()).toMatchObject({
      state: 'listed',
      problem: {
        rule: 'not-a-mapping',
        severity: 'error',
        message: expect.stringContaining(`${root.path('tea/SKILL.md')} is broken now`),
      },
    });
    expect(await library.refresh()).toEqual([]);
    root.skill('tea', { description: 'Brews oolong.' });
    expect((await library.refresh()).map(({ kind }) => kind)).toEqual(['changed']);
    expect(entry()).not.toHaveProperty('problem');
  });

  test('is told of in one line and stands among the problems, until it is mended', async () => {
    root.file('tea/SKILL.md', 'broken');
    await library.refresh();
    await library.refresh();
    expect(log).toEqual([
      expect.stringMatching(/tea\/SKILL\.md is broken now .*last good version stays in use/),
    ]);
    expect(library.problems.map(({ message }) => message)).toEqual(log);
    root.skill('tea', { description: 'Brews oolong.' });
    await library.refresh();
    expect(library.problems).toEqual([]);
  });

  test('that is taken back is no change', async () => {
    const before = library.find('tea');
    root.file('tea/SKILL.md', '');
    await library.refresh();
    root.skill('tea', {
      description: 'Brews green tea.',
      body: 'Water at 70 degrees.\n',
      more: 'version: 1.0.0',
    });
    expect(await library.refresh()).toEqual([]);
    expect(library.find('tea')).toBe(before);
  });

  test('of one that is shadowed keeps its problem in sight', async () => {
    root.skill('zz/tea', { description: 'Another.' });
    await library.refresh();
    root.file('zz/tea/SKILL.md', 'broken');
    await library.refresh();
    expect(library.entries.filter((each) => 'problem' in each)).toHaveLength(1);
  });

  test('is a refusal from the start where no good version was ever seen', async () => {
    root.file('tea/SKILL.md', 'broken');
    const anew = await root.open();
    expect(anew.entries.map(({ state }) => state)).toEqual(['listed', 'refused']);
  });
});

describe('an edit that is saved by half', () => {
  const file = 'tea/SKILL.md';
  const head = '---\nname: tea\n';
  const halves: [what: string, text: string, said: string][] = [
    ['an open quote and no fence', `${head}description: "Brews green tea. Use wh`, 'not closed with ---'],
    ['an open list and no fence', `${head}description: [broken`, 'not closed with ---'],
    ['a whole field and no fence', `${head}description: Brews green tea.\n`, 'not closed with ---'],
    ['half a fence', `${head}description: Brews green tea.\n--`, 'not closed with ---'],
    ['no instructions', `${head}description: Brews green tea.\n---\n\n`, 'instructions are gone'],
    [
      'a merge that nobody finished',
      `${head}description: Brews tea.\n---\n\n<<<<<<< HEAD\nAt 70 degrees.\n=======\nAt 80 degrees.\n>>>>>>> hot\n`,
      'merge conflict',
    ],
    ['YAML that is salvaged', `${head}description: Brews tea.\n  - : ]\n"\n---\nWater.\n`, 'YAML is broken'],
  ];

  test.each(halves)(
    'with %s leaves the last good version in service, and says so once',
    async (_, text, said) => {
      const before = library.find('tea');
      root.file(file, text);
      expect(await library.refresh()).toEqual([]);
      expect(await library.refresh()).toEqual([]);
      expect(library.find('tea')).toBe(before);
      expect(names('brew tea')).toEqual(['tea']);
      expect(log).toEqual([expect.stringContaining(`${root.path(file)} is broken now (`)]);
      expect(log[0]).toContain(said);
      expect(log[0]).toContain('; the last good version stays in use');
      expect(library.problems.map(({ message }) => message)).toEqual(log);
    },
  );

  test('does not become the last good one, however many follow', async () => {
    const before = library.find('tea');
    for (const [, text] of halves) {
      root.file(file, text);
      await library.refresh();
      expect(library.find('tea')).toBe(before);
    }
    root.file(file, '');
    await library.refresh();
    expect(library.find('tea')).toBe(before);
  });

  test.each(halves)('with %s is over when the whole version comes', async (_, text) => {
    root.file(file, text);
    await library.refresh();
    root.skill('tea', { description: 'Brews oolong.', body: 'Water at 90 degrees.\n' });
    expect((await library.refresh()).map(({ kind }) => kind)).toEqual(['changed']);
    expect([library.find('tea')?.body, library.problems]).toEqual(['Water at 90 degrees.\n', []]);
  });

  test.each(halves)('with %s is used where the process began with it', async (_, text) => {
    root.file(file, text);
    const anew = await root.open();
    expect(anew.find('tea')?.description).toEqual(expect.any(String));
    expect(anew.problems).toEqual([]);
  });

  test('is not one that tells of merge conflicts within a code fence', async () => {
    const body = 'Look for:\n\n```\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n```\n';
    root.skill('tea', { description: 'Brews tea.', body });
    expect((await library.refresh()).map(({ kind }) => kind)).toEqual(['changed']);
    expect([library.find('tea')?.body, library.problems]).toEqual([body, []]);
  });

  test('takes up a further edit of a skill that was so from the start', async () => {
    root.file(file, '---\nname: tea\ndescription: Brews green tea.\n\n# Tea\nWater at 70 degrees.\n');
    const anew = await root.open();
    root.file(file, '---\nname: tea\ndescription: Brews green tea.\n\n# Tea\nWater at 80 degrees.\n');
    expect((await anew.refresh()).map(({ kind }) => kind)).toEqual(['changed']);
    expect(anew.find('tea')?.body).toContain('80 degrees');
  });

  test('keeps itself from the model at once where it says so', async () => {
    root.file(
      file,
      `${head}description: Brews tea.\ndisable-model-invocation: true\n  - : ]\n"\n---\nWater.\n`,
    );
    await library.refresh();
    expect(library.find('tea')?.userOnly).toBe(true);
  });
});

describe('what is no file for the moment', () => {
  const path = () => root.path('tea/SKILL.md');
  const broken = (what: string) => [expect.stringContaining(`${path()} is broken now (${what}`)];

  test('a folder in the place of SKILL.md keeps the last good version, until the file is back', async () => {
    const before = library.find('tea');
    renameSync(path(), root.path('aside.txt'));
    mkdirSync(path());
    for (const _ of [1, 2]) expect(await library.refresh()).toEqual([]);
    expect([library.find('tea'), names('brew tea'), log]).toEqual([
      before,
      ['tea'],
      broken(`${path()} is a folder`),
    ]);
    expect(library.problems.map(({ message }) => message)).toEqual(log);
    rmdirSync(path());
    renameSync(root.path('aside.txt'), path());
    expect(await library.refresh()).toEqual([]);
    expect([library.find('tea'), library.problems]).toEqual([before, []]);
    expect((await root.open()).skills.map(({ name }) => name)).toEqual(['bread', 'tea']);
  });

  test('a folder there from the start is no skill', async () => {
    renameSync(path(), root.path('aside.txt'));
    mkdirSync(path());
    expect((await root.open()).skills.map(({ name }) => name)).toEqual(['bread']);
  });

  test('between the two renames of an editor that saves, the last good version stays in service', async () => {
    const before = library.find('tea');
    renameSync(path(), `${path()}~`);
    for (const _ of [1, 2]) expect(await library.refresh()).toEqual([]);
    expect([library.find('tea'), log]).toEqual([before, broken(`it is ${path()}~ now`)]);
    root.skill('tea', { description: 'Brews oolong.', more: 'version: 1.1.0' });
    expect(await library.refresh()).toEqual([{ name: 'tea', kind: 'changed', from: '1.0.0', to: '1.1.0' }]);
    expect(library.problems).toEqual([]);
  });

  test.each([
    ['deleted, whatever an earlier save left beside it', () => rmSync(path())],
    ['given another name', () => renameSync(path(), `${path()}.off`)],
  ])('one that is %s is gone', async (_, change) => {
    root.file('tea/SKILL.md~', 'An earlier version.');
    change();
    expect((await library.refresh()).map(({ name, kind }) => [name, kind])).toEqual([['tea', 'removed']]);
  });
});

describe('a broken edit of a file beside SKILL.md', () => {
  const tool = (name: string, more = '') =>
    `  - {name: ${name}, description: Pours., script: pour.sh${more}}\n`;
  const toolNames = () => library.find('tea')?.tools.map(({ name }) => name);

  beforeEach(async () => {
    root.file('tea/tools.yaml', `tools:\n${tool('pour')}${tool('stir')}`);
    root.file('tea/evals/triggers.json', '[{"query": "a hot drink", "should_trigger": true}]');
    await library.refresh();
    log.length = 0;
  });

  test('takes no tool away, says so in one line, and is over when it is mended', async () => {
    root.file('tea/tools.yaml', 'tools: [ {');
    expect(await library.refresh()).toEqual([]);
    await library.refresh();
    expect(toolNames()).toEqual(['pour', 'stir']);
    expect(log).toEqual([
      expect.stringMatching(/^tea: broken now in .*\(tools\.yaml:1.*what was last good there stays in use$/),
    ]);
    expect(library.problems.map(({ message }) => message)).toEqual(log);
    root.file('tea/tools.yaml', `tools:\n${tool('pour')}`);
    await library.refresh();
    expect([toolNames(), library.problems]).toEqual([['pour'], []]);
  });

  test('holds back no edit of the instructions', async () => {
    root.file('tea/tools.yaml', 'tools: [ {');
    await library.refresh();
    root.skill('tea', { body: 'Water at 80 degrees.\n' });
    await library.refresh();
    expect([library.find('tea')?.body, toolNames()]).toEqual(['Water at 80 degrees.\n', ['pour', 'stir']]);
  });

  test('of one tool keeps that tool, and takes up what else the file says', async () => {
    root.file('tea/tools.yaml', `tools:\n${tool('pour', ', chain: [{tool: x}]')}${tool('taste')}`);
    await library.refresh();
    expect(toolNames()).toEqual(['taste', 'pour']);
  });

  test('of the triggers keeps them', async () => {
    root.file('tea/evals/triggers.json', '[');
    await library.refresh();
    expect(library.find('tea')?.triggers.map(({ query }) => query)).toEqual(['a hot drink']);
  });

  test('gives nothing back to a skill that may run nothing any more', async () => {
    root.file('tea/SKILL.md', '---\nname: tea\ndescription: Brews tea.\n  - : ]\n"\n---\nWater.\n');
    const anew = await root.open();
    root.file('tea/tools.yaml', 'tools: [ {');
    await anew.refresh();
    expect([anew.find('tea')?.salvaged, anew.find('tea')?.tools]).toEqual([true, []]);
  });

  test('that takes the file away takes its tools away', async () => {
    root.remove('tea/tools.yaml');
    await library.refresh();
    expect([toolNames(), library.problems]).toEqual([[], []]);
  });
});

test('a change that keeps the number, and one of a file beside SKILL.md alone, are logged with hashes that differ', async () => {
  root.skill('tea', { body: 'Water at 80 degrees.\n', more: 'version: 1.0.0' });
  await library.refresh();
  root.file('tea/tools.yaml', 'tools:\n  - {name: pour, description: Pours., script: pour.sh}\n');
  root.file('bread/tools.yaml', 'tools:\n  - {name: bake, description: Bakes., script: bake.sh}\n');
  await library.refresh();
  expect(log).toEqual([
    expect.stringMatching(/^reloaded tea 1\.0\.0 \((\w{8})\) → 1\.0\.0 \((?!\1)\w{8}\)$/),
    expect.stringMatching(/^reloaded bread (\w{8}) → (?!\1)\w{8}$/),
    expect.stringMatching(/^reloaded tea 1\.0\.0 \((\w{8})\) → 1\.0\.0 \((?!\1)\w{8}\)$/),
  ]);
});

describe('a look at one skill', () => {
  let roots: SkillRoot[];

  beforeEach(async () => {
    roots = [{ name: 'workspace', dir: root.dir, writable: true }];
    // As if all had been written well before.
    const cache = { file: `${libraryFolder().dir}/readings.bin`, now: Date.now() + 60_000 };
    library = await root.open({ roots: () => [...roots], cache });
    expect(await library.refresh(['tea'])).toEqual([]);
  });

  const other = () => {
    const dir = libraryFolder();
    dir.skill('jam');
    return { name: 'other', dir: dir.dir, writable: false };
  };
  const edits: [what: string, edit: () => unknown, names: string[]][] = [
    ['its text', () => root.skill('tea', { description: 'Brews oolong.' }), ['tea']],
    ['a file beside it', () => root.file('tea/tools.yaml', 'tools: []\n# none'), []],
    ['its folder', () => root.remove('tea'), ['tea']],
    ['a new skill', () => root.skill('soup'), ['soup']],
    ['another one that goes', () => root.remove('bread'), ['bread']],
    ['a root that comes', () => roots.push(other()), ['jam']],
  ];

  test.each(edits)('sees %s', async (_, edit, changed) => {
    edit();
    root.skill('nested/deeper/cake');
    expect(new Set((await library.refresh(['tea'])).map(({ name }) => name))).toEqual(
      new Set(['cake', ...changed]),
    );
  });

  test('reads nothing where that skill and the roots are as they were', async () => {
    root.skill('bread', { description: 'Bakes wheat bread.' });
    expect(await library.refresh(['tea'])).toEqual([]);
    expect((await library.refresh(['bread'])).map(({ name }) => name)).toEqual(['bread']);
  });

  test('that is not there looks at everything', async () => {
    root.skill('bread', { description: 'Bakes wheat bread.' });
    expect((await library.refresh(['tea', 'gone'])).map(({ name }) => name)).toEqual(['bread']);
  });
});

test('roots that change take no last good version out of service, and nothing that did not change is read anew', async () => {
  const other = libraryFolder();
  other.skill('jam');
  const dirs = [{ name: 'workspace', dir: root.dir, writable: true }];
  library = await root.open({ roots: () => [...dirs], log: (line) => log.push(line) });
  const before = library.find('bread');
  root.file('tea/SKILL.md', 'broken');
  await library.refresh();
  dirs.push({ name: 'other', dir: other.dir, writable: false });
  log.length = 0;
  await library.refresh();
  expect(library.find('tea')?.body).toBe('Water at 70 degrees.\n');
  expect(library.find('bread')).toBe(before);
  expect(log).toEqual([expect.stringMatching(/^reloaded jam new → /)]);
  expect(names('jam')).toEqual(['jam']);
  dirs.pop();
  await library.refresh();
  expect([library.find('jam'), names('jam')]).toEqual([undefined, []]);
});

test('many changes at once are told in ten lines and one that counts the others', async () => {
  for (let index = 10; index < 26; index += 1) root.skill(`dish-${index}`);
  root.remove('bread');
  expect(await library.refresh()).toHaveLength(17);
  expect(log).toEqual([
    ...Array.from({ length: 10 }, (_, index) =>
      expect.stringMatching(new RegExp(`^reloaded dish-${index + 10} new → `)),
    ),
    'and 7 more: 6 new, 1 removed',
  ]);
  log.length = 0;
  for (let index = 10; index < 22; index += 1) root.file(`dish-${index}/SKILL.md`, 'broken');
  await library.refresh();
  expect([log.length, log.at(-1)]).toEqual([11, 'and 2 others are broken now']);
});

test('a library whose opening is stopped is not read to its end', async () => {
  let steps = 0;
  const pause = async () => {
    steps += 1;
    if (steps === 2) throw new Error('stopped');
  };
  await expect(root.open({ pause })).rejects.toThrow('stopped');
  expect(steps).toBe(2);
});

test('refreshes at once answer with each change once', async () => {
  root.skill('tea', { description: 'Brews oolong.' });
  const changes = await Promise.all([library.refresh(), library.refresh(), library.refresh()]);
  expect(changes.flat().map(({ name }) => name)).toEqual(['tea']);
});

test('a library as it would be leaves the one it was made from as it is', async () => {
  const tea = library.find('tea');
  if (tea === undefined) throw new Error('tea is missing');
  const other = library.with([{ ...tea, description: 'Roasts coffee.' }], ['bread']);
  expect(other.search('roast coffee').map(({ name }) => name)).toEqual(['tea']);
  expect(other.find('bread')).toBeUndefined();
  expect(other.rootOf(other.find('tea') ?? tea).name).toBe('workspace');
  expect(library.search('roast coffee')).toEqual([]);
  expect(library.find('bread')?.name).toBe('bread');
});
