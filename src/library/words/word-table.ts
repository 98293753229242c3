import { type ScannedWords, SHORT, wordAt } from './scan-words.ts';

/** Numbers for words, looked up as `scanWords` gives them: no string is made for a known word. */
export interface WordTable {
  /**
   * The numbers of all words of a text, one after the other, in a block that the next text is written over; those of a
   * new word are made by `create`.
   */
  numbersOf(words: ScannedWords): Uint32Array;
}

const FIRST_SIZE = 1 << 14;
/** Words kept; beyond that the table begins anew, so that odd texts cannot fill the memory. */
const MOST_WORDS = 1 << 19;
/**
 * Of a slot: the key of a short word, 0, and its value; or the hash of another one, its beginning among the letters
 * plus one, its length, and its value. The second is 0 in a free slot.
 */
const PARTS = 4;
/** The value of a word without a number. */
const NOTHING = -1;

/** One block of numbers for the slots: a look-up of a short word waits for the memory once. */
export function createWordTable(create: (word: string) => readonly number[]): WordTable {
  let slots = new Int32Array(FIRST_SIZE * PARTS);
  let letters = new Uint16Array(FIRST_SIZE);
  let used = 0;
  let known = 0;
  /** For the words of several numbers; their value is -2 minus the position here. */
  let lists: (readonly number[])[] = [];
  let block = new Uint32Array(1 << 12);

  /** Where the slot of a short word begins, or the free one that it is to have. */
  function shortSlot(high: number, low: number): number {
    const mask = slots.length - 1;
    let slot = Math.imul(mixed(high, low), PARTS) & mask;
    for (;;) {
      const second = slots[slot + 1];
      if (second === 0 || (second === low && slots[slot] === high && slots[slot + 2] === 0)) return slot;
      slot = (slot + PARTS) & mask;
    }
  }

  /** The same of another word. */
  function longSlot({ units }: ScannedWords, start: number, end: number, hash: number): number {
    const mask = slots.length - 1;
    let slot = Math.imul(hash, PARTS) & mask;
    for (;;) {
      const second = slots[slot + 1] ?? 0;
      if (second === 0) return slot;
      const isAlike = slots[slot] === hash && slots[slot + 2] === end - start;
      if (isAlike && isSame(second - 1, units, start, end)) return slot;
      slot = (slot + PARTS) & mask;
    }
  }

  function isSame(from: number, units: Uint16Array, start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) if (letters[from + at - start] !== units[at]) return false;
    return true;
  }

  function valueAt(words: ScannedWords, index: number): number {
    const { bounds, keys } = words;
    const high = keys[2 * index] ?? 0;
    const low = keys[2 * index + 1] ?? 0;
    const start = bounds[2 * index] ?? 0;
    const end = bounds[2 * index + 1] ?? 0;
    if (low === 0 || end - start > SHORT) return valueOfLong(words, index, start, end);
    const slot = shortSlot(high, low);
    if (slots[slot + 1] !== 0) return slots[slot + 3] ?? 0;
    const value = valueOfNew(words, index);
    fill(shortSlot(high, low), high, low, 0, value);
    return value;
  }

  function valueOfLong(words: ScannedWords, index: number, start: number, end: number): number {
    const { units } = words;
    const hash = hashOf(units, start, end);
    const slot = longSlot(words, start, end, hash);
    if (slots[slot + 1] !== 0) return slots[slot + 3] ?? 0;
    const value = valueOfNew(words, index);
    const free = longSlot(words, start, end, hash);
    fill(free, hash, used + 1, end - start, value);
    if (used + end - start > letters.length) letters = larger(letters, used + end - start);
    for (let at = start; at < end; at += 1) letters[used + at - start] = units[at] ?? 0;
    used += end - start;
    return value;
  }

  /** One by one: a list of four for each word takes longer than all else here. */
  function fill(slot: number, first: number, second: number, length: number, value: number): void {
    slots[slot] = first;
    slots[slot + 1] = second;
    slots[slot + 2] = length;
    slots[slot + 3] = value;
  }

  /** There is room for the word when it is made. */
  function valueOfNew(words: ScannedWords, index: number): number {
    if (known >= MOST_WORDS) {
      slots = new Int32Array(FIRST_SIZE * PARTS);
      letters = new Uint16Array(FIRST_SIZE);
      lists = [];
      used = 0;
      known = 0;
    }
    if (known * 2 * PARTS >= slots.length) spread();
    known += 1;
    const numbers = create(wordAt(words, index));
    return numbers.length > 1 ? NOTHING - lists.push(numbers) : (numbers[0] ?? NOTHING);
  }

  /** Twice the slots. */
  function spread(): void {
    const before = slots;
    slots = new Int32Array(before.length * 2);
    const mask = slots.length - 1;
    for (let old = 0; old < before.length; old += PARTS) {
      const [first = 0, second = 0, length = 0] = [before[old], before[old + 1], before[old + 2]];
      if (second === 0) continue;
      let slot = Math.imul(length === 0 ? mixed(first, second) : first, PARTS) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + PARTS) & mask;
      fill(slot, first, second, length, before[old + 3] ?? 0);
    }
  }

  return {
    numbersOf(words) {
      const { count, bounds, keys } = words;
      if (count >= block.length) block = larger(block, count + 1);
      let written = 0;
      let table = slots;
      for (let index = 0; index < count; index += 1) {
        const high = keys[2 * index] ?? 0;
        const low = keys[2 * index + 1] ?? 0;
        // Nine in ten words are short and lie where they are looked for first.
        const home = Math.imul(mixed(high, low), PARTS) & (table.length - 1);
        const isThere =
          low !== 0 &&
          table[home + 1] === low &&
          table[home] === high &&
          table[home + 2] === 0 &&
          (bounds[2 * index + 1] ?? 0) - (bounds[2 * index] ?? 0) <= SHORT;
        const value = isThere ? (table[home + 3] ?? 0) : valueAt(words, index);
        if (!isThere) table = slots;
        // Every third word is a stop word: a jump would be guessed wrongly.
        block[written] = value;
        written += ~value >>> 31;
        if (value >= NOTHING) continue;
        const numbers = lists[NOTHING - 1 - value] ?? [];
        const wanted = written + numbers.length + count - index + 1;
        if (wanted > block.length) block = larger(block, wanted);
        for (const number of numbers) {
          block[written] = number;
          written += 1;
        }
      }
      return block.subarray(0, written);
    },
  };
}

function larger<Block extends Uint16Array | Uint32Array>(block: Block, least: number): Block {
  const size = Math.max(least, block.length * 2);
  const copy = (block instanceof Uint16Array ? new Uint16Array(size) : new Uint32Array(size)) as Block;
  copy.set(block);
  return copy;
}

/** A key in 32 bits, of which the last depend on all of it. */
function mixed(high: number, low: number): number {
  const product = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  return product ^ (product >>> 15);
}

function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (units[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
