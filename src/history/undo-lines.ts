import { hunksOf, linesKept } from '../text/text-diff.ts';

/** A file before and after a revision, and as it is now. */
export interface Texts {
  readonly before: string;
  readonly after: string;
  readonly now: string;
}

/** First and last line, 1-based. */
export type LineRange = readonly [number, number];

/**
 * The text as it is now without lines that a revision added, and with what they took the place of. `ranges`: the lines of
 * `after` that are to go; all that were added if undefined. New front matter stays, and the title of a new file. What
 * somebody changed since stays, and so does the form: a final line end, and the blank lines between what is left.
 */
export function undoLines(texts: Texts, ranges: readonly LineRange[] | undefined): string {
  const [before, after, now] = [texts.before, texts.after, texts.now].map(linesOf) as [
    string[],
    string[],
    string[],
  ];
  const isMine = (line: number) =>
    ranges === undefined || ranges.some(([first, last]) => line + 1 >= first && line + 1 <= last);
  const head = headEnd(after, texts.before === '');
  const kept = linesKept(after, now);
  const gone = new Set<number>();
  const back = new Map<number, readonly string[]>();
  for (const { at, removed, added } of hunksOf(before, after)) {
    const isNewField = removed.length === 0 && at <= head;
    const lines = added
      .map((_, index) => at + index)
      .filter((line) => isMine(line) && (!isNewField || line > head));
    if (added.length > 0 && lines.length === 0) continue;
    const stand = lines.flatMap((line) => kept.get(line) ?? []);
    for (const line of stand) gone.add(line);
    const place = added.length > 0 ? stand[0] : ranges === undefined ? placeOf(kept, at) : undefined;
    const isBack = place !== undefined && added.length === 0 && hasRun(now, removed);
    if (place !== undefined && removed.length > 0 && !isBack) back.set(place, removed);
  }
  if (gone.size === 0 && back.size === 0) return texts.now;
  const [inAfter, inBefore] = [inverse(kept), inverse(linesKept(before, after))];
  const wasAt = (line: number) => inBefore.get(inAfter.get(line) ?? -1);
  const text = without(now, { gone, back, before, wasAt }).join('\n');
  return text !== '' && texts.now.endsWith('\n') ? `${text}\n` : text;
}

interface Removal {
  readonly gone: ReadonlySet<number>;
  /** What comes back before a line of `now`. */
  readonly back: ReadonlyMap<number, readonly string[]>;
  readonly before: readonly string[];
  /** Where a line of `now` stood in `before`. */
  readonly wasAt: (line: number) => number | undefined;
}

/** Goes from one line with text that stays to the next, and settles what stands between them. */
function without(now: readonly string[], removal: Removal): string[] {
  const { gone, back } = removal;
  const result: string[] = [];
  for (let above = -1, at = 0; at <= now.length; at += 1) {
    const line = now[at];
    if (line !== undefined && (gone.has(at) || isBlank(line))) continue;
    const between = Array.from({ length: at - above - 1 }, (_, index) => above + 1 + index);
    const comesBack = [...between, at].some((index) => back.has(index));
    if (!comesBack && between.some((index) => gone.has(index)))
      result.push(...blanksBetween(now, { above, below: at }, removal));
    else
      for (const index of between)
        result.push(...(back.get(index) ?? []), ...(gone.has(index) ? [] : [now[index] ?? '']));
    result.push(...(back.get(at) ?? []), ...(line === undefined ? [] : [line]));
    above = at;
  }
  return result;
}

/**
 * The blank lines between two lines that meet now: those that stood between them before; where they never met, as many as
 * kept the one or the other apart from what goes. At the end of a file none that only led to what goes.
 */
function blanksBetween(
  now: readonly string[],
  { above, below }: { readonly above: number; readonly below: number },
  { before, wasAt }: Removal,
): string[] {
  const [from, to] = [wasAt(above), wasAt(below)];
  const old = from === undefined || to === undefined || to <= from ? undefined : before.slice(from + 1, to);
  if (old?.every(isBlank)) return old;
  const between = now.slice(above + 1, below);
  const after = between.findIndex((line) => !isBlank(line));
  const lead = between.slice(0, after < 0 ? between.length : after);
  const trail = between.slice(between.findLastIndex((line) => !isBlank(line)) + 1);
  if (below === now.length) return trail;
  if (above < 0) return lead;
  return lead.length > trail.length ? lead : trail;
}

/** Without the last line end, which is no line. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function inverse(map: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  return new Map([...map].map(([from, to]) => [to, from]));
}

/** Whether these lines stand there one after the other, as after a rollback. */
function hasRun(lines: readonly string[], run: readonly string[]): boolean {
  return lines.some((_, start) => run.every((line, index) => lines[start + index] === line));
}

/** Where a line that was only taken out belongs now: before the line that followed it, or behind the one before it. */
function placeOf(kept: ReadonlyMap<number, number>, at: number): number | undefined {
  const before = kept.get(at - 1);
  return kept.get(at) ?? (before === undefined ? undefined : before + 1);
}

/** Position of the closing fence, or of the title below it where the file is new; -1 without either. */
function headEnd(lines: readonly string[], isNew: boolean): number {
  const fence =
    lines[0]?.trimEnd() === '---'
      ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
      : -1;
  const first = lines.findIndex((line, index) => index > fence && !isBlank(line));
  return isNew && /^# /.test(lines[first] ?? '') ? first : fence;
}
