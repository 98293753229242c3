import { type BenchQuery, halfOf } from './data.ts';
import { difference, FIGURES, mean, type Run, run } from './measure.ts';
import type { Search } from './plain-bm25.ts';

export interface Row {
  readonly label: string;
  readonly search: Search;
}

const HALVES = ['tune', 'report', 'all'] as const;

/** Prints a Markdown table. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(
    `\n### ${title}\n\n${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`,
  );
}

/**
 * Prints the figures of every row in the half that was tuned on, the half that is only reported, and both, and then
 * the difference of each row of ours to the best plain one in the reported half.
 */
export function compare(
  title: string,
  queries: readonly BenchQuery[],
  plain: readonly Row[],
  ours: readonly Row[],
): void {
  const parts = HALVES.map((half) => queries.filter((query) => half === 'all' || halfOf(query) === half));
  const runs = new Map<Row, Run[]>();
  for (const row of [...plain, ...ours])
    runs.set(
      row,
      parts.map((part) => run(part, row.search)),
    );
  printTable(
    `${title}: ${parts.map((part, index) => `${part.length} ${HALVES[index]}`).join(', ')}`,
    ['', 'half', ...FIGURES, 'p50 ms', 'p95 ms'],
    [...runs].flatMap(([{ label }, halves]) =>
      halves.map(({ outcomes, times }, index) => [
        index === 0 ? label : '',
        HALVES[index] ?? '',
        ...FIGURES.map((_, figure) => percent(mean(outcomes, figure))),
        ...[0.5, 0.95].map((share) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)),
      ]),
    ),
  );
  const reported = (row: Row) => runs.get(row)?.[1] as Run;
  printTable(
    `${title}: difference to the best plain row of each figure, reported half, 95 % intervals`,
    ['', ...FIGURES],
    ours.map((row) => [
      row.label,
      ...FIGURES.map((_, figure) => {
        const best = plain
          .map(reported)
          .reduce((left, right) =>
            mean(right.outcomes, figure) > mean(left.outcomes, figure) ? right : left,
          );
        const { mean: delta, low, high } = difference(reported(row), best, figure);
        return `${signed(delta)} (${signed(low)} … ${signed(high)})`;
      }),
    ]),
  );
}

export function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function signed(share: number): string {
  return `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;
}
