import { expect, test } from 'vitest';
import { findNearDuplicates } from '../../src/library/likeness/near-duplicates.ts';
import { similarity } from '../../src/library/likeness/similarity.ts';
import { givenLibrary, type SkillFields } from '../support/library-folder.ts';

const WORDS = Array.from({ length: 400 }, (_, index) => `w${index.toString(36)}x${(index * 7919) % 97}`);
/** The same words for the same numbers. */
const text = (start: number, length: number, by = 7) =>
  Array.from({ length }, (_, index) => WORDS[(start * 31 + index * by) % WORDS.length]).join(' ');

/** Skills in all degrees of likeness: copies, parts, the same purpose in other words, nothing in common. */
function assortment(): Record<string, SkillFields> {
  const skills: Record<string, SkillFields> = {};
  for (let index = 0; index < 60; index += 1) {
    const body = text(index, 80, 7 + (index % 5));
    const description = text(index + 3, 12, 11);
    skills[`skill-${index}`] = { description, body };
    if (index % 3 === 0) skills[`copy-${index}`] = { description: text(index + 90, 12), body };
    if (index % 4 === 0)
      skills[`part-${index}`] = { description: text(index + 50, 9), body: body.slice(0, 300) };
    if (index % 5 === 0) skills[`twin-${index}`] = { description, body: text(index + 7, 80, 13) };
  }
  return skills;
}

test('finds the pairs that a comparison of all with all finds, with the same scores', async () => {
  const { skills } = await givenLibrary(assortment());
  const all = skills.flatMap((left, at) =>
    skills
      .slice(at + 1)
      .map((right) => ({ left: left.name, right: right.name, score: similarity(left, right) })),
  );
  const wanted = all.filter(({ score }) => score >= 0.7);
  const found = await findNearDuplicates(skills, { atLeast: 0.7 });
  const key = ({ left, right, score }: { left: string; right: string; score: number }) =>
    `${left} ${right} ${score.toFixed(9)}`;
  expect(wanted.length).toBeGreaterThan(40);
  expect(new Set(found.map(key))).toEqual(new Set(wanted.map(key)));
  const scores = found.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((left, right) => right - left));
});

test('many copies of one text are all linked', async () => {
  const copies = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [
      `copy-${index}`,
      { description: text(index * 5, 10), body: text(1, 80) },
    ]),
  );
  const found = await findNearDuplicates((await givenLibrary(copies)).skills, { atLeast: 0.7 });
  expect(new Set(found.flatMap(({ left, right }) => [left, right])).size).toBe(100);
});

test('a throw of the step ends it', async () => {
  const { skills } = await givenLibrary(assortment());
  const step = () => Promise.reject(new Error('enough'));
  await expect(findNearDuplicates(skills, { atLeast: 0.7, step })).rejects.toThrow('enough');
});
