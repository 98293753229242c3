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

test('skills within the folder of another one are named, and every row of `list --all` has its path', async () => {
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
  const message = expect.stringMatching(/^references\/inner\/SKILL\.md lies in the folder of this skill/);
  const nested = [{ rule: 'nested-skill', severity: 'info', message }];
  const list = await knack(['skills', 'list', '--all']);
  expect(list.stdout).toMatch(`listed: ${join(dir, 'SKILL.md')}`);
  expect(list.stderr).toContain('info: references/inner/SKILL.md lies in the folder');
  expect(JSON.parse((await knack(['skills', 'list', '--all', '--json'])).stdout).problems).toEqual(nested);
  const validated = await knack(['skills', 'validate', '--json']);
  expect([validated.code, JSON.parse(validated.stdout).skills[0].problems]).toEqual([0, nested]);
});
