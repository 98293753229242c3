import { expect, test } from 'vitest';
import { serializeSkill, setField } from '../../src/skill/edit.ts';
import { parseSkill } from '../../src/skill/parse.ts';
import type { SkillReading } from '../../src/skill/skill.ts';

const D = 'description: Reads PDF files.';
const withField = (field: string) => `---\nname: pdf\n${D}\n${field}\n---\n\n# Body\n`;
const withBody = (body: string) => `---\nname: pdf\n${D}\n---\n${body}`;
const read = (text: string): SkillReading =>
  parseSkill({ path: '/root/pdf/SKILL.md', bytes: new TextEncoder().encode(text) });

const TAGS = [
  'js',
  'javascript',
  'JS',
  ' js',
  'coffee',
  'toml',
  'json',
  'yaml',
  'constructor',
  '__proto__',
  'x',
];
const MARK = 'globalThis.knackMark = true;\nmodule.exports = {name: "pdf", description: "d"};';

test.each(TAGS)('a block in the language "%s" is refused each time, and none of it runs', (tag) => {
  const text = `---${tag}\n${MARK}\n---\nb`;
  const [first, second] = [read(text), read(text)];
  expect(first.kind === 'refused' && first.problems[0]?.rule).toBe(
    /^[A-Za-z ]/.test(tag) ? 'fence-language' : 'no-frontmatter',
  );
  expect(second).toEqual(first);
  expect('knackMark' in globalThis).toBe(false);
});

test('a body that begins with such a block is text, also after it is written back', () => {
  for (const tag of TAGS) {
    const body = `---${tag}\n${MARK}\n---\n`;
    const text = serializeSkill({ name: 'pdf', description: 'Reads PDF files.' }, body);
    const again = setField(setField(text, 'description', 'Reads more.'), 'metadata.version', '1.0.0');
    const bodies = [text, again].map((each) => {
      const reading = read(each);
      return reading.kind === 'loaded' && reading.skill.body;
    });
    expect([bodies, again.endsWith(body), 'knackMark' in globalThis]).toEqual([[body, body], true, false]);
  }
});

test('two readings of one broken text are two refusals, and what was read is nobody else’s', () => {
  const broken = '---\nname: [\n---\nb';
  expect([read(broken), read(broken)].map(({ kind }) => kind)).toEqual(['refused', 'refused']);
  const text = withField('tags: a');
  const first = read(text);
  if (first.kind === 'loaded') (first.skill.tags as string[]).push('b');
  const second = read(text);
  expect(second.kind === 'loaded' && second.skill.tags).toEqual(['a']);
});

test('a file of 1 MB is read; a block of more than 64 KiB, or a file of more than 4 MiB, is refused by name', () => {
  const large = [
    read(withBody('x '.repeat(500_000))),
    read(withField(`license: ${'x'.repeat(65 * 1024)}`)),
    read(withBody('x'.repeat(4 * 1024 * 1024))),
    read(`---\n${'x'.repeat(1_000_000)}`),
    read('---\n'.repeat(250_000)),
    read(`---\nname: pdf\n${D}\n${'a: &a [*a]\n'.repeat(4000)}---\nb`),
    read(`${'\n'.repeat(1_000_000)}`),
    read(`${'<!--\n'.repeat(200_000)}`),
  ].map((reading) => (reading.kind === 'loaded' ? 'loaded' : reading.problems[0]?.rule));
  expect(large).toEqual([
    'loaded',
    'too-large',
    'too-large',
    'fence-unclosed',
    'not-a-mapping',
    'yaml-aliases',
    'no-frontmatter',
    'no-frontmatter',
  ]);
});

test.each(['\n', ' \n', '\n\u2028', '\t\n'])(
  'blanks by the ten thousand are read in time that grows with them: %j',
  (blank) => {
    const text = `---\nname: pdf\ndescription: Reads PDF.\n${blank.repeat(60_000 / Buffer.byteLength(blank))}\nlicense: MIT\n---\nb`;
    const bytes = new TextEncoder().encode(text);
    // In quadratic time each took seconds, and all of them many times what a test may.
    for (let round = 0; round < 20; round += 1)
      expect(parseSkill({ path: '/root/pdf/SKILL.md', bytes })).toMatchObject({ kind: 'loaded' });
  },
);
