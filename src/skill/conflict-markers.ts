import type { Problem } from '../errors.ts';

const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/;
const OURS = /^<{7} /;
const BETWEEN = /^={7}[ \t\r]*$/;
const THEIRS = /^>{7} /;

/**
 * Names a merge that nobody finished: where the lines begin that git writes around what both sides changed, outside of
 * fenced code, where a text may speak of them. What follows a fence that is never closed counts as text. `line` is where
 * `body` begins in its file. Takes time linear in the text.
 */
export function findConflictMarkers(body: string, line: number): Problem[] {
  if (!body.includes('<<<<<<< ') || !body.includes('>>>>>>> ')) return [];
  const lines = body.split('\n');
  const isFenced = fencedIn(lines);
  const begins = lines.findIndex((each, at) => OURS.test(each) && !isFenced(at));
  const between = nextOf(lines, BETWEEN, begins);
  if (begins < 0 || between < 0 || nextOf(lines, THEIRS, between) < 0) return [];
  const message = 'a merge conflict stands in the instructions; finish the merge and remove its marks';
  return [{ rule: 'conflict-markers', severity: 'warning', message, line: line + begins }];
}

function nextOf(lines: readonly string[], mark: RegExp, after: number): number {
  return lines.findIndex((each, at) => at > after && mark.test(each));
}

/** Whether a line lies in fenced code, by its place. A fence ends with one of the same kind that is as long or longer. */
function fencedIn(lines: readonly string[]): (at: number) => boolean {
  const fenced = new Set<number>();
  let open: { readonly mark: string; readonly inside: number[] } | undefined;
  for (const [at, line] of lines.entries()) {
    const [, mark = '', rest = ''] = FENCE.exec(line) ?? [];
    if (open === undefined) {
      if (mark !== '') open = { mark, inside: [] };
    } else if (mark.startsWith(open.mark) && rest.trim() === '') {
      for (const each of open.inside) fenced.add(each);
      open = undefined;
    } else open.inside.push(at);
  }
  return (at) => fenced.has(at);
}
