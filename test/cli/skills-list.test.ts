import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';
import { libraryFolder } from '../support/library-folder.ts';
import { skillText, temporary } from '../support/skills.ts';

test('`list --all` shows every file that was found, where it stands and why it is or is not used; the listed one is the loaded one', async () => {
  const { knack, workspace } = await freshKnack('list');
  const team = await temporary('team');
  const put = async (path: string, text: string) => {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  };
  await put(join(workspace, 'knack.json'), JSON.stringify({ roots: [team, join(team, 'gone')] }));
  await put(join(workspace, 'skills/pdf/SKILL.md'), skillText('pdf', '- x'));
  await put(join(team, 'pdf/SKILL.md'), skillText('pdf', '- y'));
  await put(join(team, 'broken/SKILL.md'), 'nothing');
  await put(join(team, 'flat.md'), skillText('flat', '- y'));
  const quiet =
    '---\nname: quiet\ndescription: "Is quiet. Use when x."\ndisable-model-invocation: true\n---\n\nx\n';
  await put(join(team, 'quiet/SKILL.md'), quiet);
  const all = JSON.parse((await knack(['skills', 'list', '--all', '--json'])).stdout) as {
    skills: { name: string; state: string; root: string; path: string; why?: string }[];
    problems: { rule: string }[];
  };
  expect(
    all.skills
      .filter(({ root }) => root !== 'bundled')
      .map(({ name, state, path, why = '' }) => [name, state, path, why]),
  ).toEqual([
    ['-', 'refused', join(team, 'broken/SKILL.md'), expect.stringContaining('no YAML frontmatter')],
    ['pdf', 'listed', join(workspace, 'skills/pdf/SKILL.md'), ''],
    [
      'pdf',
      'shadowed',
      join(team, 'pdf/SKILL.md'),
      `by workspace:pdf; reached as ${basename(team)}:pdf; ${join(team, 'pdf/SKILL.md')}`,
    ],
    ['quiet', 'listed', join(team, 'quiet/SKILL.md'), 'for the user alone; no model is offered it'],
  ]);
  expect(all.problems.map(({ rule }) => rule)).toEqual(['loose-file', 'root-missing']);
  const told = (await knack(['skills', 'list', '--all'])).stderr;
  expect(told).toContain(`move it to ${join(team, 'flat')}/SKILL.md`);
  for (const [name, path] of [
    ['pdf', join(workspace, 'skills/pdf/SKILL.md')],
    [`${team.split('/').at(-1)}:pdf`, join(team, 'pdf/SKILL.md')],
  ] as const)
    expect(JSON.parse((await knack(['skills', 'show', name, '--json'])).stdout).path).toBe(path);
});

test('a link to what is found by another path has a row in `list --all`, and a root that is another one is told', async () => {
  const { knack, workspace } = await freshKnack('again');
  const team = libraryFolder();
  team.skill('group/csv');
  team.link('again', team.path('group/csv'));
  team.link('both', team.path('group'));
  team.link('up/top', team.dir);
  team.link('file/SKILL.md', team.path('group/csv/SKILL.md'));
  team.link('plain', team.path('empty'));
  team.file('empty/notes.txt', 'x');
  const others = libraryFolder();
  others.link('twin', team.dir);
  const own = libraryFolder();
  own.link('csv', team.path('group/csv'));
  const rows = async (roots: readonly string[]) => {
    await mkdir(workspace, { recursive: true });
    await writeFile(join(workspace, 'knack.json'), JSON.stringify({ roots }));
    const { stdout } = await knack(['skills', 'list', '--all', '--json']);
    const { skills, problems } = JSON.parse(stdout) as {
      skills: { name: string; state: string; root: string; path: string; why?: string }[];
      problems: { rule: string; severity: string; message: string }[];
    };
    const shown = skills.filter(({ root }) => root !== 'bundled');
    return { rows: shown.map(({ name, state, path, why = '' }) => [name, state, path, why]), problems };
  };
  const csv = team.path('group/csv/SKILL.md');
  const same = `the same file as ${csv}`;
  const links = [
    ['csv', 'duplicate', team.path('again/SKILL.md'), same],
    [
      '-',
      'duplicate',
      team.path('both'),
      `leads to ${team.path('group')}, whose 1 SKILL.md is found by another path`,
    ],
    ['csv', 'duplicate', team.path('file/SKILL.md'), same],
    [
      '-',
      'duplicate',
      team.path('up/top'),
      `leads to ${team.dir}, whose 1 SKILL.md is found by another path`,
    ],
  ];
  const twin = others.path('twin');
  expect(await rows([team.dir, twin])).toEqual({
    rows: [['csv', 'listed', csv, ''], ...links],
    problems: [
      {
        rule: 'same-root',
        severity: 'info',
        message: expect.stringMatching(
          `, ${twin}, leads to the folder of the root .*, ${team.dir}, and is read once`,
        ),
      },
    ],
  });
  // Within one root the place without links counts; among several the first root.
  const linked = own.path('csv/SKILL.md');
  const toLinked = `the same file as ${linked}`;
  expect((await rows([own.dir, team.path('group')])).rows).toEqual([
    ['csv', 'listed', linked, ''],
    ['csv', 'duplicate', csv, toLinked],
  ]);
  expect((await rows([team.path('group'), own.dir])).rows).toEqual([
    ['csv', 'listed', csv, ''],
    ['csv', 'duplicate', linked, same],
  ]);
  expect((await knack(['skills', 'list'])).stderr).toBe('');
});

test('a skill that is broken is not said to be missing', async () => {
  const { knack, workspace } = await freshKnack('broken');
  const file = join(workspace, 'skills/mine/SKILL.md');
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, '---\nname: mine\n---\nNo description.\n');
  const line = `mine is there and not used: description is required; add a line description: "…" of up to 1024 characters; see \`knack skills validate ${file}\``;
  for (const words of [['show', 'mine'], ['list'], ['search', 'mine'], ['test', 'mine']]) {
    const { stderr } = await knack(['skills', ...words]);
    expect([words, stderr]).toEqual([words, expect.stringContaining(line)]);
  }
  expect((await knack(['skills', 'search', 'mines of gold'])).stderr).not.toContain('is there and not used');
  expect((await knack(['skills', 'list', '--all'])).stderr).not.toContain('is there and not used');
  // Whoever asks for something else is not told of it.
  for (const words of [['show', 'git-commit'], ['catalog'], ['search', 'commit']])
    expect([words, (await knack(['skills', ...words])).stderr]).toEqual([words, '']);
});

test.each([
  [['docker'], 'docker', 'docker', 'that tag'],
  [['docker', "it's"], "docker 'it'\\''s'", "'docker,it'\\''s'", 'all of these tags'],
])('`list` with the words %j names the commands that take them', async (words, query, tags, which) => {
  const { knack } = await freshKnack('words');
  expect(await knack(['skills', 'list', ...words])).toEqual({
    code: 2,
    stdout: '',
    stderr: `knack: skills list takes no words: \`knack skills search ${query}\` finds skills by what they are for, \`knack skills list --tag ${tags}\` lists those with ${which}\n`,
  });
});

test('found is what the library loads or refuses: a skill within the folder of another one is told wherever it is asked for', async () => {
  const { knack, workspace } = await freshKnack('nested');
  const dir = join(workspace, 'skills/outer');
  for (const [path, name] of [
    ['SKILL.md', 'outer'],
    ['references/inner/SKILL.md', 'inner'],
    ['node_modules/other/SKILL.md', 'other'],
  ] as const) {
    await mkdir(join(dir, path, '..'), { recursive: true });
    await writeFile(join(dir, path), skillText(name, '- x'));
  }
  const inner = join(dir, 'references/inner/SKILL.md');
  const message = `references/inner/SKILL.md lies in the folder of the skill ${dir}, to which it belongs, and is no skill of its own; move its folder out of there to make it one`;
  const list = await knack(['skills', 'list', '--all']);
  expect(list.stdout).toContain(`listed: ${join(dir, 'SKILL.md')}`);
  expect(list.stdout).toContain(`nested: ${inner}: ${message}`);
  expect(list.stderr).toBe('');
  const rows = JSON.parse((await knack(['skills', 'list', '--all', '--json'])).stdout).skills;
  expect(rows.find(({ state }: { state: string }) => state === 'nested')).toMatchObject({ path: inner });
  const validated = await knack(['skills', 'validate', '--json']);
  const { skills, summary } = JSON.parse(validated.stdout);
  expect([validated.code, summary]).toEqual([0, { found: 1, loadable: 1, strict: 1 }]);
  expect(skills).toEqual([
    {
      path: join(dir, 'SKILL.md'),
      name: 'outer',
      loadable: true,
      strict: true,
      problems: [{ rule: 'nested-skill', severity: 'info', message }],
    },
  ]);
  expect((await knack(['skills', 'validate'])).stdout).toContain('1 found, 1 loadable, 1 strict');
  const stats = JSON.parse(
    (await knack(['skills', 'stats', '--json', '--root', join(workspace, 'skills')])).stdout,
  );
  expect(stats.totals.skills).toBe(summary.found);
  const doctor = (await knack(['doctor', '--verbose'])).stdout;
  expect(doctor).toContain(
    `1 SKILL.md lies in the folder of another skill and is not used, in ${workspace}/skills`,
  );
  expect(doctor).toContain(`${inner}: ${message}`);
  expect((await knack(['skills', 'show', 'inner'])).stderr).toContain(`inner is not used: ${message}`);
});

test('an empty folder counts as nothing that was found, and is a fault where it is named', async () => {
  const { knack } = await freshKnack('empty');
  const root = await temporary('root');
  await mkdir(join(root, 'empty'), { recursive: true });
  await mkdir(join(root, 'beside'), { recursive: true });
  await writeFile(join(root, 'beside/SKILL.md'), skillText('beside', '- x'));
  const message = `${join(root, 'empty')} holds no skill: there is no SKILL.md in it, nor in a folder below`;
  const { code, stdout, stderr } = await knack(['skills', 'validate', '--json', join(root, 'empty')]);
  expect([code, stderr, JSON.parse(stdout)]).toEqual([
    1,
    `${message}\n`,
    {
      skills: [],
      summary: { found: 0, loadable: 0, strict: 0 },
      problems: [{ rule: 'no-skill', severity: 'error', message }],
    },
  ]);
  const twice = join(await temporary('links'), 'twice');
  await symlink(root, twice);
  const places = [root, join(root, 'beside'), twice, join(twice, 'beside/SKILL.md'), join(root, 'empty')];
  const both = await knack(['skills', 'validate', '--json', ...places]);
  expect([both.code, JSON.parse(both.stdout).summary]).toEqual([1, { found: 1, loadable: 1, strict: 1 }]);
});

test('skills in folders that begin with a dot are skipped, and `list --all`, `doctor`, `validate` and `show` say so', async () => {
  const { knack, workspace } = await freshKnack('dots');
  const root = await temporary('root');
  for (const name of ['.agents/skills/one', 'tools/.hidden/two', 'plain']) {
    await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, name, 'SKILL.md'), skillText(name.split('/').at(-1) ?? '', '- x'));
  }
  await mkdir(workspace, { recursive: true });
  await writeFile(join(workspace, 'knack.json'), JSON.stringify({ roots: [root] }));
  const line = `2 skills lie in folders of ${root} whose names begin with a dot, which are skipped: .agents/skills (1), tools/.hidden (1); name such a folder`;
  const list = JSON.parse((await knack(['skills', 'list', '--all', '--json'])).stdout);
  expect(list.problems).toMatchObject([
    { rule: 'dot-folder', severity: 'info', message: `${line} as a root to use them` },
  ]);
  expect(list.skills.filter(({ state }: { state: string }) => state === 'skipped')).toMatchObject(
    ['.agents/skills/one', 'tools/.hidden/two'].map((name) => ({ path: join(root, name, 'SKILL.md') })),
  );
  expect((await knack(['skills', 'list', '--all', '--root', root])).stderr).toContain(line);
  expect((await knack(['skills', 'list'])).stderr).toBe('');
  const validated = await knack(['skills', 'validate', root]);
  expect([validated.code, validated.stderr]).toEqual([0, `${line} to validate them\n`]);
  const doctor = (await knack(['doctor', '--verbose'])).stdout;
  expect(doctor).toContain(`skipped: ${line}`);
  expect(doctor).toContain(join(root, 'tools/.hidden/two/SKILL.md'));
  const shown = await knack(['skills', 'show', 'two']);
  expect(shown.stderr).toContain(
    `two is not used: ${join(root, 'tools/.hidden/two/SKILL.md')} lies in a folder`,
  );
});

test('a long version or root leaves the other columns their room; `--wide` shows them whole', async () => {
  const { knack, workspace } = await freshKnack('long-version');
  const team = join(await temporary('long-root'), 'r'.repeat(90));
  const version = `1.0.0-${'a'.repeat(50)}`;
  await mkdir(join(team, 'tea'), { recursive: true });
  await mkdir(workspace, { recursive: true });
  await writeFile(join(workspace, 'knack.json'), JSON.stringify({ roots: [team] }));
  await writeFile(join(team, 'tea/SKILL.md'), skillText('tea', '- x', { version }));
  const row = async (...args: string[]) =>
    (await knack(['skills', 'list', ...args])).stdout.split('\n').find((line) => line.startsWith('tea '));
  expect(await row()).toMatch(/^tea +1\.0\.0-a{14}… {2}r{30}… {2}\S/);
  expect(await row('--wide')).toMatch(new RegExp(`^tea +${version} {2}r{90} {2}\\S`));
  expect(await row('--all')).toMatch(new RegExp(`^tea +${version} {2}r{90} {2}listed: `));
});
