import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSkill, parseSkillFolder, readSkill } from '../../src/skill/parse.ts';
import type { Skill, SkillReading } from '../../src/skill/skill.ts';
import { strictForm } from '../../src/skill/strict-form.ts';
import { readingOf } from './reading.ts';

const read = (text: string, path = '/root/pdf/SKILL.md', companions = {}): SkillReading =>
  parseSkill({ path, bytes: new TextEncoder().encode(text), companions });

function loaded(text: string, path?: string, companions = {}): Skill {
  const reading = read(text, path, companions);
  if (reading.kind === 'refused') throw new Error(`refused: ${JSON.stringify(reading.problems)}`);
  return reading.skill;
}

const rules = (skill: Skill) => skill.problems.map((problem) => problem.rule).sort();
const D = 'description: Reads PDF files. Use for PDF.';

test('line ends and a byte-order mark make no difference but for their diagnostic', () => {
  const text = `---\nname: pdf\n${D}\nmetadata:\n  version: "1.0"\n---\n# A\n\nbody\n`;
  const without = (skill: Skill) => ({
    ...skill,
    contentHash: '',
    strict: true,
    problems: rules(skill).filter((rule) => !/encoding|byte-order/.test(rule)),
  });
  const [lf, crlf, bom] = [text, text.replaceAll('\n', '\r\n'), `\uFEFF${text.replaceAll('\n', '\r\n')}`].map(
    (form) => without(loaded(form)),
  );
  expect([crlf, bom]).toEqual([lf, lf]);
});

test('nothing in a file reaches the prototype of objects', () => {
  loaded(
    `---\nname: pdf\n${D}\n__proto__:\n  polluted: yes\nconstructor:\n  prototype:\n    polluted: yes\n---\nb`,
  );
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each([
  ['a list under another name', 'casess: []'],
  [
    'a case with a word that is not known',
    'cases: [{name: n, tool: t, parms: {}, expect: {status: success}}]',
  ],
])('%s in tests.yaml is a problem, not an absence of tests', (_, tests) => {
  const skill = loaded(`---\nname: pdf\n${D}\n---\nb`, undefined, { tests });
  expect(skill.tests).toEqual([]);
  expect(skill.problems.map(({ rule, severity }) => [rule, severity])).toContainEqual([
    'tests-file',
    'error',
  ]);
});

test('tools, tests and triggers are read from their files, and a broken tool costs no other', () => {
  const tools =
    'tools:\n  - {name: good, description: d, script: s.sh, timeout_s: 500}\n  - {name: bad, description: d}\n';
  const reading = read(`---\nname: pdf\n${D}\n---\nb`, undefined, {
    tools,
    tests: 'cases: [{name: n, tool: good, expect: {status: success}}]',
    triggers: '[{"query":"q","should_trigger":true}]',
  });
  const skill = reading.kind === 'loaded' ? reading.skill : undefined;
  expect({
    tools: skill?.tools,
    tests: skill?.tests,
    triggers: skill?.triggers,
    rules: skill?.problems.map((problem) => problem.message),
  }).toEqual({
    tools: [
      {
        name: 'good',
        description: 'd',
        run: { kind: 'script', script: 's.sh' },
        parameters: { type: 'object' },
        timeoutSeconds: 120,
        calls: [],
      },
    ],
    tests: [{ name: 'n', tool: 'good', params: {}, expect: { status: 'success' } }],
    triggers: [{ query: 'q', shouldTrigger: true }],
    rules: [
      'tools.yaml: the tool "good" gets 120 s, the most there is',
      'tools.yaml: the tool "bad" needs either a script or a chain',
    ],
  });
});

test('nesting of 20,000 levels, 9,000 keys and a heading of 200,000 marks are read and crash nothing', () => {
  const kinds = [
    `x: ${'['.repeat(20_000)}\n---\nb`,
    `${Array.from({ length: 9_000 }, (_, index) => `k${index}:`).join('\n')}\n---\nb`,
    `---\n# ${'#'.repeat(200_000)}x\n${'text\n'.repeat(200_000)}`,
  ].map((rest) => read(`---\nname: pdf\n${D}\n${rest}`).kind);
  expect(kinds).toEqual(['loaded', 'loaded', 'loaded']);
});

const HEADINGS: [title: string, body: string, headings: string[]][] = [
  ['with closing marks', '# One ##\n## C#', ['One', 'C#']],
  ['in fenced code are none', '# One\n```\n# code\n```\n# Two', ['One', 'Two']],
  ['after a fence that is never closed', '```\n# One', ['One']],
];

test.each(HEADINGS)('headings %s', (_, body, headings) => {
  expect(loaded(`---\nname: pdf\n${D}\n---\n${body}`).headings).toEqual(headings);
});

test('a block of code at the start of the body is text', () => {
  const code = '---js\nglobalThis.ran = true\n---\n';
  expect([loaded(`---\nname: pdf\n${D}\n---\n${code}`).body, 'ran' in globalThis]).toEqual([code, false]);
});

test('what keeps a skill from the model survives front matter that is no YAML', () => {
  const skill = loaded(
    `---\nname: pdf\n${D}\ndisable-model-invocation: true\n  - : ]\n"\n---\nb`,
    undefined,
    {
      tools: 'tools:\n  - {name: good, description: d, script: s.sh}\n',
    },
  );
  expect({ salvaged: skill.salvaged, userOnly: skill.userOnly, tools: skill.tools }).toEqual({
    salvaged: true,
    userOnly: true,
    tools: [],
  });
});

const SALVAGED: [what: string, value: string, text: string][] = [
  ['single quotes', "'it''s fine: so it is'", "it's fine: so it is"],
  ['double quotes', '"a\\nb \\u00e9"', 'a\nb é'],
  ['a folded block with a blank line', '>-\n  one\n  two\n\n  three', 'one two\nthree'],
  ['a literal block', '|-\n  one\n    two', 'one\n  two'],
  ['what is no YAML by itself', 'Use when: x', 'Use when: x'],
];

test.each(SALVAGED)('a salvaged description in %s is what YAML reads', (_, value, text) => {
  const skill = loaded(`---\nname: pdf\ndescription: ${value}\nlicense: MIT\n  - : ]\n"\n---\nb`);
  expect([skill.salvaged, skill.description]).toEqual([true, text]);
});

test.each(['# Title', '1. First rule', 'Text of two words: more', '- a list'])(
  'front matter that nothing closes ends before "%s", whatever rule comes later',
  (start) => {
    const body = `${start}\n\n1. Keep this.\nPlain text.\n\n---\n\n2. And this.\n`;
    const skill = loaded(`---\nname: pdf\n${D}\n\n${body}`);
    expect([skill.body, skill.salvaged, rules(skill)]).toEqual([body, false, ['fence-unclosed']]);
  },
);

const UNCLOSED: [what: string, block: string, body: string][] = [
  ['a blank line', `name: pdf\n${D}\n`, '\n# Title\n\nText.\n'],
  ['a heading', `name: pdf\n${D}\n`, '# Title\n\nText.\n'],
  ['a heading with text under it', `name: pdf\n${D}\n`, '## Steps\n1. First\n'],
  ['the end of the file', `name: pdf\n${D}\n`, ''],
  ['a blank line after a value to quote', 'name: pdf\ndescription: Reads PDFs: all\n', '\nText.\n'],
  [
    'a blank line after another and a further key',
    `name: pdf\n${D}\n\nmetadata:\n  version: "1"\n`,
    '\nText.\n',
  ],
  ['a blank line after one within a value', 'name: pdf\ndescription: >\n  Reads.\n\n  PDFs.\n', '\nText.\n'],
];

test.each(UNCLOSED)(
  'front matter that nothing closes ends at %s, and the strict form closes it there',
  (_, block, body) => {
    const text = `---\n${block}${body}`;
    const skill = loaded(text);
    expect([skill.body, rules(skill)]).toEqual([
      body.replace(/^\n/, ''),
      expect.arrayContaining(['fence-unclosed']),
    ]);
    const form = strictForm({ path: '/pdf/SKILL.md', bytes: new TextEncoder().encode(text) });
    const fixed = form.kind === 'changed' ? form.text : '';
    expect([fixed.endsWith(`---\n${body}`), loaded(fixed).strict || body === '']).toEqual([true, true]);
  },
);

test.each(['--', '———', '-—'])('front matter closed with %s is read and closed as it should be', (fence) => {
  const text = `---\nname: pdf\n${D}\n${fence}\n\nText.\n`;
  expect(loaded(text).body).toBe('Text.\n');
  expect(strictForm({ path: '/pdf/SKILL.md', bytes: new TextEncoder().encode(text) })).toMatchObject({
    text: `---\nname: pdf\n${D}\n---\n\nText.\n`,
  });
});

test.each(['Text that may go on with the description.\n\nMore.\n', '- a rule, or an item of a list\n'])(
  'front matter that text follows at once stays refused: %j',
  (body) => {
    const bytes = new TextEncoder().encode(`---\nname: pdf\n${D}\n${body}`);
    expect(parseSkill({ path: '/pdf/SKILL.md', bytes })).toMatchObject({
      kind: 'refused',
      problems: [{ rule: 'fence-unclosed' }],
    });
    expect(strictForm({ path: '/pdf/SKILL.md', bytes }).kind).toBe('same');
  },
);

test('a megabyte of keys and blank lines that nothing closes is read once', () => {
  const bytes = new TextEncoder().encode(`---\nname: pdf\n${D}\n${'\ntags: a\n'.repeat(100_000)}`);
  expect(parseSkill({ path: '/pdf/SKILL.md', bytes }).kind).toBe('refused');
});

test('a blank line within front matter that is broken further down ends nothing', () => {
  const skill = loaded(`---\nname: pdf\n${D}\n\nlicense: MIT\n  - : ]\n"\n---\nbody`);
  expect([skill.body, skill.salvaged]).toEqual(['body', true]);
});

test('a file beside SKILL.md that a link leads to, at whatever folder, is not read', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'knack-skill-'));
  const query = '[{"query":"outside","should_trigger":true}]';
  for (const name of ['outside', 'pdf', 'txt/evals']) await mkdir(join(dir, name), { recursive: true });
  await writeFile(join(dir, 'outside/triggers.json'), query);
  await symlink(join(dir, 'outside'), join(dir, 'pdf/evals'));
  await writeFile(join(dir, 'txt/evals/triggers.json'), query);
  for (const name of ['pdf', 'txt'])
    await writeFile(join(dir, name, 'SKILL.md'), `---\nname: ${name}\n${D}\n---\nb`);
  const readings = await Promise.all(['pdf', 'txt'].map((name) => readSkill(join(dir, name))));
  expect(readings.map((reading) => reading.kind === 'loaded' && reading.skill.triggers.length)).toEqual([
    0, 1,
  ]);
});

test('a folder value is read as the folder on disk, whatever case the name of its file has', () => {
  const text = `---\nname: pdf\n${D}\n---\nb`;
  const folder = (name: string) =>
    new Map([[name, { bytes: new TextEncoder().encode(text), executable: false }]]);
  const readings = ['SKILL.md', 'Skill.md', 'README.md'].map((name) =>
    readingOf(parseSkillFolder('/r/pdf', folder(name))),
  );
  expect(readings).toMatchObject([
    { kind: 'loaded', strict: true, rules: [] },
    { kind: 'loaded', strict: false, rules: ['filename-case:1'] },
    { kind: 'refused', rules: ['no-skill-file'] },
  ]);
});
