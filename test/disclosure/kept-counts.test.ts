import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openKeptCounts } from '../../src/disclosure/kept-counts.ts';
import { keepValue, keptValue } from '../../src/library/reading/kept-value.ts';
import { countTokens, loadTokenizer } from '../../src/model/tokens.ts';
import { temporary } from '../support/skills.ts';

const LONG = 'The header line says how many cells every row of the table has. '.repeat(3);
const OTHER = 'A letter begins with the place and the date, and ends with a name. '.repeat(3);
const keyOf = (text: string) => createHash('sha1').update(text).digest('base64');
const now = Date.now();

beforeAll(loadTokenizer);

test('a text is counted once, and what is not asked for any more is not kept', async () => {
  const file = join(await temporary('counts'), 'token-counts.bin');
  const first = openKeptCounts(file);
  expect([first.count(LONG), first.count(OTHER), first.count('short')]).toEqual(
    [LONG, OTHER, 'short'].map(countTokens),
  );
  first.keep(now);
  expect(keptValue(file)).toEqual([LONG, OTHER].map((text) => [keyOf(text), countTokens(text)]));
  const second = openKeptCounts(file);
  second.count(OTHER);
  second.keep(now);
  expect(keptValue(file)).toEqual([[keyOf(OTHER), countTokens(OTHER)]]);
});

test('a kept count is taken, and a damaged file of them is not', async () => {
  const file = join(await temporary('counts'), 'token-counts.bin');
  keepValue(file, [[keyOf(LONG), 123456]], now);
  expect(openKeptCounts(file).count(LONG)).toBe(123456);
  await writeFile(file, (await readFile(file, 'utf8')).replace('123456', '123457'));
  expect(openKeptCounts(file).count(LONG)).toBe(countTokens(LONG));
});
