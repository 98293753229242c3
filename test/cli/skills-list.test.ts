import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';
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
    ['pdf', 'shadowed', join(team, 'pdf/SKILL.md'), `by workspace:pdf; ${join(team, 'pdf/SKILL.md')}`],
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
});

test('found is what is loadable and what is refused: a skill within the folder of another one is a refused one wherever it is asked for', async () => {
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
  expect(list.stdout).toContain(`refused: ${inner}: ${message}`);
  expect(list.stderr).toBe('');
  const rows = JSON.parse((await knack(['skills', 'list', '--all', '--json'])).stdout).skills;
  expect(rows.find(({ state }: { state: string }) => state === 'refused')).toMatchObject({ path: inner });
  const validated = await knack(['skills', 'validate', '--json']);
  const { skills, summary } = JSON.parse(validated.stdout);
  expect([validated.code, summary]).toEqual([0, { found: 2, loadable: 1, strict: 1 }]);
  expect(skills[1]).toEqual({
    path: inner,
    name: null,
    loadable: false,
    strict: false,
    problems: [{ rule: 'nested-skill', severity: 'info', message }],
  });
  expect((await knack(['skills', 'validate'])).stdout).toContain('2 found, 1 loadable, 1 strict, 1 refused');
  const doctor = (await knack(['doctor', '--verbose'])).stdout;
  expect(doctor).toContain(
    `1 SKILL.md lies in the folder of another skill and is refused, in ${workspace}/skills`,
  );
  expect(doctor).toContain(`${inner}: ${message}`);
  expect((await knack(['skills', 'show', 'inner'])).stderr).toContain(`inner is not used: ${message}`);
});

test('an empty folder among skills is refused for what it is, not for what lies beside it', async () => {
  const { knack } = await freshKnack('empty');
  const root = await temporary('root');
  await mkdir(join(root, 'empty'), { recursive: true });
  await mkdir(join(root, 'beside'), { recursive: true });
  await writeFile(join(root, 'beside/SKILL.md'), skillText('beside', '- x'));
  const { summary } = JSON.parse((await knack(['skills', 'validate', '--json', join(root, 'empty')])).stdout);
  expect(summary).toEqual({ found: 1, loadable: 0, strict: 0 });
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
