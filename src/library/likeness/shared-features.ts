/** How far a feature that many hold is followed. */
export interface Reach {
  /** Of a feature that more than this number hold … */
  readonly most: number;
  /** … each holder is paired with this number of next ones alone. */
  readonly linked: number;
}

/** Two holders, the left one before the right one, and how many features they share. */
export type SharedCount = readonly [left: number, right: number, shared: number];

/** A feature and its holder in one number: 32 bits and 21 bits fit what a double holds exactly. */
const MOST_HOLDERS = 2 ** 21;

/**
 * Pairs of holders that share a feature. `features` has the features of each holder, each once. Takes about the time of a
 * sort and of as many steps as there are shared features; no pair that shares nothing is looked at.
 */
export function* pairsThatShare(
  features: readonly Uint32Array[],
  { most, linked }: Reach,
): Generator<SharedCount> {
  const { groups, holders, starts } = groupsOf(features);
  const done = new Uint32Array(starts.length);
  const counts = new Uint32Array(features.length);
  for (const [left, ofLeft] of groups.entries()) {
    const touched: number[] = [];
    for (const group of ofLeft) {
      const [start, end] = [starts[group] ?? 0, starts[group + 1] ?? holders.length];
      // Holders stand in their order, so those before this one are done.
      const next = start + (done[group] ?? 0) + 1;
      done[group] = (done[group] ?? 0) + 1;
      const last = end - start > most ? Math.min(end, next + linked) : end;
      for (let at = next; at < last; at += 1) {
        const right = holders[at] ?? 0;
        if (counts[right] === 0) touched.push(right);
        counts[right] = (counts[right] ?? 0) + 1;
      }
    }
    for (const right of touched) {
      yield [left, right, counts[right] ?? 0];
      counts[right] = 0;
    }
  }
}

/** Features that two or more hold, numbered: who holds each, and which each holder has. */
function groupsOf(features: readonly Uint32Array[]) {
  const pairs = new Float64Array(features.reduce((sum, each) => sum + each.length, 0));
  let end = 0;
  for (const [holder, each] of features.entries())
    for (const feature of each) {
      pairs[end] = feature * MOST_HOLDERS + holder;
      end += 1;
    }
  pairs.sort();
  const featureAt = (at: number) => Math.floor((pairs[at] ?? 0) / MOST_HOLDERS);
  const holders = new Uint32Array(pairs.length);
  const starts: number[] = [];
  const groups: number[][] = features.map(() => []);
  let kept = 0;
  for (let at = 0; at < pairs.length; ) {
    let next = at + 1;
    while (next < pairs.length && featureAt(next) === featureAt(at)) next += 1;
    if (next - at > 1) {
      for (let each = at; each < next; each += 1) {
        const holder = (pairs[each] ?? 0) % MOST_HOLDERS;
        groups[holder]?.push(starts.length);
        holders[kept + each - at] = holder;
      }
      starts.push(kept);
      kept += next - at;
    }
    at = next;
  }
  return { groups, holders: holders.subarray(0, kept), starts };
}
