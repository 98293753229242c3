/** Names near to one that does not exist, nearest first, at most three: a slip of the pen, a part, or the same words. */
export function nearNames(wanted: string, names: Iterable<string>): string[] {
  const most = Math.max(2, Math.floor(wanted.length / 4));
  const words = new Set(wanted.split('-'));
  const near: [string, number][] = [];
  for (const name of names) {
    if (wanted === '' || name === wanted) continue;
    const shared = name.split('-').filter((word) => word.length > 2 && words.has(word)).length;
    const distance =
      name.includes(wanted) || (wanted.includes(name) && name.length > 2)
        ? 1
        : Math.abs(name.length - wanted.length) > most
          ? Number.POSITIVE_INFINITY
          : edits(wanted, name);
    if (distance <= most) near.push([name, distance]);
    else if (shared > 0) near.push([name, most + 1 / shared]);
  }
  near.sort(([a, left], [b, right]) => left - right || (a < b ? -1 : 1));
  return near.slice(0, 3).map(([name]) => name);
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
