import { expect, test } from 'vitest';
import { parseSkill } from '../../src/skill/parse.ts';
import type { SkillReading } from '../../src/skill/skill.ts';

const D = 'description: Reads PDF files.';
const withField = (field: string) => `---\nname: pdf\n${D}\n${field}\n---\n\n# Body\n`;
const read = (text: string): SkillReading =>
  parseSkill({ path: '/root/pdf/SKILL.md', bytes: new TextEncoder().encode(text) });

const PLACES = {
  metadata: (field: string) => `metadata:\n  ${field}`,
  top: (field: string) => field,
  hermes: (field: string) => `metadata:\n  hermes:\n    ${field}`,
  another: (field: string) => `metadata:\n  acme:\n    ${field}`,
};
type Place = keyof typeof PLACES;

/** The fields, the property that holds each, and whether another client's part counts. */
const FIELDS: [key: string, property: string, anywhere: boolean][] = [
  ['version', 'version', true],
  ['author', 'author', false],
  ['when_to_use', 'whenToUse', false],
  ['when-to-use', 'whenToUse', false],
  ['when_not_to_use', 'whenNotToUse', false],
  ['tags', 'tags', true],
  ['keywords', 'weakTags', true],
  ['triggers', 'weakTags', true],
  ['related_skills', 'relatedSkills', true],
  ['related-skills', 'relatedSkills', true],
  ['aliases', 'aliases', true],
];

test.each(FIELDS)(
  '%s is read at each of its places, the first that says something wins',
  (key, property, anywhere) => {
    const isList = !/^(?:version|author|when)/.test(key);
    const readField = (fields: string) => {
      const reading = read(withField(fields));
      return reading.kind === 'loaded' ? reading.skill[property as 'tags'] : reading.problems;
    };
    const wanted = (value: string) => (isList ? [value] : value);
    const nothing = isList ? [] : undefined;
    for (const place of Object.keys(PLACES) as Place[])
      expect([place, readField(PLACES[place](`${key}: x`))]).toEqual([
        place,
        place !== 'another' || anywhere ? wanted('x') : nothing,
      ]);
    expect(readField(`${key}: top\nmetadata:\n  ${key}: inside\n  hermes:\n    ${key}: hermes`)).toEqual(
      wanted('inside'),
    );
    expect(readField(`${key}: top\nmetadata:\n  hermes:\n    ${key}: hermes`)).toEqual(wanted('top'));
    expect(readField(`${key}: ""\nmetadata:\n  hermes:\n    ${key}: hermes`)).toEqual(wanted('hermes'));
  },
);

const SHAPES = ['a, B', '[a, B]', '\n  - a\n  - B', '"a, B"', 'a; B', '[a, B, a, A]', ' a ,, B , '];

test.each(['tags', 'related_skills', 'aliases', 'keywords'])('%s are the same list in every shape', (key) => {
  const property = {
    tags: 'tags',
    related_skills: 'relatedSkills',
    aliases: 'aliases',
    keywords: 'weakTags',
  }[key];
  const lists = SHAPES.map((shape) => {
    const reading = read(withField(`${key}: ${shape}`));
    return reading.kind === 'loaded' && reading.skill[property as 'tags'];
  });
  expect(lists).toEqual(SHAPES.map(() => ['a', 'B']));
});

test('a text keeps the form that it was typed in', () => {
  for (const version of ['1.10', '1.0', '01', 'yes', '~', '1e3', '2024-01-02', '0x1F', '1_000']) {
    const reading = read(withField(`version: ${version}`));
    expect(reading.kind === 'loaded' && reading.skill.version).toBe(version);
  }
});

const BLOCKS: [indicator: string, lines: readonly string[], value: string][] = [
  ['|', ['one', '', 'two'], 'one\n\ntwo'],
  ['|-', ['one', '  - two'], 'one\n  - two'],
  ['|+', ['one', 'two', ''], 'one\ntwo'],
  ['>', ['one', 'two', '', 'three'], 'one two\nthree'],
  ['>-', ['one', 'two'], 'one two'],
  ['>+', ['one', '', '', 'two', ''], 'one\n\ntwo'],
  ['|2', ['  one', 'two'], 'one\ntwo'],
  ['>- # why', ['one # two'], 'one # two'],
  ['|', ['a: b', '--- c', '"d'], 'a: b\n--- c\n"d'],
];

test.each(BLOCKS)(
  'a description behind %s is the text of its lines, blank ones too',
  (indicator, lines, value) => {
    const field = [
      `description: ${indicator}`,
      ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
    ].join('\n');
    for (const newline of ['\n', '\r\n']) {
      const reading = read(`---\nname: pdf\n${field}\nlicense: MIT\n---\nb`.replaceAll('\n', newline));
      expect(reading.kind === 'loaded' && reading.skill.description).toBe(value);
    }
  },
);
