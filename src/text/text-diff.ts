import { createTwoFilesPatch, diffArrays } from 'diff';

/** A run of lines that differ: `removed` of the old text stood where `added` of the new text stand now. */
export interface Hunk {
  /** Position of the first added line in the new text, 0-based; where it would stand if none was added. */
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** The differences of two lists of lines, in their order. */
export function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { at: number; removed: string[]; added: string[] } | undefined;
  for (const { added, removed, value } of diffArrays([...before], [...after])) {
    if (!added && !removed) open = undefined;
    else {
      if (open === undefined) {
        open = { at, removed: [], added: [] };
        hunks.push(open);
      }
      open[added ? 'added' : 'removed'].push(...value);
    }
    if (!removed) at += value.length;
  }
  return hunks;
}

/** Where each line of `before` stands in `after`, by position; absent for those that are gone. */
export function linesKept(before: readonly string[], after: readonly string[]): ReadonlyMap<number, number> {
  const kept = new Map<number, number>();
  let [old, now] = [0, 0];
  for (const { added, removed, value } of diffArrays([...before], [...after])) {
    if (!added && !removed) for (const index of value.keys()) kept.set(old + index, now + index);
    if (!added) old += value.length;
    if (!removed) now += value.length;
  }
  return kept;
}

/** A unified diff of one file; `undefined` stands for a file that is not there. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  const [old, now] = headOf(path, before, after);
  return createTwoFilesPatch(old, now, before ?? '', after ?? '', '', '').replace(/^=+\n/, '');
}

/**
 * As `unifiedDiff`, for texts that nobody vouches for: undefined where more than `mostEdits` lines come and go, as to
 * find the shortest way between two such texts takes the square of that.
 */
export function unifiedDiffWithin(
  mostEdits: number,
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  const [old, now] = headOf(path, before, after);
  const options = { maxEditLength: mostEdits };
  return createTwoFilesPatch(old, now, before ?? '', after ?? '', '', '', options)?.replace(/^=+\n/, '');
}

function headOf(path: string, before: string | undefined, after: string | undefined): [string, string] {
  return [before === undefined ? '/dev/null' : `a/${path}`, after === undefined ? '/dev/null' : `b/${path}`];
}
