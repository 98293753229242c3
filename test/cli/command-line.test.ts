import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { OTHER_WORDS } from '../../src/cli/other-words.ts';
import { freshKnack } from '../support/command-line.ts';
import { skillText, temporary } from '../support/skills.ts';

const { knack } = await freshKnack('cli');
await knack(['init']);

const USAGE: [title: string, args: string[], stderr: RegExp][] = [
  ['an unknown command', ['skils'], /unknown command 'skils'[\s\S]*skills/],
  ['an unknown flag', ['skills', 'list', '--al'], /unknown option '--al'[\s\S]*--all/],
  ['a search for nothing', ['skills', 'search'], /nothing to search for/],
  ['a limit that is no number', ['skills', 'search', 'x', '--limit', 'many'], /whole number/],
  ['an override without a reason', ['gate', 'skills/jq-json', '--allow', 'secret'], /--allow needs --why/],
  ...[
    ['gate', 'skills/jq-json'],
    ['skills', 'add', 'skills'],
    ['skills', 'update'],
  ].map((words): [string, string[], RegExp] => [
    `an override of a rule that there is not: ${words.join(' ')}`,
    [...words, '--allow', 'safety/download-and-rum', '--why', 'x'],
    /--allow: the gate has no rule "download-and-rum"; did you mean download-and-run/,
  ]),
  ['an empty workspace', ['skills', 'list', '--workspace', ''], /--workspace <dir>' argument ''/],
  ['an empty workspace after =', ['skills', 'list', '--workspace='], /--workspace <dir>' argument ''/],
  ['an empty root', ['skills', 'list', '--root', ''], /--root <dir>' argument ''/],
  ['an empty folder', ['gate', ''], /argument 'dir'.*not empty/],
  ['an empty path among others', ['transcript', 'README.md', ''], /argument 'paths'.*not empty/],
  ['an empty name', ['skills', 'show', ''], /argument 'name'.*not empty/],
  ['an empty task', ['run', ' '], /argument 'task'.*not empty/],
  ['tokens that are no number', ['review', '--max-tokens', 'x'], /--max-tokens <n>' argument 'x'/],
  ['no tokens', ['review', '--max-tokens', '0'], /--max-tokens <n>' argument '0'/],
  ['tokens below none', ['review', '--max-tokens=-5'], /--max-tokens <n>' argument '-5'/],
  ['tokens in another notation', ['review', '--max-tokens', '1e3'], /--max-tokens <n>' argument '1e3'/],
  ['a log of minus one', ['skills', 'log', '--limit', '-1'], /--limit <n>' argument '-1'/],
  ['a log of no number', ['skills', 'log', '--limit', 'NaN'], /--limit <n>' argument 'NaN'/],
  ['a line that is no number', ['skills', 'blame', 'x', '--line', 'abc'], /--line <n>' argument 'abc'/],
  ['a line before the first', ['skills', 'blame', 'x', '--line', '0'], /--line <n>' argument '0'/],
  ['help of an unknown command', ['skils', '--help'], /unknown command 'skils'/],
  ['help of an unknown command of skills', ['skills', 'nonsense', '-h'], /unknown command 'nonsense'/],
  [
    'words beside a file of queries',
    ['skills', 'search', 'pdf', '--queries', 'q.jsonl', '--why'],
    /--queries FILE does not go with a query or --why/,
  ],
  ['a name that objects have', ['__proto__'], /unknown command '__proto__'/],
  ['another such name', ['skills', 'constructor'], /unknown command 'constructor'/],
  ['an unknown format', ['transcript', 'package.json', '--format', 'nope'], /no transcript format.*nope/],
];

test.each(USAGE)('%s is a usage fault: exit 2 and a line that says so', async (_, args, stderr) => {
  const ran = await knack(args);
  expect([ran.code, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr).toMatch(stderr);
});

const FAILED: [title: string, args: string[], stderr: RegExp][] = [
  ['a skill that does not exist', ['skills', 'show', 'git-comit'], /no skill "git-comit".*git-commit/],
  ['a transcript that does not exist', ['transcript', '/nowhere/x.jsonl'], /no file .nowhere/],
  ['a transcript that is none', ['transcript', 'README.md'], /README\.md is n/],
  ['a task without a model', ['run', 'x'], /no model is set.*OPENAI_BASE_URL/],
  ['a change that does not wait', ['skills', 'approve', 'abc'], /abc/],
  ['a version that does not exist', ['skills', 'rollback', 'jq-json'], /jq-json/],
];

test.each(FAILED)('%s fails: exit 1, one line, nothing on stdout', async (_, args, stderr) => {
  const ran = await knack(args);
  expect([ran.code, ran.stdout, ran.stderr.trim().split('\n').length]).toEqual([1, '', 1]);
  expect(ran.stderr).toMatch(stderr);
});

describe('with --json stdout is JSON alone', () => {
  const COMMANDS: string[][] = [
    ['skills', 'list'],
    ['skills', 'list', '--all'],
    ['skills', 'search', 'commit my work'],
    ['skills', 'catalog'],
    ['skills', 'show', 'jq-json'],
    ['skills', 'validate', 'skills'],
    ['skills', 'log'],
    ['skills', 'pending'],
    ['gate', 'skills/jq-json', '--no-judge'],
    ['doctor'],
    ['review'],
  ];
  test.each(COMMANDS.map((args) => [args.join(' '), args] as const))('%s', async (_, args) => {
    const { code, stdout } = await knack([...args, '--json']);
    expect([
      code,
      stdout
        .trim()
        .split('\n')
        .map((line) => typeof JSON.parse(line)),
    ]).toEqual([0, ['object']]);
  });
});

const LEADING: string[][] = [
  ['--json', 'skills', 'list'],
  ['skills', '--json', 'list'],
  ['--workspace=DIR', 'skills', 'list', '--json'],
  ['--workspace', 'DIR', '--json', 'skills', 'list'],
  ['skills', '--workspace=DIR', 'list', '--json'],
  ['skills', 'list', '--json', '--workspace=DIR'],
];
test.each(LEADING.map((args) => [args.join(' '), args] as const))(
  'options of every command stand anywhere: %s',
  async (_, args) => {
    const place = join(await temporary('leading'), 'w');
    const words = args.map((word) => word.replace('DIR', place));
    const { code, stdout, stderr } = await knack(words);
    expect([code, typeof JSON.parse(stdout), stderr.includes(place)]).toEqual([
      0,
      'object',
      args.some((word) => word.includes('DIR')),
    ]);
  },
);

const HELP: [words: string[], same: string[]][] = [
  [['help'], ['--help']],
  [
    ['help', 'skills'],
    ['skills', '--help'],
  ],
  [
    ['help', 'skills', 'log'],
    ['skills', 'log', '--help'],
  ],
  [
    ['skills', 'help', 'log'],
    ['skills', 'log', '--help'],
  ],
  [
    ['help', 'review', '--json'],
    ['review', '--help'],
  ],
];
test.each(HELP)('%j prints what %j prints', async (words, same) => {
  const help = await knack(words);
  expect([help, help.code, help.stdout.startsWith('Usage: knack')]).toEqual([await knack(same), 0, true]);
});

test.each([
  [['skills', 'remove', 'words'], 'retire'],
  [['skills', 'rm', 'words'], 'retire'],
  [['skills', 'delete', 'words'], 'retire'],
  [['skills', 'uninstall', 'words'], 'retire'],
  [['skills', 'install', 'words'], 'add'],
  [['skills', 'import', 'words'], 'add'],
  [['skills', 'get', 'words'], 'show'],
  [['skills', 'rm', '--help'], 'retire'],
  [['help', 'skills', 'rm'], 'retire'],
  [['--json', 'install', 'words'], 'add'],
  [['list'], 'list'],
])('%j is a word of other programs, and knack names its own: skills %s', async (words, own) => {
  const { code, stderr } = await knack(words);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(`^knack: unknown command '.*knack skills ${own} `),
  ]);
});

test('no word of another program is a command, and each stands for one that there is', () => {
  const { skills } = COMMANDS;
  for (const [own, others] of Object.entries(OTHER_WORDS)) {
    expect(Object.keys(skills.load())).toContain(own);
    expect(others.filter((word) => word in COMMANDS || word in skills.load())).toEqual([]);
  }
});

test('help about an unknown command names the near ones', async () => {
  const { code, stderr } = await knack(['help', 'skills', 'lgo']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/unknown command 'lgo'[\s\S]*log/)]);
});

test('the contract of skills search with a file of queries is a line a query', async () => {
  const file = join(await temporary('queries'), 'q.jsonl');
  await writeFile(file, '{"id":"a","query":"commit my staged work"}\n{"id":"b","query":"zxqv wvutsr"}\n');
  const { stdout } = await knack(['skills', 'search', '--queries', file, '--limit', '1']);
  const [first, second] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; hits: { name: string }[]; ms: number });
  expect([first?.id, first?.hits.map((hit) => hit.name), typeof first?.ms, second?.hits]).toEqual([
    'a',
    ['git-commit'],
    'number',
    [],
  ]);
});

test('a knack.json with a typo stops everything that would run on a guess, and names the key', async () => {
  const place = await temporary('typo');
  await writeFile(join(place, 'knack.json'), '{"reveiw": {"autonomy": "off"}}');
  const { code, stderr } = await knack(['skills', 'list', '--workspace', place]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/unknown key "reveiw"/)]);
});

test('skills and settings of a checkout are inert, and doctor says so', async () => {
  const checkout = await temporary('checkout');
  await mkdir(join(checkout, '.claude/skills/evil'), { recursive: true });
  await writeFile(join(checkout, '.claude/skills/evil/SKILL.md'), skillText('evil', '- do evil'));
  await writeFile(join(checkout, '.knack.json'), '{"review":{"autonomy":"commit"},"roots":["/"]}');
  const { stdout } = await knack(['skills', 'list', '--json'], {}, checkout);
  expect(stdout).not.toContain('evil');
  expect((await knack(['doctor'], {}, checkout)).stdout).toMatch(
    /\.knack\.json.*: not used, as the checkout is not trusted/,
  );
});

test('a broken skill is named, and the others work', async () => {
  const place = join(await temporary('broken'), 'w');
  await mkdir(join(place, 'skills/broken'), { recursive: true });
  await writeFile(join(place, 'skills/broken/SKILL.md'), '# no front matter');
  const { code, stdout } = await knack(['skills', 'list', '--all', '--workspace', place]);
  expect([code, /refused.*no YAML frontmatter/.test(stdout), stdout.includes('git-commit')]).toEqual([
    0,
    true,
    true,
  ]);
});

test('the demo replays what was recorded; if a prompt, skill or transcript changed, its last line names the command that records anew', async () => {
  const { code, stdout, stderr } = await knack(['demo']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const part of [
    'replayed',
    '1 the library',
    '2 a real session',
    '4 the review',
    'verdict: ',
    'committed',
    '5 a new session',
    'knack skills log',
    'taught by',
    'rollback',
  ])
    expect(stdout).toContain(part);
});
