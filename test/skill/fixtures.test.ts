import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSkill } from '../../src/skill/parse.ts';
import { readingOf } from './reading.ts';

const ROOT = resolve(import.meta.dirname, '../fixtures/skills');
const FOLDERS = readdirSync(ROOT);

describe('a skill whose fault is its folder’s name is read as its expected.json says:', () => {
  test.each(FOLDERS)('%s', async (folder) => {
    const reading = readingOf(await readSkill(join(ROOT, folder)));
    const expected: unknown = JSON.parse(readFileSync(join(ROOT, folder, 'expected.json'), 'utf8'));
    expect(reading).toEqual(expected);
  });
});
