import { normaliseName } from '../../src/skill/name.ts';
import { type BenchQuery, libraryOf, type Pack } from './data.ts';
import { run } from './measure.ts';
import type { Search } from './plain-bm25.ts';
import { percent, printTable } from './tables.ts';

/** Tools that are the one popular skill in turn. */
const TRIED = 8;
const EACH = 12;

/**
 * Prints what one skill with many recorded queries does to the queries of all others, which have none: how many lose
 * their first place to it and how many right answers fall out of the first ten.
 */
export async function benchPopularity(
  pack: Pack,
  queries: readonly BenchQuery[],
  recorded: ReadonlyMap<string, readonly string[]>,
  before: Search,
): Promise<void> {
  const most = pack.names
    .map((tool) => ({ tool, known: recorded.get(normaliseName(tool)) ?? [] }))
    .sort((left, right) => right.known.length - left.known.length || (left.tool < right.tool ? -1 : 1))
    .filter((_, index) => index % EACH === 0)
    .slice(0, TRIED);
  const rows: string[][] = [];
  for (const { tool, known } of most) {
    const library = await libraryOf(pack.skills, new Map([[normaliseName(tool), known]]));
    const after: Search = (query) =>
      library
        .search(query, { all: true, limit: 10 })
        .map(({ name, score }) => ({ name: pack.nameOf(name), score }));
    const others = queries.filter(({ relevant }, index) => index % 6 === 0 && !relevant.includes(tool));
    const [then, now] = [run(others, before), run(others, after)];
    const lost = (figure: number) =>
      then.outcomes.filter(
        ({ values }, index) => (values[figure] ?? 0) > (now.outcomes[index]?.values[figure] ?? 0),
      ).length / others.length;
    rows.push([tool, String(known.length), String(others.length), percent(lost(0)), percent(lost(2))]);
  }
  printTable(
    'One popular skill: queries of others that lose the first place, or the first ten',
    ['popular', 'recorded', 'queries', 'lost Hit@1', 'lost R@10'],
    rows,
  );
}
