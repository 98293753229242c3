import { type MarkdownLine, markdownLines } from '../markdown.ts';

/** The lines of a text and where each begins. */
export interface SourceLines {
  readonly lines: readonly MarkdownLine[];
  /** The index of the line that an offset lies on. */
  indexAt(offset: number): number;
  at(offset: number): MarkdownLine | undefined;
  /** Where a line begins in the text. */
  startOf(index: number): number;
}

/** Reads the lines once; a look-up takes the logarithm of their number. */
export function sourceLines(text: string): SourceLines {
  const lines = markdownLines(text);
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const indexAt = (offset: number) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    lines,
    indexAt,
    at: (offset) => lines[indexAt(offset)],
    startOf: (index) => starts[index] ?? text.length,
  };
}
