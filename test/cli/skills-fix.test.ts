import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';
import { temporary } from '../support/skills.ts';

const LOOSE = '---\nname: Words\ndescription: Use for: words\ntags: [a]\n---\n\n# Words\n';
const STRICT = '---\nname: words\ndescription: "Use for: words"\nmetadata:\n  tags: "a"\n---\n\n# Words\n';

/** A workspace, and a folder with a skill that is not in the strict form. */
async function place() {
  const { knack, workspace } = await freshKnack('skills-fix');
  const dir = await temporary('skills');
  await mkdir(join(dir, 'words'));
  const file = join(dir, 'words/SKILL.md');
  await writeFile(file, LOOSE);
  return { knack, workspace, dir, file };
}

test('--fix writes the strict form, shows the difference, and has nothing to do the second time', async () => {
  const { knack, dir, file } = await place();
  const first = await knack(['skills', 'validate', '--fix', dir], {}, dir);
  expect([first.code, await readFile(file, 'utf8')]).toEqual([0, STRICT]);
  expect(first.stdout).toContain(
    '--- a/words/SKILL.md\n+++ b/words/SKILL.md\n@@ -1,7 +1,8 @@\n ---\n-name: Words\n-description: Use for: words\n-tags: [a]\n+name: words\n+description: "Use for: words"\n+metadata:\n+  tags: "a"\n ---\n',
  );
  expect(first.stdout).toContain('1 found, 1 loadable, 1 strict, 1 fixed\n');
  const second = await knack(['skills', 'validate', '--fix', '--json', dir]);
  expect([second.code, JSON.parse(second.stdout).fixed]).toEqual([0, []]);
});

test('--fix --dry-run writes nothing, and the answer as JSON has what would be written beside the rest', async () => {
  const { knack, dir, file } = await place();
  const { code, stdout } = await knack(['skills', 'validate', '--fix', '--dry-run', '--json', dir]);
  const { fixed, ...rest } = JSON.parse(stdout);
  expect([code, await readFile(file, 'utf8')]).toEqual([1, LOOSE]);
  expect(rest).toEqual({
    skills: [{ path: file, name: 'words', loadable: true, strict: false, problems: expect.any(Array) }],
    summary: { found: 1, loadable: 1, strict: 0 },
  });
  expect(fixed).toEqual([
    {
      path: file,
      written: false,
      rules: ['yaml-repaired', 'yaml-dialect', 'name-format', 'name-mismatch', 'unknown-field'],
      diff: expect.stringContaining('+name: words\n'),
    },
  ]);
});

test('--fix leaves what takes judgement, and says by its exit code that something is left', async () => {
  const { knack, dir, file } = await place();
  await writeFile(file, LOOSE.replace('description', 'hint'));
  const { code, stdout } = await knack(['skills', 'validate', '--fix', dir]);
  expect([code, stdout.includes('refused'), await readFile(file, 'utf8')]).toEqual([
    1,
    true,
    LOOSE.replace('description', 'hint'),
  ]);
});

test('without a path --fix is about the skills of the workspace', async () => {
  const { knack, workspace, dir } = await place();
  await knack(['init']);
  await cp(join(dir, 'words'), join(workspace, 'skills/words'), { recursive: true });
  const { code, stdout } = await knack(['skills', 'validate', '--fix', '--json']);
  const { summary, fixed } = JSON.parse(stdout);
  expect([code, summary, fixed.length]).toEqual([0, { found: 1, loadable: 1, strict: 1 }, 1]);
});

test('a root that is only read is left unless a path in it is named', async () => {
  const { knack, workspace, dir, file } = await place();
  await knack(['init']);
  await writeFile(join(workspace, 'knack.json'), JSON.stringify({ roots: [join(dir, 'words')] }));
  const above = await knack(['skills', 'validate', '--fix', dir]);
  expect([above.code, above.stderr, await readFile(file, 'utf8')]).toEqual([
    1,
    expect.stringMatching(/^left \S+ as it is: \S+ is only read; name a path in it to change it\n$/),
    LOOSE,
  ]);
  const named = await knack(['skills', 'validate', '--fix', file]);
  expect([named.code, await readFile(file, 'utf8')]).toEqual([0, STRICT]);
});

test('--dry-run without --fix is a mistake', async () => {
  const { knack, dir } = await place();
  const { code, stderr } = await knack(['skills', 'validate', '--dry-run', dir]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('give both')]);
});

test('--fix gives the file its proper name, and shows that as git does', async () => {
  const { knack, dir } = await place();
  const [wrong, proper] = ['Skill.md', 'SKILL.md'].map((name) => join(dir, 'tables', name));
  await mkdir(join(dir, 'tables'));
  await writeFile(wrong ?? '', STRICT.replace('name: words', 'name: tables'));
  const args = ['skills', 'validate', '--fix', join(dir, 'tables'), '--json'];
  const dry = JSON.parse((await knack([...args, '--dry-run'])).stdout);
  expect(dry.fixed).toMatchObject([{ path: wrong, to: proper, written: false, rules: ['filename-case'] }]);
  expect(await readdir(join(dir, 'tables'))).toEqual(['Skill.md']);
  const { code, stdout } = await knack(['skills', 'validate', '--fix', wrong ?? ''], {}, dir);
  expect(stdout).toContain('rename from tables/Skill.md\nrename to tables/SKILL.md\n');
  expect([code, await readdir(join(dir, 'tables'))]).toEqual([0, ['SKILL.md']]);
});

test('a name of the library is checked where no path is so called; a path wins, and what is neither says both', async () => {
  const { knack, workspace, dir, file } = await place();
  const validate = async (...words: string[]) => {
    const { code, stdout, stderr } = await knack(['skills', 'validate', ...words, '--json'], {}, dir);
    const answer = JSON.parse(stdout);
    return { code, stderr, paths: answer.skills?.map(({ path }: { path: string }) => path), answer };
  };
  const own = join(workspace, 'skills/terms/SKILL.md');
  const broken = join(workspace, 'skills/broken/SKILL.md');
  for (const path of [own, broken]) await mkdir(join(path, '..'), { recursive: true });
  await writeFile(own, STRICT.replace('words', 'terms'));
  await writeFile(broken, '---\nname: broken\n---\n\nText.\n');
  expect(await validate('terms')).toMatchObject({ code: 0, paths: [own] });
  expect(await validate('broken')).toMatchObject({ code: 1, paths: [broken] });
  await mkdir(join(workspace, 'skills/words'));
  await writeFile(join(workspace, 'skills/words/SKILL.md'), STRICT);
  expect((await validate('words', 'terms')).paths).toEqual([file, own]);
  const missing = await validate('term');
  expect([missing.code, missing.answer.error]).toEqual([
    1,
    {
      code: 'not-found',
      message: `${join(dir, 'term')} does not exist, and the library has no skill "term"; did you mean terms?`,
    },
  ]);
  expect((await validate('no/such')).answer.error.message).toBe(`${join(dir, 'no/such')} does not exist`);
});

test('--fix by name mends a skill of the workspace, and leaves one of a root that is only read', async () => {
  const { knack, workspace, dir, file } = await place();
  const own = join(workspace, 'skills/terms/SKILL.md');
  await mkdir(join(own, '..'), { recursive: true });
  await writeFile(own, LOOSE.replace('Words', 'Terms'));
  await writeFile(join(workspace, 'knack.json'), JSON.stringify({ roots: [dir] }));
  const { stderr } = await knack(['skills', 'validate', '--fix', 'terms', 'words']);
  expect(stderr).toContain(`left ${file} as it is: ${dir} is only read`);
  expect([await readFile(own, 'utf8'), await readFile(file, 'utf8')]).toEqual([
    expect.stringContaining('name: terms\n'),
    LOOSE,
  ]);
});

test('without a path --fix leaves imported skills, names them, and says what is not committed and how to go on', async () => {
  const { knack, workspace, dir } = await place();
  const skills = join(workspace, 'skills');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', skills, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
    });
  await knack(['init']);
  await knack(['skills', 'add', dir, '--yes']);
  const imported = join(skills, 'words/SKILL.md');
  const before = await readFile(imported, 'utf8');
  const own = join(skills, 'mine/SKILL.md');
  await mkdir(join(skills, 'mine'));
  await writeFile(own, LOOSE.replace('Words', 'Mine'));
  git('add', 'mine');
  git('commit', '-qm', 'add mine');
  const { stdout } = await knack(['skills', 'validate', '--fix']);
  expect([await readFile(imported, 'utf8'), (await readFile(own, 'utf8')) === LOOSE]).toEqual([
    before,
    false,
  ]);
  const told = stdout.slice(stdout.indexOf('left as it is')).trimEnd().split('\n');
  expect(told).toEqual([
    `left as it is, for an edit of yours would stand against each update: 1 imported skill; to fix one nevertheless, name it: knack skills validate --fix ${imported}`,
    'not committed yet, and an edit of yours until then: mine',
    `    to keep it: git -C ${skills} add mine && git -C ${skills} commit -m "Write the strict form"`,
    `    to take it back: git -C ${skills} checkout HEAD -- mine`,
  ]);
  git('checkout', 'HEAD', '--', 'mine');
  expect(git('status', '--porcelain')).toBe('');
  const json = JSON.parse((await knack(['skills', 'validate', '--fix', '--json'])).stdout);
  expect([json.left, json.uncommitted, json.fixed.length]).toEqual([
    [{ path: imported, why: 'imported' }],
    ['mine'],
    1,
  ]);
  const again = await knack(['skills', 'validate', '--fix', imported]);
  expect(again.stdout).toContain('not committed yet, and an edit of yours until then: words');
  expect(await readFile(imported, 'utf8')).toBe(STRICT);
});

test('a fix of a skill with open edits is not offered to be taken back by git, which would take those along', async () => {
  const { knack, workspace, dir } = await place();
  await knack(['init']);
  await cp(join(dir, 'words'), join(workspace, 'skills/words'), { recursive: true });
  const { stdout } = await knack(['skills', 'validate', '--fix']);
  expect(stdout).toContain('words had edits before that are not committed');
  expect(stdout).not.toContain('checkout');
});

test('a folder whose name holds a line break forges no line, neither in the list nor in the difference', async () => {
  const { knack, dir } = await place();
  const name = 'x\nstrict    /y/SKILL.md';
  await mkdir(join(dir, name), { recursive: true });
  await writeFile(join(dir, name, 'SKILL.md'), LOOSE);
  await mkdir(join(dir, 'gone\nstrict'));
  for (const args of [[], ['--fix', '--dry-run'], ['--fix']]) {
    const { stdout, stderr } = await knack(['skills', 'validate', dir, ...args], {}, dir);
    expect(stdout).toContain('x<U+000A>strict');
    expect(`${stdout}${stderr}`).not.toMatch(/^strict +\/y/m);
  }
});
