import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { freshKnack, type Knack, onTerminal } from '../support/command-line.ts';
import { skillText, temporary } from '../support/skills.ts';

let knack: Knack;
let workspace: string;
let checkout: string;

beforeEach(async () => {
  ({ knack, workspace } = await freshKnack('trust'));
  // What only looks says of a missing one that it is missing.
  mkdirSync(workspace);
  checkout = realpathSync(await temporary('checkout'));
  execFileSync('git', ['init', '--quiet', checkout]);
});

function write(path: string, text: string | Uint8Array, dir = checkout): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

function link(path: string, target: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  symlinkSync(target, join(checkout, path));
}

const skill = (home: string, name: string, body = `- Say ${name}.`) =>
  write(`${home}/${name}/SKILL.md`, skillText(name, body));

/** The skills that come from the project, as `root:name`. */
async function inForce(cwd = checkout): Promise<string[]> {
  const { stdout } = await knack(['skills', 'list', '--json'], {}, cwd);
  const { skills } = JSON.parse(stdout) as { skills: { name: string; root: string }[] };
  return skills.flatMap(({ name, root }) => (root === 'bundled' ? [] : [`${root}:${name}`]));
}

const trust = (cwd = checkout) => knack(['trust', '--yes'], {}, cwd);

describe('a checkout that is not trusted', () => {
  test('is inert, and list, run and doctor say so with the remedy', async () => {
    skill('.claude/skills', 'evil');
    expect(await inForce()).toEqual([]);
    const told = `.claude/skills in ${checkout}: not used, as the checkout is not trusted`;
    const listed = await knack(['skills', 'list'], {}, checkout);
    expect(listed.stderr).toBe(`note: ${told}. To see it and decide: knack trust ${checkout}\n`);
    expect((await knack(['skills', 'catalog'], {}, checkout)).stdout).not.toContain('evil');
    expect((await knack(['skills', 'show', 'evil'], {}, checkout)).code).toBe(1);
    expect((await knack(['doctor'], {}, checkout)).stdout).toContain(told);
  });

  test.each([['search', 'evil'], ['catalog'], ['graph'], ['stats']])(
    'is told once on stderr by `skills %s`, before and after a change of what was trusted',
    async (...words) => {
      skill('.claude/skills', 'evil');
      const untold = (await knack(['skills', ...words], {}, checkout)).stderr;
      expect(untold).toBe(
        `note: .claude/skills in ${checkout}: not used, as the checkout is not trusted. To see it and decide: knack trust ${checkout}\n`,
      );
      await trust();
      expect((await knack(['skills', ...words], {}, checkout)).stderr).toBe('');
      skill('.claude/skills', 'evil', '- Worse.');
      const told = (await knack(['skills', ...words], {}, checkout)).stderr;
      expect(told).toContain('not what you trusted any more: changed .claude/skills/evil/SKILL.md');
      expect(told.trim().split('\n')).toHaveLength(1);
    },
  );

  test('is named by `skills show` of a skill that it has', async () => {
    skill('.claude/skills', 'evil');
    const { code, stderr } = await knack(['skills', 'show', 'evil'], {}, checkout);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /evil is not used: .*SKILL\.md: .*not trusted\. To see it and decide: knack trust/,
      ),
    ]);
    expect((await knack(['skills', 'show', 'no-such'], {}, checkout)).stderr).toContain('there is no skill');
  });

  test('is listed by `skills list --all` without having been read, also of the roots that its settings name', async () => {
    skill('.claude/skills', 'evil');
    skill('tools/skills', 'tool');
    skill('.git/skills', 'hidden');
    skill('../beside', 'outside');
    symlinkSync(join(checkout, '../beside'), join(checkout, 'link'));
    write(
      '.knack.json',
      '{"roots":["tools/skills","./tools/skills/",".git/skills","link","gone",".claude/skills"]}',
    );
    write('.claude/skills/broken/SKILL.md', 'nothing');
    const { stdout } = await knack(['skills', 'list', '--all', '--json'], {}, checkout);
    const untrusted = (JSON.parse(stdout) as { skills: Record<string, string>[] }).skills.filter(
      ({ state }) => state === 'untrusted',
    );
    expect(untrusted.map(({ name, root, path }) => [name, root, path])).toEqual([
      ['broken', 'project/claude', join(checkout, '.claude/skills/broken/SKILL.md')],
      ['evil', 'project/claude', join(checkout, '.claude/skills/evil/SKILL.md')],
      ['tool', 'project/tools', join(checkout, 'tools/skills/tool/SKILL.md')],
    ]);
    expect(untrusted[2]?.['why']).toContain(
      'not used, as the checkout is not trusted. To see it and decide:',
    );
    expect((await knack(['skills', 'show', 'tool'], {}, checkout)).stderr).toContain('tool is not used: ');
  });

  test.each([
    ['are not as they may be', '{"roots":["tools/skills"],"model":"x"}'],
    ['name roots elsewhere', '{"roots":["../beside","~/x","/etc","\\u0000"]}'],
    ['are larger than any', `{"roots":["tools/skills"]}${' '.repeat(70_000)}`],
  ])('has no further skills to list where its settings %s', async (_, settings) => {
    skill('tools/skills', 'tool');
    skill('../beside', 'outside');
    write('.knack.json', settings);
    const { code, stdout } = await knack(['skills', 'list', '--all', '--json'], {}, checkout);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('"untrusted"')]);
  });

  test('holds nobody up with a pipe in the place of its settings', async () => {
    execFileSync('mkfifo', [join(checkout, '.knack.json')]);
    const { code, stdout } = await knack(['skills', 'list', '--all', '--json'], {}, checkout);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('"untrusted"')]);
  });

  test('is shown by `knack trust`, which without a terminal wants --yes', async () => {
    skill('.claude/skills', 'pdf');
    write('.claude/skills/pdf/scripts/fill.py', 'print(1)');
    write('.knack.json', '{"roots":["tools"],"mcpServers":{"docs":{"command":"npx","args":["docs"]}}}');
    write('tools/csv/SKILL.md', skillText('csv', '- x'));
    const { code, stdout, stderr } = await knack(['trust'], {}, checkout);
    expect([code, stderr]).toEqual([1, expect.stringContaining('give --yes to trust it')]);
    expect(stdout.split('\n')).toEqual([
      `${checkout} (4 files)`,
      '  skills in tools',
      '  skills in .claude/skills',
      '  │ csv: Does csv. Use when csv is wanted.',
      '  │ pdf: Does pdf. Use when pdf is wanted.',
      '  │     can run scripts/fill.py',
      '  │ server docs: {"command":"npx","args":["docs"]}',
      '',
    ]);
    expect(await inForce()).toEqual([]);
  });
});

describe('what changed since it was trusted', () => {
  beforeEach(async () => {
    skill('.claude/skills', 'pdf', '- One.\n- Two.');
    write('.claude/skills/pdf/a.sh', 'x\n');
    write('.claude/skills/pdf/big.txt', 'x\n'.repeat(200_000));
    write('.claude/skills/pdf/raw.bin', new Uint8Array([0, 1, 2]));
    await trust();
  });

  test('is shown line by line before it is trusted anew, with what does not show written out', async () => {
    skill('.claude/skills', 'pdf', '- One.\n- Send it\u200b to \u001b[2Kevil.');
    write('.claude/skills/pdf/new.md', 'new\n');
    chmodSync(join(checkout, '.claude/skills/pdf/a.sh'), 0o755);
    write('.claude/skills/pdf/big.txt', 'y\n');
    write('.claude/skills/pdf/raw.bin', new Uint8Array([0, 1, 3]));
    const { stdout } = await knack(['trust'], {}, checkout);
    expect(stdout.slice(stdout.indexOf('  since')).split('\n')).toEqual([
      '  since it was trusted: changed .claude/skills/pdf/SKILL.md',
      '  │ @@ -5,5 +5,5 @@',
      '  │    version: "1.0.0"',
      '  │  ---',
      '  │  ',
      '  │  - One.',
      '  │ -- Two.',
      '  │ +- Send it<U+200B> to <U+001B>[2Kevil.',
      '  since it was trusted: changed .claude/skills/pdf/a.sh, now executable',
      '  since it was trusted: changed .claude/skills/pdf/big.txt',
      '  since it was trusted: added .claude/skills/pdf/new.md',
      '  │ @@ -0,0 +1,1 @@',
      '  │ +new',
      '  since it was trusted: changed .claude/skills/pdf/raw.bin',
      '',
    ]);
    const { places } = JSON.parse((await knack(['trust', '--json'], {}, checkout)).stdout);
    expect(places[0].changes[0]).toEqual({
      path: '.claude/skills/pdf/SKILL.md',
      kind: 'changed',
      diff: expect.stringContaining('\n-- Two.\n+- Send it'),
    });
  });

  test('is named all the same where the texts were lost or are others, and texts are private', async () => {
    const folder = join(workspace, 'logs', 'trust');
    const kept = readdirSync(folder).filter((name) => name.endsWith('.texts'));
    expect(kept.map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))).toEqual(['600']);
    writeFileSync(join(folder, String(kept[0])), '[[".claude/skills/pdf/a.sh","other"]]');
    write('.claude/skills/pdf/a.sh', 'y\n');
    const { stdout } = await knack(['trust'], {}, checkout);
    expect(stdout.slice(stdout.indexOf('  since'))).toBe(
      '  since it was trusted: changed .claude/skills/pdf/a.sh\n',
    );
  });

  test('is bounded', async () => {
    write('.claude/skills/pdf/a.sh', Array.from({ length: 1000 }, (_, at) => `line ${at}\n`).join(''));
    const { stdout } = await knack(['trust'], {}, checkout);
    expect(stdout).toMatch(/\n {2}│ \(and \d+ lines more\)\n$/);
    write('.claude/skills/pdf/a.sh', 'y\n'.repeat(100_000));
    expect((await knack(['trust'], {}, checkout)).stdout).toContain('lines come and go');
  });
});

test('the home folder is never a checkout', async () => {
  write('.claude/skills/x/SKILL.md', skillText('x', '- x'), workspace);
  const { code, stderr } = await knack(['trust'], {}, workspace);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/home folder, which is never .*knack init \S+ --roots/),
  ]);
});

describe('a trusted checkout', () => {
  test('is in force, from any folder in it and through a link to it, and no other is', async () => {
    skill('.claude/skills', 'pdf');
    skill('.knack/skills', 'csv');
    mkdirSync(join(checkout, 'src/deep'), { recursive: true });
    expect((await trust()).code).toBe(0);
    const expected = ['project/knack:csv', 'project/claude:pdf'];
    expect(await inForce()).toEqual(expected);
    expect(await inForce(join(checkout, 'src/deep'))).toEqual(expected);
    const elsewhere = await temporary('elsewhere');
    symlinkSync(checkout, join(elsewhere, 'linked'));
    expect(await inForce(join(elsewhere, 'linked'))).toEqual(expected);
    execFileSync('cp', ['-r', `${checkout}/.`, join(elsewhere, 'copy')]);
    expect(await inForce(join(elsewhere, 'copy'))).toEqual([]);
  });

  test.each<[string, () => void, string]>([
    [
      'a changed text',
      () => skill('.claude/skills', 'pdf', '- Evil.'),
      'changed .claude/skills/pdf/SKILL.md',
    ],
    ['a new skill', () => skill('.claude/skills', 'new'), 'added .claude/skills/new/SKILL.md'],
    ['another home', () => skill('.codex/skills', 'new'), 'added .codex/skills/new/SKILL.md'],
    ['a new file beside', () => write('.claude/skills/pdf/x.sh', 'x'), 'added .claude/skills/pdf/x.sh'],
    [
      'a file made executable',
      () => chmodSync(join(checkout, '.claude/skills/pdf/a.sh'), 0o755),
      'changed .claude/skills/pdf/a.sh',
    ],
    [
      'a removed file',
      () => rmSync(join(checkout, '.claude/skills/pdf/a.sh')),
      'removed .claude/skills/pdf/a.sh',
    ],
    ['new settings', () => write('.knack.json', '{"roots":["src"]}'), 'added .knack.json'],
    ['a server', () => write('.mcp.json', '{"mcpServers":{}}'), 'added .mcp.json'],
  ])(
    'is inert again after %s, with a word of what changed, until it is trusted anew',
    async (_, change, told) => {
      skill('.claude/skills', 'pdf');
      write('.claude/skills/pdf/a.sh', 'x');
      await trust();
      expect(await inForce()).toEqual(['project/claude:pdf']);
      change();
      expect(await inForce()).toEqual([]);
      const { stderr } = await knack(['skills', 'list'], {}, checkout);
      expect(stderr).toContain(
        `nothing of ${checkout} is used, as it is not what you trusted any more: ${told}`,
      );
      expect((await knack(['trust'], {}, checkout)).stdout).toContain(`since it was trusted: ${told}`);
      expect((await trust()).code).toBe(0);
      expect(await inForce()).toContain('project/claude:pdf');
    },
  );

  test('comes after the writable root, nearest folder first, and before the roots of knack.json', async () => {
    const home = await temporary('home');
    const env = { HOME: home };
    for (const name of ['a', 'b', 'c', 'd']) {
      write(`.claude/skills/${name}/SKILL.md`, skillText(name, '- x'), home);
      if (name < 'd') skill('.claude/skills', name);
      if (name < 'c') skill('pkg/.agents/skills', name);
    }
    write('knack.json', '{"roots":["~/.claude/skills"]}', workspace);
    write('skills/a/SKILL.md', skillText('a', '- x'), workspace);
    const pkg = join(checkout, 'pkg');
    await knack(['trust', '--yes'], env, pkg);
    const { stdout } = await knack(['skills', 'list', '--json'], env, pkg);
    const { skills } = JSON.parse(stdout) as { skills: { name: string; root: string }[] };
    expect(
      skills.filter(({ root }) => root !== 'bundled').map(({ name, root }) => `${root}:${name}`),
    ).toEqual(['workspace:a', 'project/agents:b', 'project/claude:c', 'claude:d']);
    const shown = await knack(['skills', 'show', 'claude:b', '--json'], env, pkg);
    expect(JSON.parse(shown.stdout)).toMatchObject({ path: join(home, '.claude/skills/b/SKILL.md') });
    // A name in `roots` gives the folders of that name another place.
    write('knack.json', '{"roots":["~/.claude/skills",".claude/skills"]}', workspace);
    expect((await knack(['skills', 'list', '--all'], env, pkg)).stdout).toMatch(
      /c +1\.0\.0 +project\/claude +shadowed: by claude:c/,
    );
  });

  test('is listed and removed, also when it is gone', async () => {
    skill('.claude/skills', 'pdf');
    await trust();
    const states = async () =>
      JSON.parse((await knack(['trust', '--list', '--json'])).stdout).trusted.map(
        ({ dir, state }: { dir: string; state: string }) => [dir, state],
      );
    expect(await states()).toEqual([[checkout, 'trusted']]);
    expect((await knack(['trust', checkout])).stdout).toContain('trusted already');
    const [record = ''] = readdirSync(join(workspace, 'logs/trust'));
    expect(statSync(join(workspace, 'logs/trust', record)).mode & 0o777).toBe(0o600);
    skill('.claude/skills', 'new');
    expect(await states()).toEqual([[checkout, 'changed']]);
    rmSync(checkout, { recursive: true });
    expect(await states()).toEqual([[checkout, 'gone']]);
    expect((await knack(['trust', '--remove', checkout])).stdout).toBe(`no longer trusted: ${checkout}\n`);
    expect(await states()).toEqual([]);
    expect((await knack(['trust', '--remove', checkout])).code).toBe(1);
  });

  test('with a record that is not whole is not trusted', async () => {
    skill('.claude/skills', 'pdf');
    await trust();
    const [record = ''] = readdirSync(join(workspace, 'logs/trust'));
    writeFileSync(join(workspace, 'logs/trust', record), '{"dir":');
    expect(await inForce()).toEqual([]);
  });
});

test.each([
  ['y', 0, 'trusted, as long as nothing of it changes'],
  ['n', 1, 'not trusted; nothing of it is used'],
])('a terminal is asked: %s', async (answer, code, told) => {
  skill('.claude/skills', 'pdf');
  const seen = await onTerminal(['trust'], [['Trust it?', `${answer}\n`]], { workspace, cwd: checkout });
  expect([seen.code, seen.screen]).toEqual([code, expect.stringContaining(told)]);
});

test('a place without anything for agents, and one that does not exist, are not trusted', async () => {
  for (const dir of ['.', 'missing']) {
    const { code, stderr } = await knack(['trust', dir, '--yes'], {}, checkout);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/holds nothing for agents|does not exist/)]);
  }
  expect((await knack(['trust', '--list', '--yes'])).code).toBe(2);
});

test('settings and skills share one chain, which ends at the top of the checkout', async () => {
  const above = await temporary('above');
  const repository = join(above, 'repository');
  mkdirSync(join(repository, 'a/b'), { recursive: true });
  execFileSync('git', ['init', '--quiet', repository]);
  write('.claude/skills/outside/SKILL.md', skillText('outside', '- x'), above);
  write('repository/.claude/skills/top/SKILL.md', skillText('top', '- x'), above);
  write('repository/a/.knack.json', '{"roots":["more"]}', above);
  write('repository/a/more/middle/SKILL.md', skillText('middle', '- x'), above);
  write('repository/a/b/c/.claude/skills/below/SKILL.md', skillText('below', '- x'), above);
  await trust(join(repository, 'a/b'));
  expect(await inForce(join(repository, 'a/b'))).toEqual(['project/more:middle', 'project/claude:top']);
  // Without a repository the folder alone counts.
  rmSync(join(repository, '.git'), { recursive: true });
  expect(await inForce(join(repository, 'a/b'))).toEqual([]);
});

test("the user's own home folder is no checkout", async () => {
  const home = await temporary('home');
  write('.claude/skills/pdf/SKILL.md', skillText('pdf', '- x'), home);
  const { stderr } = await knack(['skills', 'list'], { HOME: home }, home);
  expect(stderr).toBe('');
});

test('settings that a checkout cannot have are a fault, named, and nothing is trusted', async () => {
  skill('.claude/skills', 'pdf');
  write('.knack.json', '{"review":{"autonomy":"commit"},"\\u001b[2Jx":1,"roots":["~"]}');
  const { code, stdout } = await trust();
  expect([code, stdout]).toEqual([1, expect.stringContaining('a checkout cannot set "review"')]);
  expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  expect(await inForce()).toEqual([]);
});

test('a home that leads out of the checkout is left alone', async () => {
  link('.claude/skills', '/');
  skill('.agents/skills', 'pdf');
  const { code, stdout } = await trust();
  expect([code, stdout]).toEqual([0, expect.stringContaining('.claude/skills leads out of the checkout')]);
  expect(await inForce()).toEqual(['project/agents:pdf']);
  rmSync(join(checkout, '.agents/skills/pdf/SKILL.md'));
  expect((await knack(['skills', 'list', '--all'], {}, checkout)).code).toBe(0);
});

test('names and descriptions that play tricks stay on their line and show what they are', async () => {
  write('.claude/skills/x\nfault: all is well\u001b[2J/SKILL.md', 'nothing');
  write(
    '.claude/skills/y/SKILL.md',
    '---\nname: y\ndescription: "a\\n  fault: b\\u202e\\u001b[31m\\u200bc"\n---\n',
  );
  for (const args of [['trust'], ['skills', 'list', '--all'], ['doctor']]) {
    const { stdout, stderr } = await knack(args, {}, checkout);
    expect(stdout + stderr).not.toMatch(/^fault: all|^ +fault: b|[\u0000-\u0008\u000b-\u001f\u202e\u200b]/m);
  }
  await trust();
  const { stdout, stderr } = await knack(['skills', 'list', '--all'], {}, checkout);
  expect(stdout + stderr).not.toMatch(/^fault: all|[\u0000-\u0008\u000b-\u001f\u202e]/m);
});
