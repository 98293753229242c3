import { expect, test } from 'vitest';
import { emphasis, rankLongText } from '../../src/library/search/long-text.ts';

const plain = { whole: 4, clause: 0.4, breadth: 20, purposeMet: 0.1 };

/** The places of these candidates, best first. */
function order(...candidates: Parameters<typeof rankLongText>[0]): number[] {
  const ranks = rankLongText(candidates).map(({ rank }) => rank);
  return ranks.map((_, place) => place).sort((left, right) => (ranks[right] ?? 0) - (ranks[left] ?? 0));
}

test('what answers the whole text is ahead of what answers one clause of it', () => {
  const whole = { ...plain, whole: 10, breadth: 30 };
  const clause = { ...plain, clause: 1 };
  expect(order(plain, clause, whole)).toEqual([2, 1, 0]);
});

test('a body with the words of the text brings a skill up that speaks of itself in others', () => {
  const body = { whole: 2, clause: 0.2, breadth: 60, purposeMet: 0 };
  const best = { whole: 10, clause: 1, breadth: 20, purposeMet: 0 };
  const halves = Array.from({ length: 8 }, () => ({ ...plain, whole: 5 }));
  expect(order(...halves, body, best).slice(0, 2)).toEqual([9, 8]);
});

test('of two that answer it alike the one is ahead that says less of other things', () => {
  expect(order({ ...plain, purposeMet: 0.1 }, { ...plain, purposeMet: 0.5 })).toEqual([1, 0]);
});

test('a view that no candidate has counts for none', () => {
  const bare = { whole: 0, clause: 0, breadth: 0, purposeMet: 0 };
  expect(rankLongText([bare])).toEqual([{ ...bare, rank: 0 }]);
  expect(rankLongText([])).toEqual([]);
  expect(order({ ...plain, breadth: 0 }, { ...plain, breadth: 0, whole: 5 })).toEqual([1, 0]);
});

test('the parts of a rank add up to it', () => {
  for (const { rank, ...parts } of rankLongText([plain, { ...plain, whole: 10, purposeMet: 0 }]))
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(rank, 12);
});

test('a word that is said again says more, each time less so', () => {
  expect(emphasis(1)).toBe(1);
  expect(emphasis(4) - emphasis(2)).toBeCloseTo(emphasis(2) - emphasis(1));
});
