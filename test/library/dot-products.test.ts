import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsOf } from '../../src/library/meaning/dot-products.ts';

const number = fc.integer({ min: -127, max: 127 });
const given = fc
  .integer({ min: 1, max: 70 })
  .chain((length) =>
    fc.tuple(
      fc.constant(length),
      fc.array(fc.array(number, { minLength: length, maxLength: length }), { maxLength: 20 }),
      fc.array(fc.array(number, { minLength: length, maxLength: length }), { minLength: 1, maxLength: 3 }),
    ),
  );

test('products are those of the numbers, for vectors of any length and query after query', () => {
  fc.assert(
    fc.property(given, ([length, vectors, queries]) => {
      const rows = rowsOf(
        vectors.map((vector) => Int8Array.from(vector)),
        length,
      );
      for (const query of queries)
        expect([...rows.dots(Int8Array.from(query))]).toEqual(
          vectors.map((vector) => vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0)),
        );
    }),
  );
});

test('many of the longest numbers add up', () => {
  const vectors = Array.from({ length: 1000 }, () => new Int8Array(3072).fill(-127));
  const products = rowsOf(vectors, 3072).dots(new Int8Array(3072).fill(127));
  expect(new Set(products)).toEqual(new Set([-3072 * 127 * 127]));
});
