/**
 * Names near to one that does not exist, nearest first, at most three: a slip of the pen, a name that holds it, the same
 * words, or a part of it. Of two that are equally near the one of nearly its length comes first.
 */
export function nearNames(wanted: string, names: Iterable<string>): string[] {
  const near: { name: string; distance: number; difference: number }[] = [];
  for (const name of names) {
    const distance = wanted === '' || name === wanted ? Number.POSITIVE_INFINITY : distanceOf(wanted, name);
    const difference = Math.abs(name.length - wanted.length);
    if (Number.isFinite(distance)) near.push({ name, distance, difference });
  }
  near.sort(
    (left, right) =>
      left.distance - right.distance ||
      left.difference - right.difference ||
      (left.name < right.name ? -1 : 1),
  );
  return near.slice(0, 3).map(({ name }) => name);
}

/** Infinite for a name that has nothing to do with it. */
function distanceOf(wanted: string, name: string): number {
  if (name.includes(wanted)) return 1;
  const most = Math.max(2, Math.floor(wanted.length / 4));
  const difference = Math.abs(name.length - wanted.length);
  const slips = difference > most ? Number.POSITIVE_INFINITY : edits(wanted, name);
  if (slips <= most) return slips;
  const words = new Set(wanted.split('-'));
  const shared = name.split('-').filter((word) => word.length > 2 && words.has(word)).length;
  if (shared > 0) return most + 1 / shared;
  // Most of what was typed is not in it.
  return wanted.includes(name) && name.length > 2 ? most + 2 : Number.POSITIVE_INFINITY;
}

/** Insertions, deletions and replacements that lead from one text to the other. */
function edits(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
