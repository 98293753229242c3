import { type BenchQuery, groupOf } from './data.ts';
import type { Search } from './plain-bm25.ts';

export const FIGURES = ['Hit@1', 'R@5', 'R@10', 'all@10', 'MRR@10'] as const;

/** What one query came to, 0 to 1 for each of `FIGURES`, and what groups it with others. */
export interface Outcome {
  readonly group: string;
  readonly values: readonly number[];
}

export interface Run {
  readonly outcomes: readonly Outcome[];
  /** Milliseconds a query, ascending. */
  readonly times: readonly number[];
}

const RESAMPLES = 2000;

export function run(queries: readonly BenchQuery[], search: Search): Run {
  const times: number[] = [];
  const outcomes = queries.map(({ id, query, relevant, needs = relevant.map((name) => [name]) }) => {
    const started = performance.now();
    const top = search(query)
      .slice(0, 10)
      .map(({ name }) => name);
    times.push(performance.now() - started);
    const found = (count: number) =>
      needs.filter((names) => top.slice(0, count).some((name) => names.includes(name))).length;
    const first = top.findIndex((name) => needs.some((names) => names.includes(name)));
    const values = [
      Number(found(1) > 0),
      found(5) / needs.length,
      found(10) / needs.length,
      Number(found(10) === needs.length),
      first < 0 ? 0 : 1 / (first + 1),
    ];
    return { group: groupOf(id), values };
  });
  return { outcomes, times: times.sort((left, right) => left - right) };
}

export function mean(outcomes: readonly Outcome[], figure: number): number {
  return outcomes.reduce((sum, { values }) => sum + (values[figure] ?? 0), 0) / Math.max(1, outcomes.length);
}

/** The difference of two runs over the same queries with a 95 % interval, by resampling whole groups, paired. */
export function difference(
  ours: Run,
  theirs: Run,
  figure: number,
): { mean: number; low: number; high: number } {
  const groups = new Map<string, number[]>();
  for (const [position, { group, values }] of ours.outcomes.entries()) {
    const delta = (values[figure] ?? 0) - (theirs.outcomes[position]?.values[figure] ?? 0);
    groups.set(group, [...(groups.get(group) ?? []), delta]);
  }
  const all = [...groups.values()].map((deltas) => ({
    sum: deltas.reduce((sum, delta) => sum + delta, 0),
    count: deltas.length,
  }));
  const next = randomNumbers();
  const means = Array.from({ length: RESAMPLES }, () => {
    let [sum, count] = [0, 0];
    for (let drawn = 0; drawn < all.length; drawn += 1) {
      const group = all[Math.floor(next() * all.length)];
      sum += group?.sum ?? 0;
      count += group?.count ?? 0;
    }
    return sum / count;
  }).sort((left, right) => left - right);
  return {
    mean: mean(ours.outcomes, figure) - mean(theirs.outcomes, figure),
    low: means[Math.floor(RESAMPLES * 0.025)] ?? 0,
    high: means[Math.floor(RESAMPLES * 0.975)] ?? 0,
  };
}

/** How surely a score tells `positive` from `negative`: 0.5 is chance, 1 always. */
export function areaUnderCurve(positive: readonly number[], negative: readonly number[]): number {
  let sum = 0;
  for (const high of positive) for (const low of negative) sum += high > low ? 1 : high === low ? 0.5 : 0;
  return sum / (positive.length * negative.length);
}

/** The same numbers in every run, 0 to 1. */
function randomNumbers(): () => number {
  let state = 0x2545f491;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
