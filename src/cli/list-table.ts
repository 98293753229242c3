import { clip, table } from './output.ts';
import { columnsOf, padded } from './text-width.ts';

/** Columns of a description where no terminal says how wide it is. */
const DESCRIBED = 100;
/** Of a description beside a name on a terminal; with less than the least it is left out. */
const ROOM = 30;
const LEAST = 10;
/** Of a name where there is no terminal, or a narrow one: as long as the specification has them, and what most need. */
const NAMED = 64;
const SHORT = 24;

/**
 * Rows of a name, further cells and a description, in columns. Names are whole, as they are copied into the next
 * command: on a terminal of so many `columns` one that would leave the descriptions no room stands on a line of its own.
 * The description takes what is left of its line; with `whole` it is whole too.
 */
export function listTable(
  rows: readonly (readonly string[])[],
  columns: number | 'whole' | undefined,
): string {
  if (columns === 'whole') return table(rows);
  const middles = table(rows.map((row) => row.slice(1, -1))).split('\n');
  const between = widest(middles) + 4;
  const most = columns === undefined ? NAMED : Math.max(columns - between - ROOM - 1, SHORT);
  const named = Math.min(widest(rows.map(([name = '']) => name)), most);
  const room = columns === undefined ? DESCRIBED : columns - named - between - 1;
  return rows
    .map((row, at) => {
      const [name = ''] = row;
      const isLong = columns !== undefined && columnsOf(name) > named;
      const first = isLong ? `${name}\n${' '.repeat(named)}` : padded(name, named);
      const cells = [first, padded(middles[at] ?? '', between - 4)];
      if (room >= LEAST) cells.push(clip(row.at(-1) ?? '', room));
      return cells.join('  ').trimEnd();
    })
    .join('\n');
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, columnsOf(text)), 0);
}
