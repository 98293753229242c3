import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnackError } from '../../src/errors.ts';
import { insertAfter, replaceExact, serializeSkill, setField } from '../../src/skill/edit.ts';
import { versionFault } from '../../src/skill/field-values.ts';
import { parseSkill } from '../../src/skill/parse.ts';
import type { Skill, SkillReading } from '../../src/skill/skill.ts';
import { mutatedText } from './mutated-text.ts';

const read = (text: string): SkillReading =>
  parseSkill({ path: '/root/pdf/SKILL.md', bytes: new TextEncoder().encode(text) });

function loaded(text: string): Skill {
  const reading = read(text);
  if (reading.kind === 'refused') throw new Error(`${JSON.stringify(reading.problems)} in ${text}`);
  return reading.skill;
}

const words = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => text.trim() !== '');
const hostile = fc.constantFrom(
  'a\n---\nb',
  '---',
  '# x',
  '[a',
  'a #b',
  'a: b',
  '"',
  "'",
  ': ',
  '@x',
  '|',
  '\\u0041',
  '\u2028---',
  '\uFFFE',
  'half a pair \ud800',
);
const text = fc.oneof(words, hostile);
const body = fc.string({ unit: 'binary' }).map((value) => value.replaceAll(/[\r\0]/g, '').toWellFormed());

test('any description and field comes back from what is written, and the body to the byte', () => {
  fc.assert(
    fc.property(text, text, body, (description, whenToUse, instructions) => {
      const written = serializeSkill({ name: 'pdf', description, version: '1.10', whenToUse }, instructions);
      const skill = loaded(written);
      expect({
        description: skill.description,
        version: skill.version,
        whenToUse: skill.whenToUse,
        body: skill.body,
        strict: skill.strict,
        readsElsewhere: !written.split('\n---\n')[0]?.slice(3).includes('---'),
      }).toEqual({
        description: description.trim(),
        version: '1.10',
        whenToUse: whenToUse.trim(),
        body: instructions,
        strict: true,
        readsElsewhere: true,
      });
    }),
    { numRuns: 500 },
  );
});

/** What is read of a text that is written as the version. */
const asVersion = (text: string) => (versionFault(text.trim()) === undefined ? text.trim() : undefined);

/** Front matter in the ways people write it: the pieces before the field, the field, and what follows. */
const DESCRIPTIONS = [
  'description: Old text. # why\n',
  "description: 'Old text.'\n",
  'description: "Old\n  text."\n',
  'description: Old\n  text.\n',
  'description: >-\n  Old\n\n  text.\n',
  'description: |+\n  Old text.\n\n\n',
  'description:\n  Old text.\n',
  'description: &old !!str Old text.\n',
  '"description": Old text.\n',
];
const OTHERS = [
  '# a comment\n',
  'license: MIT # or so\n',
  'version: 1.10\n',
  'tags: [a, "b"]\n',
  'aliases:\n- one\n- two\n',
  'metadata: {"acme": {"x": "y"}}\n',
  'when_to_use: |\n  Always.\n\n',
  'author:   "me"\n\n',
];
const document = fc.record({
  before: fc.uniqueArray(fc.constantFrom(...OTHERS), { maxLength: 4 }).map((lines) => lines.join('')),
  field: fc.constantFrom(...DESCRIPTIONS),
  after: fc.constantFrom('', '# last\n', 'metadata:\n  version: "1.0"\n  # inner\n', 'model: any\n'),
  mark: fc.constantFrom('', '\uFEFF'),
  newline: fc.constantFrom('\n', '\r\n'),
  body,
});

test('setting a field leaves every other byte, keeps line ends, and does nothing the second time', () => {
  fc.assert(
    fc.property(document, text, ({ before, field, after, mark, newline, body: rest }, value) => {
      const lines = (part: string) => part.replaceAll('\n', newline);
      const head = lines(`${mark}---\nname: pdf\n${before}`);
      const tail = lines(`${after}---\n${rest}`);
      const original = head + lines(field) + tail;
      const edited = setField(original, 'description', value);
      expect([edited.startsWith(head), edited.endsWith(tail)]).toEqual([true, true]);
      expect(newline === '\n' ? edited.includes('\r') : /(?<!\r)\n/.test(edited)).toBe(false);
      expect(setField(edited, 'description', value)).toBe(edited);
      expect(setField(setField(original, 'description', 'between'), 'description', value)).toBe(edited);
      const [was, is] = [loaded(original), loaded(edited)].map(
        ({ description: _, contentHash: __, problems: ___, strict: ____, ...others }) => others,
      );
      expect([loaded(edited).description, is]).toEqual([value.trim(), was]);
      const versioned = setField(edited, 'metadata.version', value);
      expect([loaded(versioned).version, loaded(versioned).body]).toEqual([
        asVersion(value),
        loaded(edited).body,
      ]);
      expect(setField(versioned, 'metadata.version', value)).toBe(versioned);
    }),
    { numRuns: 200 },
  );
});

test('a replaced or inserted piece leaves what stands before and after it', () => {
  const line = fc.stringMatching(/^[a-z ]{0,8}$/);
  const newline = fc.constantFrom('\n', '\r\n');
  fc.assert(
    fc.property(fc.array(line), fc.array(line), text, newline, (before, after, piece, end) => {
      const [head, tail] = [before, after].map((lines) => lines.map((part) => part + end).join(''));
      const original = `${head}ANCHOR${end}${tail}`;
      const inserted = insertAfter(original, 'ANCHOR', 'one\ntwo');
      expect([replaceExact(original, 'ANCHOR', piece), inserted]).toMatchObject([
        { text: `${head}${piece}${end}${tail}` },
        { text: `${head}ANCHOR${end}one${end}two${end}${tail}` },
      ]);
    }),
  );
});

test('no mutation of front matter crashes the reader; it answers the same twice, and refusals say what to do', () => {
  fc.assert(
    fc.property(mutatedText, (broken) => {
      const reading = read(broken);
      expect(JSON.stringify(read(broken))).toBe(JSON.stringify(reading));
      if (reading.kind === 'loaded') {
        expect(reading.skill.description.trim()).not.toBe('');
        return;
      }
      const [first] = reading.problems;
      expect(first).toEqual({
        rule: expect.stringMatching(/^[a-z0-9-]+$/),
        severity: 'error',
        message: expect.stringMatching(/\S; \S/),
        line: expect.any(Number),
      });
      const last = broken.split(/\r\n?|\n/).length;
      expect(first?.line).toSatisfy((line: number) => line >= 1 && line <= last);
    }),
    { numRuns: 5_000 },
  );
}, 180_000);

test('a mutated skill is either edited so that the value reads back, or refused by name', () => {
  fc.assert(
    fc.property(mutatedText, text, (broken, value) => {
      let edited: string;
      try {
        edited = setField(broken, 'metadata.version', value);
      } catch (error) {
        expect(error).toMatchObject({ code: 'skill-invalid', constructor: KnackError });
        return;
      }
      expect(setField(edited, 'metadata.version', value)).toBe(edited);
      const [was, is] = [read(broken), read(edited)];
      if (was.kind === 'refused') return;
      const { name, description, body: instructions } = was.skill;
      expect(is).toMatchObject({
        kind: 'loaded',
        skill: { name, description, body: instructions },
      });
      expect(is.kind === 'loaded' && is.skill.version).toBe(asVersion(value));
    }),
    { numRuns: 1_000 },
  );
});
