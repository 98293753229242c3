import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toNfkc } from '../../src/text/nfkc.ts';

test('a text whose letters have no more marks than any language has is normalised as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      fc.pre(!/\p{M}{31}/u.test(text));
      expect(toNfkc(text)).toBe(text.normalize('NFKC'));
    }),
  );
  expect(toNfkc('ＰＤＦ und ﾃﾞｰﾀ im Café')).toBe('PDF und データ im Café');
});

// Putting them in their order takes time with the square of their number.
test('of thousands of marks on one letter some are kept', () => {
  expect(toNfkc(`x${'\u0301\u0323\u0345\u0327'.repeat(5000)} y`)).toMatch(/^x\p{M}{20,30} y$/u);
});
