import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { fileText, textFile, withFile } from '../../src/files/folder.ts';
import { withAliases } from '../../src/history/aliases.ts';
import { createHistory } from '../../src/history/history.ts';
import { mergeInto } from '../../src/history/taken-out.ts';
import { claimedNames, describeClaim } from '../../src/library/claimed-names.ts';
import { openLibrary } from '../../src/library/library.ts';
import { freshKnack, type Knack, type Ran } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';

interface Lab {
  readonly skillsDir: string;
  git(...args: string[]): string;
  run(...words: string[]): Promise<Ran>;
  /** Runs the words after `knack skills`; answers with what was noted. */
  skills(...words: string[]): Promise<string>;
  /** Writes a skill and commits it, as a person does; `more` are lines of its front matter. */
  write(name: string, more?: string, files?: Readonly<Record<string, string>>): Promise<void>;
  /** Which skill each name stands for, `-` where none does; throws where two skills claim one. */
  answers(): Promise<string>;
}

function labAt(knack: Knack, workspace: string): Lab {
  const skillsDir = join(workspace, 'skills');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', skillsDir, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
    });
  return {
    skillsDir,
    git,
    run: (...words) => knack(words),
    async skills(...words) {
      const { code, stderr, stdout } = await knack(['skills', ...words]);
      if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}${stdout}`);
      return stderr;
    },
    async write(name, more = '', files = {}) {
      const dir = join(skillsDir, name);
      await mkdir(dir, { recursive: true });
      const text = skillText(name, `- ${name} says so`, { version: '1.0.0' });
      await writeFile(join(dir, 'SKILL.md'), text.replace('\n---\n', `\n${more}---\n`));
      for (const [file, content] of Object.entries(files)) await writeFile(join(dir, file), content);
      git('add', name);
      git('commit', '--quiet', '--message', `${name} 1.0.0`);
    },
    async answers() {
      const library = await openLibrary({ roots: [{ name: 'workspace', dir: skillsDir, writable: true }] });
      expect(claimedNames(library.skills).map((claim) => describeClaim(claim))).toEqual([]);
      expect(git('status', '--porcelain')).toBe('');
      return ['a', 'b', 'c', 'd'].map((name) => `${name}:${library.find(name)?.name ?? '-'}`).join(' ');
    },
  };
}

const first = await freshKnack('names');

/** A workspace with the skills a, b, c and d, each of which says its name: `a` was retired into `b`, and `b` into `c`. */
async function chain(): Promise<Lab> {
  const { knack, workspace } = await freshKnack('names');
  await cp(first.workspace, workspace, { recursive: true });
  return labAt(knack, workspace);
}

beforeAll(async () => {
  const lab = labAt(first.knack, first.workspace);
  await first.knack(['init']);
  for (const name of ['a', 'b', 'c', 'd']) await lab.write(name);
  await lab.skills('retire', 'a', '--into', 'b');
  await lab.skills('retire', 'b', '--into', 'c');
});

test('names go along a chain of retirements, by one commit of the skill that takes them', async () => {
  const lab = await chain();
  expect(await lab.answers()).toBe('a:c b:c c:c d:d');
  expect(lab.git('log', '-1', '--format=%s', '--', 'c')).toMatch(/answer to b, a too$/m);
  await lab.skills('retire', 'c', '--into', 'd');
  expect(await lab.answers()).toBe('a:d b:d c:d d:d');
});

const RESTORED: [name: string, commands: string[][], answers: string][] = [
  ['the first takes its own name alone', [['restore', 'a']], 'a:a b:c c:c d:d'],
  [
    'then the second its own',
    [
      ['restore', 'a'],
      ['restore', 'b'],
    ],
    'a:a b:b c:c d:d',
  ],
  ['the second takes the name along that it had', [['restore', 'b']], 'a:b b:b c:c d:d'],
  [
    'the middle of a longer chain',
    [
      ['retire', 'c', '--into', 'd'],
      ['restore', 'b'],
    ],
    'a:b b:b c:d d:d',
  ],
  [
    'all of a longer chain, from its beginning',
    [
      ['retire', 'c', '--into', 'd'],
      ['restore', 'a'],
      ['restore', 'b'],
      ['restore', 'c'],
    ],
    'a:a b:b c:c d:d',
  ],
  [
    'a name that was given to another since stays there',
    [
      ['restore', 'a'],
      ['retire', 'a', '--into', 'd'],
      ['restore', 'b'],
    ],
    'a:d b:b c:c d:d',
  ],
];

test.each(RESTORED)('of a chain of retired skills is restored: %s', async (_, commands, answers) => {
  const lab = await chain();
  for (const words of commands) await lab.skills(...words);
  expect(await lab.answers()).toBe(answers);
});

const ROLLED_BACK: [name: string, commands: string[][], answers: string][] = [
  ['over the retirement brings back what it answered for', [['rollback', 'c']], 'a:b b:b c:c d:d'],
  [
    'over one of two names',
    [
      ['restore', 'a'],
      ['rollback', 'c', '--to', '1.0.0'],
    ],
    'a:a b:b c:c d:d',
  ],
  [
    'to where it had names that are skills again',
    [
      ['restore', 'b'],
      ['rollback', 'c', '--to', '1.1.0'],
    ],
    'a:b b:b c:c d:d',
  ],
  [
    'forward again after the names went back, both skills being there',
    [
      ['restore', 'a'],
      ['restore', 'b'],
      ['rollback', 'c', '--to', '1.1.0'],
    ],
    'a:a b:b c:c d:d',
  ],
  ['to before there was one', [['rollback', 'c', '--to', 'none']], 'a:b b:b c:- d:d'],
  [
    'of a retired skill to a version brings it back as a restore does',
    [['rollback', 'b', '--to', '1.1.0']],
    'a:b b:b c:c d:d',
  ],
];

test.each(ROLLED_BACK)('a rollback %s: no name is lost or doubled', async (_, commands, answers) => {
  const lab = await chain();
  for (const words of commands) await lab.skills(...words);
  expect(await lab.answers()).toBe(answers);
});

test('a rollback says beforehand, and afterwards, which skill comes back', async () => {
  const lab = await chain();
  expect(await lab.skills('rollback', 'c', '--dry-run')).toMatch(
    /^note: b, which it answers to, would be back/m,
  );
  expect(await lab.skills('rollback', 'c')).toMatch(
    /^note: b is back, since nothing else would answer to its name; `knack skills retire b --into NAME`/m,
  );
  expect(lab.git('rev-parse', 'HEAD:c')).toBe(lab.git('rev-parse', 'HEAD~4:c'));
});

test('a name that only a retired skill answers for is not given up with it', async () => {
  const lab = await chain();
  await expect(lab.skills('retire', 'c')).rejects.toThrow(
    /c answers to b, a too, which would be gone with it; say with --into .*, restore them first, or --force/,
  );
  expect(await lab.answers()).toBe('a:c b:c c:c d:d');
});

test('a skill with edits is not half retired: nobody gets its name', async () => {
  const lab = await chain();
  await writeFile(join(lab.skillsDir, 'c/notes.txt'), 'mine');
  await expect(lab.skills('retire', 'c', '--into', 'd')).rejects.toThrow(/c has uncommitted changes/);
  expect(lab.git('log', '-1', '--format=%s', '--', 'd')).not.toContain('answer to');
});

test('a name that is claimed twice is told with both skills and the remedy', async () => {
  const lab = await chain();
  await lab.write('d', 'aliases: [b, "C"]\n');
  await lab.write('e', 'aliases: [x]\n');
  const claims = [
    'b is an alias of c and d: it stands for c; take it out of d, or out of c if another is meant',
    'c is a skill, and an alias of d too: it stands for the skill; take the alias out of d',
  ];
  const { stdout } = await lab.run('doctor', '--json');
  const told = JSON.parse(stdout).checks.filter(({ what }: { what: string }) => what === 'names');
  expect(told.map(({ message }: { message: string }) => message)).toEqual(claims);
  expect(told[0].remedy).toMatch(
    /^Edit metadata\.aliases in .*c\/SKILL\.md or .*d\/SKILL\.md and commit it\.$/,
  );
  const validated = JSON.parse((await lab.run('skills', 'validate', '--json')).stdout);
  expect(
    validated.skills.map(
      ({ name, problems }: { name: string; problems: { rule: string; line: number }[] }) => [
        name,
        problems.flatMap(({ rule, line }) => (rule === 'name-claimed-twice' ? line : [])),
      ],
    ),
  ).toEqual([
    ['c', [6]],
    ['d', [6, 6]],
    ['e', []],
  ]);
});

const CALLING = `tools:
  - name: twice
    description: Runs another skill twice.
    chain: [{tool: b/one}, {tool: b/one}]
`;

test('every kind of reference to a retired skill leads to the one that answers for it, and back after a restore', async () => {
  const lab = await chain();
  await lab.skills('restore', 'a');
  await lab.write('by-relation', 'related_skills: [b]\n');
  await lab.write('by-mention');
  const path = join(lab.skillsDir, 'by-mention/SKILL.md');
  await writeFile(path, `${await readFile(path, 'utf8')}\nSee \`b\` skill, or [it](../b/SKILL.md).\n`);
  await lab.write('by-call', '', { 'tools.yaml': CALLING });
  lab.git('commit', '--quiet', '--all', '--message', 'mention');
  const before = lab.git('rev-parse', 'HEAD:by-mention', 'HEAD:by-relation', 'HEAD:by-call');
  const edges = async () => {
    const library = await openLibrary({
      roots: [{ name: 'workspace', dir: lab.skillsDir, writable: true }],
    });
    return {
      edges: library.edges().map(({ from, to, kind, dangling }) => [from, kind, to, dangling].join(' ')),
      related: library.related('by-relation').map(({ name }) => name),
      loaded: library.find('b')?.name,
    };
  };
  const to = (name: string) => ({
    edges: [
      `by-call calls ${name} false`,
      `by-mention mention ${name} false`,
      `by-relation related ${name} false`,
    ],
    related: [name],
    loaded: name,
  });
  expect(await edges()).toEqual(to('c'));
  await lab.skills('restore', 'b');
  expect(await edges()).toEqual(to('b'));
  expect(lab.git('rev-parse', 'HEAD:by-mention', 'HEAD:by-relation', 'HEAD:by-call')).toBe(before);
  await expect(lab.skills('retire', 'b', '--into', 'c')).rejects.toThrow(
    /by-call calls tools of b that c does not have; give it tools of these names, or --force/,
  );
  expect((await lab.run('skills', 'graph', '--json')).stdout).not.toContain('"dangling": true');
});

test('a name that a merge of a revoked session took goes back from wherever it went since', async () => {
  const lab = await chain();
  const root = lab.skillsDir;
  const history = createHistory({ root, environment: { home: root, path: process.env['PATH'] ?? '' } });
  const base = await history.present('c');
  if (base === undefined) throw new Error('c is gone');
  const said = {
    why: 'they are one',
    actor: 'reviewer' as const,
    review: 'r1',
    sessions: [{ id: 's1', events: ['e1'] }],
    operations: [],
  };
  const text = withAliases(fileText(base, 'SKILL.md') ?? '', ['b', 'a', 'd']);
  const merged = withFile(base, 'SKILL.md', textFile(text));
  await history.commit({ ...said, skill: 'c', base, target: merged, to: '1.2.0', what: 'take in d' });
  const gone = await history.present('d');
  await history.commit({
    ...said,
    skill: 'd',
    base: gone,
    target: undefined,
    to: 'none',
    what: mergeInto('c'),
  });
  await lab.write('e');
  await lab.skills('retire', 'c', '--into', 'e');
  expect(await lab.answers()).toBe('a:e b:e c:e d:e');
  const dry = await lab.run('skills', 'revoke', '--session', 's1', '--dry-run');
  expect(dry.stdout).toMatch(/^\+\+\+ b\/SKILL\.md$/m);
  expect(await lab.skills('revoke', '--session', 's1')).toMatch(/^note: e answers to d no more/m);
  expect(await lab.answers()).toBe('a:e b:e c:e d:d');
  await lab.skills('restore', 'c');
  expect(await lab.answers()).toBe('a:c b:c c:c d:d');
});
