import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSkill, readSkill } from '../../src/skill/parse.ts';
import type { Skill, SkillReading } from '../../src/skill/skill.ts';

const read = (text: string, path = '/root/pdf/SKILL.md', companions = {}): SkillReading =>
  parseSkill({ path, bytes: new TextEncoder().encode(text), companions });

function loaded(text: string, path?: string, companions = {}): Skill {
  const reading = read(text, path, companions);
  if (reading.kind === 'refused') throw new Error(`refused: ${JSON.stringify(reading.problems)}`);
  return reading.skill;
}

const rules = (skill: Skill) => skill.problems.map((problem) => problem.rule).sort();
const D = 'description: Reads PDF files. Use for PDF.';

const LOADED: [title: string, text: string, description: string, rules: string[]][] = [
  ['plain', `---\nname: pdf\n${D}\n---\nbody`, 'Reads PDF files. Use for PDF.', []],
  [
    'no line end after the closing fence',
    `---\nname: pdf\n${D}\n---`,
    'Reads PDF files. Use for PDF.',
    ['body-empty'],
  ],
  ['blanks after the fences', `---  \nname: pdf\n${D}\n---\t\nbody`, 'Reads PDF files. Use for PDF.', []],
  [
    'a rule and a second block in the body',
    `---\nname: pdf\n${D}\n---\na\n\n---\n\nb`,
    'Reads PDF files. Use for PDF.',
    [],
  ],
  [
    'blank lines before',
    `\n\n---\nname: pdf\n${D}\n---\nbody`,
    'Reads PDF files. Use for PDF.',
    ['leading-blank'],
  ],
  [
    'a comment before',
    `<!-- from elsewhere -->\n---\nname: pdf\n${D}\n---\nbody`,
    'Reads PDF files. Use for PDF.',
    ['text-before-frontmatter'],
  ],
  ['no closing fence', `---\nname: pdf\n${D}\n\n# X\n`, 'Reads PDF files. Use for PDF.', ['fence-unclosed']],
  [
    'an unquoted colon',
    '---\nname: pdf\ndescription: Use for Go projects: vet, test\n---\nb',
    'Use for Go projects: vet, test',
    ['yaml-repaired'],
  ],
  [
    'a reserved first character',
    '---\nname: pdf\ndescription: @Decorator helpers\n---\nb',
    '@Decorator helpers',
    ['yaml-repaired'],
  ],
  [
    'two lists in one value',
    `---\nname: pdf\n${D}\nargument-hint: [file] [mode]\n---\nb`,
    'Reads PDF files. Use for PDF.',
    ['unknown-field', 'yaml-repaired'],
  ],
  [
    'a brace short',
    `---\nname: pdf\n${D}\nmetadata: {"acme":{"bins":["x"]}\n---\nb`,
    'Reads PDF files. Use for PDF.',
    ['field-type', 'yaml-repaired'],
  ],
  [
    'a cut comment',
    '---\nname: pdf\ndescription: Reads files #really\n---\nb',
    'Reads files',
    ['comment-in-value'],
  ],
  [
    'a folded block',
    '---\nname: pdf\ndescription: >-\n  Reads\n  files\n\n  well\n---\nb',
    'Reads files\nwell',
    [],
  ],
  ['a literal block', '---\nname: pdf\ndescription: |\n  Reads\n\n  files\n---\nb', 'Reads\n\nfiles', []],
  [
    'tabs',
    `---\nname: pdf\n${D}\nmetadata:\n\ttags: a\n---\nb`,
    'Reads PDF files. Use for PDF.',
    ['tab-indent'],
  ],
  [
    'a key twice',
    `---\nname: pdf\ndescription: One thing.\n${D}\n---\nb`,
    'Reads PDF files. Use for PDF.',
    ['duplicate-key'],
  ],
  [
    'flow style',
    `---\nname: pdf\n${D}\nmetadata: {tags: "a"}\n---\nb`,
    'Reads PDF files. Use for PDF.',
    ['yaml-dialect'],
  ],
  [
    'a dangerous key',
    `---\nname: pdf\n${D}\nmetadata:\n  __proto__: x\n  tags: a\n---\nb`,
    'Reads PDF files. Use for PDF.',
    ['dangerous-key'],
  ],
  [
    'YAML that stays broken',
    `---\nname: pdf\n${D}\n  - : ]\n"\n---\nb`,
    'Reads PDF files. Use for PDF. - : ]',
    ['yaml-salvaged'],
  ],
  [
    'another case of a key',
    `---\nname: pdf\nDescription: Reads PDF files.\n---\nb`,
    'Reads PDF files.',
    ['description-missing', 'key-case', 'unknown-field'],
  ],
];

describe('a skill with', () => {
  test.each(LOADED)('%s is loaded with its findings', (_, text, description, expected) => {
    const skill = loaded(text);
    expect({ name: skill.name, description: skill.description, rules: rules(skill) }).toEqual({
      name: 'pdf',
      description,
      rules: expected,
    });
  });
});

const REFUSED: [title: string, text: string, rule: string][] = [
  ['nothing', '', 'no-frontmatter'],
  ['body alone', '# PDF', 'no-frontmatter'],
  ['four dashes', `----\nname: pdf\n${D}\n---\nb`, 'no-frontmatter'],
  ['JavaScript', `---js\nname: pdf\n${D}\n---\nb`, 'fence-language'],
  ['JavaScript in capitals', `--- JavaScript\nname: pdf\n${D}\n---\nb`, 'fence-language'],
  ['YAML named', `---yaml\nname: pdf\n${D}\n---\nb`, 'fence-language'],
  ['JSON named', `---json\n{}\n---\nb`, 'fence-language'],
  ['a list', '---\n- a\n---\nb', 'not-a-mapping'],
  ['a text', '---\nhello\n---\nb', 'not-a-mapping'],
  ['a comment alone', '---\n# x\n---\nb', 'not-a-mapping'],
  ['an empty block', '---\n---\nb', 'not-a-mapping'],
  ['no description', '---\nname: pdf\n---\nb', 'description-missing'],
  ['a blank description', '---\nname: pdf\ndescription: "  "\n---\nb', 'description-missing'],
  ['a list as description', '---\nname: pdf\ndescription: [a, b]\n---\nb', 'description-missing'],
  ['no closing fence and no pairs', '---\nhello\n\n# X', 'fence-unclosed'],
  ['another fence inside', `---\nname: pdf\n--- x\n${D}\n---\nb`, 'fence-inside'],
  [
    'an alias bomb',
    `---\nname: pdf\n${D}\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n---\nb`,
    'yaml-aliases',
  ],
  ['a block of 70 KB', `---\nname: pdf\n${D}\nx: ${'y'.repeat(70_000)}\n---\nb`, 'too-large'],
  ['a NUL byte', `---\nname: pdf\n${D}\n---\n\0`, 'not-text'],
];

describe('a file with', () => {
  test.each(REFUSED)('%s is refused by name', (_, text, rule) => {
    const reading = read(text);
    expect(reading.kind === 'refused' ? reading.problems[0]?.rule : reading).toBe(rule);
  });

  test('bytes that are not UTF-8 is refused by name', () => {
    const reading = parseSkill({
      path: '/x/a/SKILL.md',
      bytes: new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]),
    });
    expect(reading.kind === 'refused' && reading.problems[0]?.rule).toBe('not-utf8');
  });

  test('nesting of 20,000 levels is refused or salvaged, and no crash', () => {
    expect(
      rules(loaded(`---\nname: pdf\n${D}\nx: ${'['.repeat(20_000)}\n---\nb`)).filter((rule) =>
        rule.startsWith('yaml-'),
      ),
    ).not.toEqual([]);
  });
});

test('the same broken text is refused twice with the same words', () => {
  expect(read('---\n- a\n---')).toEqual(read('---\n- a\n---'));
});

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

const NAMES: [declared: string, directory: string, name: string, aliases: string[], rules: string[]][] = [
  [
    'Writing Nice Rules',
    'writing-nice-rules',
    'writing-nice-rules',
    ['Writing Nice Rules'],
    ['name-format', 'name-format', 'name-mismatch'],
  ],
  [
    'CI/CD Helper',
    'cicd',
    'ci-cd-helper',
    ['CI/CD Helper', 'cicd'],
    ['name-format', 'name-format', 'name-mismatch'],
  ],
  ['a_b', 'a_b', 'a-b', ['a_b'], ['name-format']],
  ['a--b', 'a--b', 'a-b', ['a--b'], ['name-format']],
  ['..', 'dots', 'dots', [], ['name-format', 'name-from-directory', 'name-mismatch']],
  ['constructor', 'constructor', 'constructor', [], []],
  ['数据分析', '数据分析', '数据分析', [], []],
];

test.each(NAMES)(
  'the name %s in the folder %s becomes %s',
  (declared, directory, name, aliases, expected) => {
    const skill = loaded(`---\nname: ${declared}\n${D}\n---\nb`, `/root/${directory}/SKILL.md`);
    expect({ name: skill.name, aliases: skill.aliases, rules: rules(skill) }).toEqual({
      name,
      aliases,
      rules: expected,
    });
  },
);

const TAGS = [
  'tags: a, B',
  'tags: [a, B]',
  'tags:\n  - a\n  - B',
  'metadata:\n  tags: "a, B"',
  'metadata:\n  hermes:\n    tags: [a, B, A]',
];

test.each(TAGS)('tags are read from %j', (lines) => {
  expect(loaded(`---\nname: pdf\n${D}\n${lines}\n---\nb`).tags).toEqual(['a', 'B']);
});

test('fields are read wherever they stand, versions as text', () => {
  const skill = loaded(
    `---\nname: pdf\n${D}\nversion: 1.10\nallowed-tools: Read, Bash(git add:*)\nwhen-to-use: always\nmetadata:\n  related-skills: x, y\n  aliases: portable\n---\nb`,
  );
  const { version, allowedTools, whenToUse, relatedSkills, aliases } = skill;
  expect({ version, allowedTools, whenToUse, relatedSkills, aliases }).toEqual({
    version: '1.10',
    allowedTools: ['Read', 'Bash(git add:*)'],
    whenToUse: 'always',
    relatedSkills: ['x', 'y'],
    aliases: ['portable'],
  });
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

test('a folder with skill.md or Skill.md is read with a finding, a folder without is refused', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'knack-skill-'));
  for (const name of ['a', 'b']) await mkdir(join(dir, name));
  await writeFile(join(dir, 'a', 'Skill.md'), `---\nname: a\n${D}\n---\nb`);
  const found = await readSkill(join(dir, 'a', 'Skill.md'));
  expect(found.kind === 'loaded' && [found.skill.strict, rules(found.skill)]).toEqual([
    false,
    ['filename-case'],
  ]);
  expect(await readSkill(join(dir, 'b'))).toMatchObject({ kind: 'refused', problems: [{ rule: 'io' }] });
});

test('no text whatever crashes the reader, and found = loaded + refused', () => {
  const piece = fc.constantFrom(
    '---',
    '---\n',
    '\n',
    'name: a',
    'description: b c',
    ': ',
    '- ',
    '[',
    '{',
    '"',
    "'",
    '|',
    '>-',
    '&a ',
    '*a',
    '!x ',
    '#',
    '\t',
    '  ',
    'metadata:',
    '\r',
    '\uFEFF',
    '<!--',
    'é',
    '数',
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 30 }),
      (pieces) => {
        const reading = read(`---\n${pieces.join('')}\n---\n${pieces.join('\n')}`);
        return reading.kind === 'loaded' ? reading.skill.description !== '' : reading.problems.length > 0;
      },
    ),
    { numRuns: 500 },
  );
});
