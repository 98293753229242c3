import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CJK, wordsIn } from '../../src/library/words/scan-words.ts';
import { spelledOut } from '../../src/library/words/spelled-names.ts';
import { createTermList, packTerms } from '../../src/library/words/term-list.ts';

const PIECES = [
  ...['tea', 'Read', '12', 'x', 'abcdefghij', 'abcdefghijk', 'C++', '.NET', ' ', '-', '\n', '\0'],
  ...['é', 'e\u0301', '\u0301', 'İ', 'ﬁ', 'Ａ', '½', '①', 'ß', 'я', '\ufe0f', '🍵', '𝒳'],
  ...['茶', '漢字', 'データ', 'ﾃﾞ', 'カ\u3099', '々', '豈', '𠮷', '가', 'ᄒ', '\ud800', '\udc00'],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...PIECES)).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
  // Halves of pairs too.
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
);

test('the words of any text are those that a plain reading of it gives', () => {
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      for (const each of texts) expect(wordsIn(each)).toEqual(plainWordsIn(each));
    }),
    { numRuns: 500 },
  );
});

test('a text longer than what is kept for the next has all its words', () => {
  const long = 'tea 漢字かな É '.repeat(30_000);
  const full = 'tea '.repeat(1 << 14);
  for (const each of [long, full, full.slice(1), full.slice(4), `${full}é`])
    expect(wordsIn(each)).toEqual(plainWordsIn(each));
  expect(wordsIn('green tea')).toEqual(['green', 'tea']);
});

test('a list of terms numbers them as a map does, whatever of them was packed', () => {
  // The last two have one hash.
  const some = fc.constantFrom('', '__proto__', '茶', 'tea', 'costarring', 'liquid');
  const term = fc.oneof(fc.string({ unit: 'binary' }), some);
  fc.assert(
    fc.property(fc.uniqueArray(term), fc.array(term), (kept, added) => {
      const model = new Map(kept.map((each, number) => [each, number]));
      const list = createTermList(packTerms(kept));
      for (const each of added) {
        expect(list.numberOf(each)).toBe(model.get(each));
        if (!model.has(each)) model.set(each, model.size);
        expect(list.add(each)).toBe(model.get(each));
      }
      expect(list.size).toBe(model.size);
      for (const [each, number] of model) expect(list.termOf(number)).toBe(each);
    }),
  );
});

test('a list of terms grows', () => {
  const list = createTermList();
  const terms = Array.from({ length: 20_000 }, (_, number) => `t${number}`);
  for (const [number, term] of terms.entries()) expect(list.add(term)).toBe(number);
  for (const [number, term] of terms.entries()) expect(list.numberOf(term)).toBe(number);
});

/** What `scanWords` says of itself, without its blocks and tables. */
function plainWordsIn(source: string): string[] {
  const runs: { readonly kind: string; text: string }[] = [];
  for (const character of spelledOut(source)) {
    const kind = CJK.test(character) ? 'pairs' : /[\p{L}\p{N}\p{M}]/u.test(character) ? 'word' : 'gap';
    const last = runs.at(-1);
    if (last?.kind === kind) last.text += character;
    else runs.push({ kind, text: character });
  }
  return runs.flatMap(({ kind, text }) => {
    if (kind === 'gap') return [];
    if (kind === 'word') {
      const letters = text.normalize('NFKC').normalize('NFD').replace(/\p{M}/gu, '');
      return letters.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
    }
    const row = [...text.normalize('NFKC')];
    return row.length === 1 ? row : row.slice(1).map((character, index) => `${row[index]}${character}`);
  });
}
