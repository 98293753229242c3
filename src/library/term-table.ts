/** A number for each term, in one growing block: faster and smaller than a map by far. Absent terms are 0. */
export interface TermTable {
  get(term: number): number;
  add(term: number, by: number): void;
  set(term: number, value: number): void;
}

export function createTermTable(): TermTable {
  let values = new Float64Array(1 << 12);
  const reach = (term: number) => {
    if (term < values.length) return;
    const larger = new Float64Array(Math.max(term + 1, values.length * 2));
    larger.set(values);
    values = larger;
  };
  return {
    get: (term) => values[term] ?? 0,
    add(term, by) {
      reach(term);
      values[term] = (values[term] ?? 0) + by;
    },
    set(term, value) {
      reach(term);
      values[term] = value;
    },
  };
}
