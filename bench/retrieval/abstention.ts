import type { Library } from '../../src/library/library.ts';
import { type BenchQuery, halfOf, type Pack } from './data.ts';
import { areaUnderCurve } from './measure.ts';
import type { Search } from './plain-bm25.ts';
import { percent, printTable } from './tables.ts';

/** Places looked at for the best hit that is not the right one. */
export const DEEP = 40;

export interface AbstentionCase {
  readonly title: string;
  readonly pack: Pack;
  readonly library: Library;
  readonly plain: Search;
  readonly queries: readonly BenchQuery[];
  readonly farOff: readonly BenchQuery[];
}

/**
 * Prints how many queries keep a skill that they find, how many far-off ones find nothing, and how surely the top
 * score tells a library with the right skill from one without it (it is passed over).
 */
export function benchAbstention(cases: readonly AbstentionCase[]): void {
  printTable(
    'Abstention at the threshold',
    ['', 'half', 'queries that find their skill in 10 places', 'keep it', 'far-off queries', 'find nothing'],
    cases.flatMap(({ title, pack, library, queries, farOff }) =>
      (['tune', 'report'] as const).map((half) => {
        const holds = ({ query, relevant }: BenchQuery, all: boolean) =>
          library.search(query, { limit: 10, all }).some((hit) => relevant.includes(pack.nameOf(hit.name)));
        const found = inHalf(queries, half).filter((query) => holds(query, true));
        const kept = found.filter((query) => holds(query, false));
        const far = inHalf(farOff, half);
        const empty = far.filter(({ query }) => library.search(query).length === 0);
        return [
          title,
          half,
          String(found.length),
          percent(kept.length / Math.max(1, found.length)),
          String(far.length),
          percent(empty.length / Math.max(1, far.length)),
        ];
      }),
    ),
  );
  printTable(
    'The top score: skill there against skill gone (area under the curve)',
    ['', 'half', 'queries', 'knack', 'plain BM25'],
    cases.flatMap(({ title, pack, library, queries, plain }) =>
      (['tune', 'report'] as const).map((half) => {
        const part = inHalf(queries, half);
        const ours: Search = (query) =>
          library
            .search(query, { limit: DEEP, all: true })
            .map(({ name, score }) => ({ name: pack.nameOf(name), score }));
        return [title, half, String(part.length), ...[ours, plain].map((search) => certainty(part, search))];
      }),
    ),
  );
}

function certainty(queries: readonly BenchQuery[], search: Search): string {
  const tops = queries.map(({ query, relevant }) => {
    const hits = search(query);
    const best = (scores: readonly number[]) => Math.max(0, ...scores);
    return {
      there: best(hits.map(({ score }) => score)),
      gone: best(hits.filter(({ name }) => !relevant.includes(name)).map(({ score }) => score)),
    };
  });
  const area = areaUnderCurve(
    tops.map(({ there }) => there),
    tops.map(({ gone }) => gone),
  );
  return area.toFixed(3);
}

function inHalf(queries: readonly BenchQuery[], half: 'tune' | 'report'): BenchQuery[] {
  return queries.filter((query) => halfOf(query) === half);
}
