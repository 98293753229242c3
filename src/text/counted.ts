/** The noun for a number: `1` is one, and `many` is for nouns that an `s` does not make several of. */
export function noun(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** A number with its noun: `1 file`, `2 files`. */
export function counted(count: number, one: string, many?: string): string {
  return `${count} ${noun(count, one, many)}`;
}
