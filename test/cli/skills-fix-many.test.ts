import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN, freshKnack, ROOT, runProgram } from '../support/command-line.ts';
import { temporary } from '../support/skills.ts';

/** Four skills that are not in the strict form; `c1` has a body of this many letters. */
async function four(letters = 1) {
  const { knack, workspace } = await freshKnack('skills-fix-four');
  const dir = await temporary('four');
  const file = (name: string) => join(dir, name, 'SKILL.md');
  const textOf = (name: string) =>
    `---\nname: X${name}\ndescription: Use when x is wanted\nversion: 1.0\n---\n# B\n${name === 'c1' ? 'x'.repeat(letters) : ''}\n`;
  for (const name of ['a1', 'b1', 'c1', 'd1']) {
    await mkdir(join(dir, name));
    await writeFile(file(name), textOf(name));
  }
  const isFixed = async (name: string) => (await readFile(file(name), 'utf8')).includes(`name: ${name}\n`);
  const fixedNames = async () => {
    const names = [];
    for (const name of ['a1', 'b1', 'c1', 'd1']) if (await isFixed(name)) names.push(name);
    return names;
  };
  return { knack, workspace, dir, file, fixedNames };
}

test('what a write that broke off left beside a skill is named and stays, and all skills are fixed', async () => {
  const { knack, dir, file, fixedNames } = await four();
  await writeFile(`${file('c1')}.new`, 'half');
  const { code, stdout, stderr } = await knack(['skills', 'validate', dir, '--fix'], {}, dir);
  expect([code, stderr]).toEqual([
    0,
    `left ${file('c1')}.new as it is: a write that broke off left it; remove it if no other knack is at work\n`,
  ]);
  expect(stdout).toContain('4 found, 4 loadable, 4 strict, 4 fixed\n');
  expect([await fixedNames(), await readFile(`${file('c1')}.new`, 'utf8')]).toEqual([
    ['a1', 'b1', 'c1', 'd1'],
    'half',
  ]);
});

test.runIf(process.platform === 'linux')(
  'a file that cannot be written is told as failed with the reason; the others are fixed and shown',
  async () => {
    const { workspace, dir, file, fixedNames } = await four(200_000);
    // No process may write a file of more than 64 KB.
    const fix = (...more: string[]) => {
      const words = ['-c', 'ulimit -f 128; exec "$@"', 'sh', process.execPath, BIN];
      return runProgram('sh', [...words, 'skills', 'validate', dir, '--fix', ...more], {
        workspace,
        cwd: dir,
      });
    };
    const { code, stdout } = await fix();
    expect([code, await fixedNames(), await readdir(join(dir, 'c1'))]).toEqual([
      1,
      ['a1', 'b1', 'd1'],
      ['SKILL.md'],
    ]);
    expect(stdout.match(/^\+\+\+ b\/.*$/gm)).toEqual(
      ['a1', 'b1', 'd1'].map((name) => `+++ b/${name}/SKILL.md`),
    );
    expect(stdout).toContain('4 found, 4 loadable, 3 strict, 3 fixed, 1 failed\n');
    const message = expect.stringMatching(
      /^cannot write \S+c1\/SKILL\.md: EFBIG.*; it is as it was; see that it and its folder can be written, and run it again$/,
    );
    expect(stdout).toMatch(/^failed {2}\S+c1\/SKILL\.md: cannot write /m);
    const again = await fix('--json');
    const { fixed, failed } = JSON.parse(again.stdout);
    expect([again.code, fixed, failed]).toEqual([1, [], [{ path: file('c1'), code: 'io', message }]]);
  },
);

test('several that fix the same skills at once leave each in the strict form, and none fails', async () => {
  const { workspace, dir, fixedNames } = await four();
  const runs = await Promise.all(
    [1, 2, 3, 4].map(() =>
      runProgram(process.execPath, [BIN, 'skills', 'validate', dir, '--fix'], { workspace, cwd: ROOT }),
    ),
  );
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
  expect([await fixedNames(), await readdir(join(dir, 'a1'))]).toEqual([
    ['a1', 'b1', 'c1', 'd1'],
    ['SKILL.md'],
  ]);
});

test('--fix makes no alias of a name that several of the skills have, and one of a name that a single one has', async () => {
  const { knack } = await freshKnack('skills-fix-template');
  const dir = await temporary('template');
  const names = { s1: 'my-skill', s2: 'My Skill', s3: 'my-skill', alone: 'lonely', s4: 's1' };
  for (const [folder, name] of Object.entries(names)) {
    await mkdir(join(dir, folder));
    const fence = folder === 's3' ? '\n\n---' : '---';
    const text = `${fence}\nname: ${name}\ndescription: Use when x is wanted\n---\n\n# B\n`;
    await writeFile(join(dir, folder, 'SKILL.md'), text);
  }
  const { code, stdout } = await knack(['skills', 'validate', dir, '--fix', '--json']);
  expect([code, JSON.parse(stdout).summary]).toEqual([0, { found: 5, loadable: 5, strict: 5 }]);
  expect(stdout).not.toContain('name-claimed-twice');
  const aliases: Record<string, unknown> = {};
  for (const folder of Object.keys(names))
    aliases[folder] = /aliases: (.*)/.exec(await readFile(join(dir, folder, 'SKILL.md'), 'utf8'))?.[1];
  expect(aliases).toEqual({ alone: '"lonely"' });
});

test('of many skills that claim one alias each warning names a few and counts the others', async () => {
  const { knack } = await freshKnack('skills-claimed');
  const dir = await temporary('claimed');
  for (let index = 1; index <= 200; index += 1) {
    const name = `s${index + 100}`;
    await mkdir(join(dir, name));
    const text = `---\nname: ${name}\ndescription: Use when x is wanted\nmetadata:\n  aliases: "my-skill"\n---\n\n# B\n`;
    await writeFile(join(dir, name, 'SKILL.md'), text);
  }
  const message =
    'my-skill is an alias of s101 and s102 and s103 and 197 more: it stands for s101; take it out of s102 and s103 and s104 and 196 more, or out of s101 if another is meant';
  const { skills } = JSON.parse((await knack(['skills', 'validate', dir, '--json'])).stdout);
  const told = skills.flatMap(({ problems }: { problems: { message: string }[] }) =>
    problems.map((problem) => problem.message),
  );
  expect(told).toEqual(Array.from({ length: 200 }, () => message));
  const text = (await knack(['skills', 'validate', dir])).stdout;
  expect(text.split(message)).toHaveLength(201);
});
