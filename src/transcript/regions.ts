/** A stretch of a text; offsets in UTF-16 units, `end` exclusive. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** The same stretches in order, those that touch or overlap as one. */
export function unite(regions: readonly Region[]): Region[] {
  const united: Region[] = [];
  for (const region of [...regions].sort((left, right) => left.start - right.start)) {
    const last = united.at(-1);
    if (last === undefined || region.start > last.end) united.push(region);
    else united[united.length - 1] = { start: last.start, end: Math.max(last.end, region.end) };
  }
  return united;
}

/** The text without these stretches (in order, none overlapping), each replaced by what `filler` makes of its length. */
export function cutOut(
  text: string,
  regions: readonly Region[],
  filler: (length: number) => string = () => '',
): string {
  let result = '';
  let at = 0;
  for (const { start, end } of regions) {
    result += text.slice(at, start) + filler(end - start);
    at = end;
  }
  return result + text.slice(at);
}
