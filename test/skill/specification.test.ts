/** What the specification's reference reader takes, by input; its faults (a fence anywhere in a line, crashes) are not kept. */
import { expect, test } from 'vitest';
import { parseSkill } from '../../src/skill/parse.ts';
import type { SkillReading } from '../../src/skill/skill.ts';

const D = 'description: Reads PDF files.';
const block = (fields: string, body = '\n# Body\n') => `---\n${fields}\n---\n${body}`;
const named = (value: string) => block(`name: ${value}\n${D}`);
const described = (value: string) => block(`name: pdf\ndescription: ${value}`);
const withField = (field: string) => block(`name: pdf\n${D}\n${field}`);

function read(text: string, folder = 'pdf'): SkillReading {
  return parseSkill({ path: `/root/${folder}/SKILL.md`, bytes: new TextEncoder().encode(text) });
}

const VALID: [title: string, text: string, folder?: string][] = [
  ['the least', block(`name: pdf\n${D}`)],
  ['no line end after the closing fence', `---\nname: pdf\n${D}\n---`],
  ['an empty body', `---\nname: pdf\n${D}\n---\n`],
  ['a rule in the body', block(`name: pdf\n${D}`, 'a\n\n---\n\nb\n')],
  ['a second block in the body', block(`name: pdf\n${D}`, '---\nname: other\n---\n')],
  ['CRLF', block(`name: pdf\n${D}`).replaceAll('\n', '\r\n')],
  ['lone CR', block(`name: pdf\n${D}`).replaceAll('\n', '\r')],
  ['blanks after the opening fence', `---  \nname: pdf\n${D}\n---\nb`],
  ['a block that is indented as a whole', `---\n  name: pdf\n  ${D}\n---\nb`],
  ['a comment line', block(`# mine\nname: pdf\n${D}`)],
  ['single quotes', described("'Reads: PDF'")],
  ['double quotes', described('"Reads: PDF"')],
  ['a literal block', described('|\n  Reads\n  PDF')],
  ['a folded block', described('>-\n  Reads\n\n  PDF')],
  ['a plain text of two lines', described('Reads\n  PDF')],
  ['a colon without a blank', described('see a:b and https://example.com/x')],
  ['markup', described('reads <b> & c')],
  ['a comment after the text', described('Reads PDF #bar')],
  ['a number as the text', described('123')],
  ['true as the text', described('true')],
  ['a tilde as the text', described('~')],
  ['a number as the name', named('123'), '123'],
  ['true as the name', named('true'), 'true'],
  ['1024 characters beyond the usual', described(`"${'👍'.repeat(1024)}"`)],
  ['a name of 64', named('a'.repeat(64)), 'a'.repeat(64)],
  ['a name in Chinese', named('字数统计'), '字数统计'],
  ['a name in Cyrillic', named('слова'), 'слова'],
  ['a name in parts with a folder in whole', named('cafe\u0301'), 'caf\u00e9'],
  ['a name in full width', named('ｐｄｆ'), 'pdf'],
  ['a name with a raised digit', named('a²'), 'a2'],
  ['a name with a ligature', named('ﬁx'), 'fix'],
  ['a name with blanks around it', named('"  pdf  "')],
  ['a licence', withField('license: MIT')],
  ['a licence as a list', withField('license:\n  - MIT')],
  ['a compatibility of 500', withField(`compatibility: ${'x'.repeat(500)}`)],
  ['an empty compatibility', withField("compatibility: ''")],
  ['metadata', withField('metadata:\n  a: "b"')],
  ['a number in metadata', withField('metadata:\n  a: 1')],
  ['a map in metadata', withField('metadata:\n  a:\n    b: c')],
  ['a list in metadata', withField('metadata:\n  a:\n    - b')],
  ['metadata as a text', withField('metadata: some text')],
  ['empty metadata', withField('metadata:')],
  ['tools as a text', withField('allowed-tools: Read Bash(git add:*)')],
  ['tools with commas', withField('allowed-tools: Read, Write')],
  ['tools as a list of lines', withField('allowed-tools:\n  - Read')],
];

test.each(VALID)('strictly valid: %s', (_, text, folder) => {
  const reading = read(text, folder);
  const rules = reading.kind === 'loaded' ? reading.skill.problems.map(({ rule }) => rule) : reading.problems;
  expect([reading.kind === 'loaded' && reading.skill.strict, rules]).toEqual([true, rules]);
});

/** Valid for nobody strict: what we load all the same stands beside what we refuse. */
const INVALID: [title: string, text: string, rule: string, folder?: string][] = [
  ['an empty file', '', 'no-frontmatter'],
  ['a body alone', '# Body\n', 'no-frontmatter'],
  ['a blank line first', `\n${block(`name: pdf\n${D}`)}`, 'leading-blank'],
  ['a byte-order mark', `\uFEFF${block(`name: pdf\n${D}`)}`, 'byte-order-mark'],
  ['no closing fence', `---\nname: pdf\n${D}\n`, 'fence-unclosed'],
  ['dots as the closing fence', `---\nname: pdf\n${D}\n...\nb`, 'fence-unclosed'],
  ['an empty block', '---\n---\nb', 'not-a-mapping'],
  ['a block of a list', '---\n- a\n---\nb', 'not-a-mapping'],
  ['a block of one text', '---\na\n---\nb', 'not-a-mapping'],
  ['four dashes', `----\nname: pdf\n${D}\n----\nb`, 'no-frontmatter'],
  ['content on the line of the fence', `--- name: pdf\n${D}\n---\nb`, 'fence-language'],
  ['an unquoted colon', described('Use when: asked'), 'yaml-repaired'],
  ['a key without a blank after its colon', block(`name:pdf\n${D}`), 'yaml-repaired'],
  ['tabs', withField('metadata:\n\ta: b'), 'tab-indent'],
  ['a key twice', withField(D), 'duplicate-key'],
  ['an anchor', described('&a Reads PDF'), 'yaml-dialect'],
  ['an alias', block('name: &a pdf\ndescription: *a'), 'yaml-dialect'],
  ['a tag', described('!!str Reads PDF'), 'yaml-dialect'],
  ['a list in one line', withField('allowed-tools: [Read]'), 'yaml-dialect'],
  ['a map in one line', withField('metadata: {a: b}'), 'yaml-dialect'],
  ...['@', '`', '*', '[', '%', '"foo" and '].map((start): [string, string, string] => [
    `a text that begins with ${start}`,
    described(`${start}reads PDF`),
    'yaml-repaired',
  ]),
  ['a description without text', block('name: pdf\ndescription:'), 'description-missing'],
  ['an empty description', described("''"), 'description-missing'],
  ['a blank description', described('"  "'), 'description-missing'],
  ['a description that is a list', block('name: pdf\ndescription:\n  - a'), 'description-missing'],
  ['no description', block('name: pdf'), 'description-missing'],
  ['1025 characters', described(`"${'👍'.repeat(1025)}"`), 'description-too-long'],
  [
    '1025 characters of which one is a blank at the end',
    described(`"${'x'.repeat(1024)} "`),
    'description-too-long',
  ],
  ['no name', block(D), 'name-missing'],
  ['the key Name', block(`Name: pdf\n${D}`), 'name-missing'],
  ['an empty name', named("''"), 'name-missing'],
  ['a name of 65', named('a'.repeat(65)), 'name-too-long', 'a'.repeat(65)],
  ['a name in capitals', named('PDF'), 'name-format', 'PDF'],
  ['a name in capitals of Cyrillic', named('СЛОВА'), 'name-format', 'СЛОВА'],
  ...['-pdf', 'pdf-', '"-"', 'a--b', 'a_b', 'a b', 'a.b', '"a:b"', 'a/b', '..', '🦊'].map(
    (name): [string, string, string] => [`the name ${name}`, named(name), 'name-format'],
  ),
  ['another folder', named('pdf'), 'name-mismatch', 'reader'],
  ...['version: 1.0', 'tags: a', 'disable-model-invocation: true', 'allowed_tools: Read'].map(
    (field): [string, string, string] => [`the field ${field}`, withField(field), 'unknown-field'],
  ),
  ['a compatibility of 501', withField(`compatibility: ${'x'.repeat(501)}`), 'compatibility-too-long'],
  ['a compatibility as a list', withField('compatibility:\n  - a'), 'compatibility-form'],
  ['a NUL byte', block(`name: pdf\n${D}`, 'a\0b'), 'not-text'],
];

test.each(INVALID)('not strictly valid: %s', (_, text, rule, folder) => {
  const reading = read(text, folder);
  const problems = reading.kind === 'loaded' ? reading.skill.problems : reading.problems;
  expect(problems.map((problem) => problem.rule)).toContain(rule);
  expect(reading.kind === 'loaded' && reading.skill.strict).toBe(false);
});
