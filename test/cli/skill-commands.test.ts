import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { gateLine } from '../../src/gate/verdict.ts';
import { freshKnack } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';

const { knack, workspace } = await freshKnack('skill-commands');
const TEXT = skillText('mine', '- do it');

async function write(name: string): Promise<void> {
  await mkdir(join(workspace, 'skills', name), { recursive: true });
  await writeFile(join(workspace, 'skills', name, 'SKILL.md'), skillText(name, '- do it'));
}

beforeAll(async () => {
  await knack(['init']);
  await write('mine');
  const git = (...args: string[]) =>
    execFileSync('git', [
      '-C',
      join(workspace, 'skills'),
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      ...args,
    ]);
  git('add', '-A');
  git('commit', '--quiet', '--message', 'add mine');
  await write('fresh');
});

test.each(['log', 'blame', 'rollback', 'diff'])(
  'skills %s of a bundled skill says why it has no history',
  async (verb) => {
    const { code, stderr } = await knack(['skills', verb, 'jq-json']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^knack: jq-json is bundled with knack and read-only, so it has no history here/),
    ]);
  },
);

test.each(['log', 'blame', 'rollback', 'diff'])(
  'skills %s of no skill names those that are near',
  async (verb) => {
    const { code, stderr } = await knack(['skills', verb, 'jq-jsn']);
    expect([code, stderr]).toEqual([1, 'knack: there is no skill "jq-jsn"; did you mean jq-json?\n']);
  },
);

test('skills diff of a first revision shows it as a whole', async () => {
  const { code, stdout } = await knack(['skills', 'diff', 'mine']);
  const added = stdout.split('\n').flatMap((line) => (/^\+(?!\+\+)/.test(line) ? [line.slice(1)] : []));
  expect([code, added]).toEqual([0, TEXT.trimEnd().split('\n')]);
});

test('skills diff shows an edit that is not committed, and says so', async () => {
  const file = join(workspace, 'skills/mine/SKILL.md');
  await writeFile(file, `${TEXT}- later\n`);
  const last = await knack(['skills', 'diff', 'mine']);
  const now = await knack(['skills', 'diff', 'mine', 'HEAD']);
  await writeFile(file, TEXT);
  expect([last.stdout.includes('+- later'), last.stderr.includes('mine/SKILL.md: edited since')]).toEqual([
    true,
    true,
  ]);
  expect(now.stdout.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line))).toEqual(['+- later']);
});

test('skills diff of a skill that was never committed says so', async () => {
  const { code, stderr } = await knack(['skills', 'diff', 'fresh']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('fresh has no revision yet')]);
});

test('a line past the end of a file is answered with the number of its lines', async () => {
  const lines = TEXT.split('\n').length - 1;
  const past = await knack(['skills', 'blame', 'mine', '--line', '999']);
  const last = await knack(['skills', 'blame', 'mine', '--line', String(lines), '--json']);
  expect([past.code, past.stderr, JSON.parse(last.stdout).lines.length]).toEqual([
    1,
    `knack: SKILL.md of mine has no line 999: it has ${lines} lines\n`,
    1,
  ]);
});

test('skills validate without a path is about the skills of the workspace', async () => {
  const own = await knack(['skills', 'validate', '--json']);
  const none = await knack(['skills', 'validate', '--json', '--workspace', join(workspace, 'none')]);
  expect([own.code, JSON.parse(own.stdout).summary, none.code, JSON.parse(none.stdout)]).toEqual([
    0,
    { found: 2, loadable: 2, strict: 2 },
    0,
    { skills: [], summary: { found: 0, loadable: 0, strict: 0 } },
  ]);
});

test('a search numbers its hits and says which fit; how well each does is said with --why', async () => {
  const search = ['skills', 'search', 'the hook refused my commit message'];
  const [plain, why] = [await knack(search), await knack([...search, '--why'])];
  const { hits } = JSON.parse((await knack([...search, '--json'])).stdout);
  expect(hits.length).toBeGreaterThan(1);
  const marks = (hits as { name: string; score: number }[]).map(
    ({ name, score }, index) => `${index + 1}. ${score >= 0.7 ? 'fits' : 'may fit'} ${name}`,
  );
  const shown = plain.stdout.matchAll(/^ *(\d+\.) (fits|may fit) +([^:]+): /gm);
  expect([...shown].map(([, ...parts]) => parts.join(' '))).toEqual(marks);
  expect(plain.stdout).not.toMatch(/\d\.\d\d/);
  expect(why.stdout).toContain(`fit ${hits[0].score.toFixed(2)}; ${hits[0].why.join('; ')}`);
});

test('a search that nothing fits says how search goes on', async () => {
  const { code, stdout } = await knack(['skills', 'search', '写单元测试']);
  expect([code, stdout]).toEqual([
    0,
    'nothing fits. Search goes by words, so other words for it may help, in the language that the skills are written in; search.embeddings compares meanings too. --all shows the nearest all the same.\n',
  ]);
});

test('a search for all that finds nothing does not advise to search for all', async () => {
  const { code, stdout } = await knack(['skills', 'search', '--all', 'zxqv wvutsr']);
  expect([code, stdout.includes('--all'), stdout.includes('nothing')]).toEqual([0, false, true]);
});

test('gate refuses a base that does not exist, and says what was not asked for and not given', async () => {
  const dir = join(workspace, 'skills/mine');
  const base = await knack(['gate', dir, '--base', 'nope']);
  const { stdout } = await knack(['gate', dir, '--no-judge', '--json']);
  expect([base.code, base.stdout, base.stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/base \S+nope does not exist/),
  ]);
  expect(JSON.parse(stdout).notRun).toEqual(
    expect.arrayContaining([
      { check: 'judge', why: 'not asked for (--no-judge)' },
      { check: 'evidence', why: expect.stringContaining('no evidence was given') },
    ]),
  );
});

test('the line of a commit names no check both as looked at and as not run', () => {
  const usage = { promptTokens: 0, completionTokens: 0 };
  const notRun = [
    { check: 'tests', why: 'the skill has no tests.yaml' },
    { check: 'tests', why: 'no sandbox' },
  ] as const;
  const line = gateLine({
    verdict: 'pass',
    findings: [],
    notRun,
    checks: ['format', 'tests', 'judge'],
    usage,
  });
  expect(line).toBe('pass (format, judge; not run: tests)');
});

test('the demo refuses a workspace, and gives its stages as JSON', async () => {
  const refused = await knack(['demo', '--workspace', workspace]);
  const { stdout } = await knack(['demo', '--json']);
  const stages = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { stage: string }).stage);
  expect([refused.code, refused.stdout, stages.slice(0, 4)]).toEqual([
    2,
    '',
    ['catalog', 'session', 'signals', 'review'],
  ]);
});

test('skills list keeps a skill to a line; --wide shows the whole description', async () => {
  const long = `Mends tables. ${'It looks at each row in turn. '.repeat(20)}Use when rows are broken.`;
  await mkdir(join(workspace, 'skills', 'long'), { recursive: true });
  await writeFile(
    join(workspace, 'skills', 'long', 'SKILL.md'),
    skillText('long', '- do it', { description: long }),
  );
  const lineOf = async (...options: string[]) =>
    (await knack(['skills', 'list', ...options])).stdout.split('\n').find((line) => line.startsWith('long '));
  expect([(await lineOf())?.endsWith('…'), (await lineOf('--wide'))?.endsWith(long)]).toEqual([true, true]);
});

test('a number that an edit by hand kept shows its newest commit, names the others, and tells of open edits', async () => {
  const fresh = await freshKnack('shown-version');
  await fresh.knack(['init']);
  const root = join(fresh.workspace, 'skills');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
    }).trim();
  const text = (...rules: string[]) => skillText('mine', rules.join('\n'), { version: '1.0.0' });
  const shas: string[] = [];
  await mkdir(join(root, 'mine'));
  for (const rules of [['- one'], ['- one', '- two']]) {
    await writeFile(join(root, 'mine/SKILL.md'), text(...rules));
    git('add', '.');
    git('commit', '-qm', 'by hand');
    shas.push(git('rev-parse', 'HEAD').slice(0, 10));
  }
  await writeFile(join(root, 'mine/SKILL.md'), text('- one', '- two', '- three'));
  const { code, stdout, stderr } = await fresh.knack(['skills', 'show', 'mine@1.0.0']);
  expect([code, stdout.startsWith(text('- one', '- two')), stderr.trimEnd().split('\n')]).toEqual([
    0,
    true,
    [
      `note: 1.0.0 stands on 2 commits with other files, and this is the newest, ${shas[1]}; \`knack skills show mine@${shas[0]}\` shows the other one`,
      'note: mine has edits that are not committed, in mine/SKILL.md, which are no part of it; `knack skills diff mine` shows them',
    ],
  ]);
  const older = await fresh.knack(['skills', 'show', `mine@${shas[0]}`]);
  expect(older.stdout.startsWith(text('- one'))).toBe(true);
});
