/** Random numbers from a seed: the same in every run. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** One of these; throws for an empty list. */
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mix = Math.imul(state ^ (state >>> 15), state | 1);
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61);
    return ((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  return {
    next,
    pick,
    shuffled: (items) =>
      items
        .map((item) => ({ item, key: next() }))
        .sort((left, right) => left.key - right.key)
        .map(({ item }) => item),
  };
}
