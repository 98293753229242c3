import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesGlob, matchesWildcard } from '../../src/tool/wildcard.ts';

test('a wildcard fits as a regular expression with .* would', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
  fc.assert(
    fc.property(word, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 }), (pattern, text) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
      expect(matchesWildcard(pattern, text)).toBe(expression.test(text));
    }),
  );
});

test('characters of regular expressions stand for themselves', () => {
  expect(matchesWildcard('a.b(c)', 'a.b(c)')).toBe(true);
  expect(matchesWildcard('a.b', 'axb')).toBe(false);
});

test.each([
  ['*.ts', 'src/deep/a.ts', true],
  ['*.ts', 'src/a.js', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/deep/er/a.ts', true],
  ['**/a.ts', 'a.ts', true],
  ['src/**', 'src/deep/a.ts', true],
  ['src/**', 'other/a.ts', false],
])('the glob %s fits %s: %s', (glob, path, fits) => {
  expect(matchesGlob(glob, path)).toBe(fits);
});
