import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keptNearDuplicates } from '../../src/library/likeness/kept-duplicates.ts';
import { findNearDuplicates } from '../../src/library/likeness/near-duplicates.ts';
import { givenLibrary, type SkillFields } from '../support/library-folder.ts';
import { temporary } from '../support/skills.ts';

const BODY = 'Read the header line first, then check that every row has as many cells as it says. '.repeat(4);
const SKILLS = {
  'check-rows': { description: 'Checks the rows of a table.', body: BODY },
  'check-table': { description: 'Looks whether a table is whole.', body: BODY },
  'write-letter': { description: 'Writes a letter.', body: 'Begin with the place and the date of today.' },
};
const skillsOf = async (fields: Record<string, SkillFields> = SKILLS) => (await givenLibrary(fields)).skills;
const now = Date.now();

test('pairs that were found once are not looked for again, until a skill, its name or the bound changes', async () => {
  const file = join(await temporary('kept'), 'near-duplicates.bin');
  const skills = await skillsOf();
  let steps = 0;
  const step = () => {
    steps += 1;
    return Promise.resolve();
  };
  const find = (of = skills, atLeast = 0.7) => keptNearDuplicates(of, { atLeast, step, file, now });
  const first = await find();
  expect(first).toEqual(await findNearDuplicates(skills, { atLeast: 0.7 }));
  expect(first.map(({ left, right }) => [left, right])).toEqual([['check-rows', 'check-table']]);
  const looked = steps;
  expect([await find(await skillsOf()), steps]).toEqual([first, looked]);
  const edited = await skillsOf({
    ...SKILLS,
    'check-table': { description: 'Draws a table.', body: 'Draw it.' },
  });
  expect([await find(edited), steps > looked]).toEqual([[], true]);
  const { 'check-rows': same, ...rest } = SKILLS;
  expect(await find(await skillsOf({ 'look-at-rows': same, ...rest }))).toMatchObject([
    { left: 'check-table', right: 'look-at-rows' },
  ]);
  expect(await find(skills, 1.01)).toEqual([]);
});

test('a damaged file of kept pairs is no answer', async () => {
  const file = join(await temporary('kept'), 'near-duplicates.bin');
  const skills = await skillsOf();
  const find = () => keptNearDuplicates(skills, { atLeast: 0.7, file, now });
  const found = await find();
  const bytes = await readFile(file, 'utf8');
  expect(bytes).toContain('check-table');
  await writeFile(file, bytes.replace('check-table', 'check-tabel'));
  expect(await find()).toEqual(found);
});
