import { expect, test } from 'vitest';
import { parseSkill } from '../../src/skill/parse.ts';

const read = (fields: string) =>
  parseSkill({
    path: '/skills/deep/SKILL.md',
    bytes: new TextEncoder().encode(`---\nname: deep\ndescription: Digs.\n${fields}\n---\n\nDig.\n`),
  });

test.each([
  ['lists', `x: ${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['maps', `x: ${'{a: '.repeat(5000)}${'}'.repeat(5000)}`],
  ['lists that are not closed', `x: ${'['.repeat(20_000)}`],
  ['dashes', `x:\n  ${'- '.repeat(5000)}a`],
  ['question marks', `${'? '.repeat(5000)}a`],
])('%s within each other come to an answer, never to the end of the process', (_, fields) => {
  const reading = read(fields);
  const problems = reading.kind === 'loaded' ? reading.skill.problems : reading.problems;
  expect(problems.map(({ rule }) => rule)).toEqual(expect.arrayContaining([expect.stringMatching(/^yaml/)]));
});

test('brackets of a usual depth and many of them are read', () => {
  const reading = read(`tags: [a, b]\nx: [[1, [2]], {a: [3]}]\ny: "${'[]'.repeat(500)}"`);
  expect(reading.kind).toBe('loaded');
});
