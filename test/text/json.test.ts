import { expect, test } from 'vitest';
import { isTooDeep, parseForeignJson } from '../../src/text/json.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test.each([1, 100, 200])('reads JSON of %s levels', (levels) => {
  expect(JSON.stringify(parseForeignJson(nested(levels)))).toBe(nested(levels));
});

test.each([202, 5000, 200_000])('refuses JSON of %s levels as none', (levels) => {
  expect(() => parseForeignJson(`{"a":${nested(levels)}}`)).toThrow(SyntaxError);
});

test('a wide value is not a deep one', () => {
  expect(isTooDeep(Array.from({ length: 300_000 }, () => [{}]))).toBe(false);
});
