import { expect, test } from 'vitest';
import { clip, table } from '../../src/cli/output.ts';
import { columnsOf, cutAt, padded } from '../../src/cli/text-width.ts';

test('wide letters take two columns, marks none, pictures two', () => {
  expect(['pdf', '数据库', 'ﾃｽﾄ', 'cafe\u0301', '👩‍👩‍👧', ''].map(columnsOf)).toEqual([3, 6, 3, 4, 2, 0]);
});

test('a text is cut between letters that are seen as one, and at its columns', () => {
  expect(cutAt('数据库迁移', 5)).toBe('数据');
  expect(cutAt('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301e\u0301');
  expect(cutAt('plain', 3)).toBe('pla');
  expect(cutAt('plain', -1)).toBe('');
  expect(clip('数据库  迁移', 6)).toBe('数据库…');
  expect(clip('数据库', 6)).toBe('数据库');
});

test('columns of a table stand below each other whatever letters they hold', () => {
  expect(
    table([
      ['数据', 'a'],
      ['name', 'b'],
      ['x', 'c'],
    ]),
  ).toBe('数据  a\nname  b\nx     c');
  expect(padded('数', 4)).toBe('数  ');
});

test('no cell of a table begins a row or a column of its own', () => {
  expect(table([['a\nb', 'c\td\r\ne']])).toBe('a<U+000A>b  c<U+0009>d<U+000D><U+000A>e');
});
