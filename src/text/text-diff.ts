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

/**
 * A unified diff of one file; `undefined` stands for a file that is not there. The path is written as git writes it
 * with `core.quotePath=false`: letters of any script as they are.
 */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  return withHead(createTwoFilesPatch('a', 'b', before ?? '', after ?? '', '', ''), path, before, after);
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
  const options = { maxEditLength: mostEdits };
  const patch = createTwoFilesPatch('a', 'b', before ?? '', after ?? '', '', '', options);
  return patch === undefined ? undefined : withHead(patch, path, before, after);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A path as one line of a diff holds it: in quotes where a character would end it or be taken for another. */
export function pathInDiff(path: string): string {
  const escaped = path.replace(/["\\\u0000-\u001f\u007f]/g, (found) => {
    const octal = found.charCodeAt(0).toString(8).padStart(3, '0');
    return ESCAPES[found] ?? `\\${octal}`;
  });
  return escaped === path ? path : `"${escaped}"`;
}

/** The package itself would write each letter beyond ASCII as octal numbers. */
function withHead(
  patch: string,
  path: string,
  before: string | undefined,
  after: string | undefined,
): string {
  const old = before === undefined ? '/dev/null' : pathInDiff(`a/${path}`);
  const now = after === undefined ? '/dev/null' : pathInDiff(`b/${path}`);
  return patch.replace(/^(?:=+\n)?--- a\n\+\+\+ b\n/, () => `--- ${old}\n+++ ${now}\n`);
}
