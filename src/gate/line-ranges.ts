/** Keeps track of which lines of which file each operation wrote while later operations move them. */
export interface LineRanges {
  /** Notes that the text of `file` became `after`; the lines that differ belong to the operation `index`, if any. */
  edit(file: string, before: string | undefined, after: string, index?: number): void;
  /** First and last line, 1-based, of what is left of an operation's lines; undefined if nothing is. */
  of(index: number): readonly [number, number] | undefined;
}

interface Range {
  readonly file: string;
  /** Half open, 0-based. */
  readonly start: number;
  readonly end: number;
}

/** Starts with no ranges. An edit that takes out lines of an earlier operation shortens that one's range. */
export function createLineRanges(): LineRanges {
  const ranges = new Map<number, Range>();
  return {
    edit(file, before, after, index) {
      const change = changedLines(linesOf(before), linesOf(after));
      for (const [key, range] of ranges) if (range.file === file) ranges.set(key, moved(range, change));
      if (index !== undefined) ranges.set(index, { file, start: change.start, end: change.newEnd });
    },
    of(index) {
      const range = ranges.get(index);
      return range === undefined || range.end <= range.start ? undefined : [range.start + 1, range.end];
    },
  };
}

interface LineChange {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** The smallest run of lines outside of which both texts are the same. */
function changedLines(before: readonly string[], after: readonly string[]): LineChange {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same])
    same += 1;
  return { start, oldEnd: before.length - same, newEnd: after.length - same };
}

function moved(range: Range, { start, oldEnd, newEnd }: LineChange): Range {
  const shift = newEnd - oldEnd;
  if (range.end <= start) return range;
  if (range.start >= oldEnd) return { ...range, start: range.start + shift, end: range.end + shift };
  // An edit inside the range belongs to both; what reaches over an edge is cut off at the edit.
  const from = range.start < start ? range.start : newEnd;
  const to = range.end > oldEnd ? range.end + shift : Math.min(start, range.end);
  return range.start < start || range.end > oldEnd
    ? { ...range, start: Math.min(from, to), end: to }
    : { ...range, start, end: start };
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
