import { wordOf } from './tokenize.ts';

/** Numbers for words, looked up by their units and hash as `scanWords` gives them: no string is made for a known word. */
export interface WordTable {
  /** Hands over each number of the word; they are made by `create` when the word is new. */
  visitNumbers(
    visit: (number: number) => void,
    source: Uint16Array,
    start: number,
    end: number,
    hash: number,
  ): void;
}

const FIRST_SIZE = 1 << 14;
/** Words kept; beyond that the table begins anew, so that odd texts cannot fill the memory. */
const MOST_WORDS = 1 << 19;
/** Of a slot: hash, beginning of the word among the letters plus one (0: free), length, value. */
const PARTS = 4;

/** One block of numbers for the slots and one for the letters: a look-up waits for the memory twice. */
export function createWordTable(create: (word: string) => readonly number[]): WordTable {
  let slots = new Int32Array(FIRST_SIZE * PARTS);
  let letters = new Uint16Array(FIRST_SIZE * 8);
  let used = 0;
  let words = 0;
  /** For the words of none or several numbers; their value is -1 minus the position here. */
  let lists: (readonly number[])[] = [];

  /** Where the slot of a word begins, or the free one that it is to have. */
  function slotOf(source: Uint16Array, start: number, end: number, hash: number): number {
    const mask = slots.length - 1;
    let slot = Math.imul(hash ^ (hash >>> 15), PARTS) & mask;
    for (;;) {
      const from = (slots[slot + 1] ?? 0) - 1;
      if (from < 0) return slot;
      if (slots[slot] === hash && slots[slot + 2] === end - start && isSame(from, source, start, end))
        return slot;
      slot = (slot + PARTS) & mask;
    }
  }

  function isSame(from: number, source: Uint16Array, start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) if (letters[from + at - start] !== source[at]) return false;
    return true;
  }

  function put(source: Uint16Array, start: number, end: number, hash: number): number {
    makeRoom(end - start);
    const numbers = create(wordOf(source, start, end));
    const slot = slotOf(source, start, end, hash);
    const value = numbers.length === 1 ? (numbers[0] ?? 0) : -lists.push(numbers);
    // One by one: a list of four for each word takes longer than all else here.
    slots[slot] = hash;
    slots[slot + 1] = used + 1;
    slots[slot + 2] = end - start;
    slots[slot + 3] = value;
    for (let at = start; at < end; at += 1) letters[used + at - start] = source[at] ?? 0;
    used += end - start;
    words += 1;
    return value;
  }

  function makeRoom(length: number): void {
    if (words >= MOST_WORDS) {
      slots = new Int32Array(FIRST_SIZE * PARTS);
      letters = new Uint16Array(FIRST_SIZE * 8);
      lists = [];
      used = 0;
      words = 0;
    }
    if (used + length > letters.length) {
      const larger = new Uint16Array(Math.max(used + length, letters.length * 2));
      larger.set(letters);
      letters = larger;
    }
    if (words * 2 * PARTS >= slots.length) spread();
  }

  /** Twice the slots. */
  function spread(): void {
    const before = slots;
    slots = new Int32Array(before.length * 2);
    for (let old = 0; old < before.length; old += PARTS) {
      if (before[old + 1] === 0) continue;
      const hash = before[old] ?? 0;
      let slot = Math.imul(hash ^ (hash >>> 15), PARTS) & (slots.length - 1);
      while (slots[slot + 1] !== 0) slot = (slot + PARTS) & (slots.length - 1);
      for (let part = 0; part < PARTS; part += 1) slots[slot + part] = before[old + part] ?? 0;
    }
  }

  return {
    visitNumbers(visit, source, start, end, hash) {
      const slot = slotOf(source, start, end, hash);
      const value = slots[slot + 1] === 0 ? put(source, start, end, hash) : (slots[slot + 3] ?? 0);
      if (value >= 0) visit(value);
      else for (const number of lists[-1 - value] ?? []) visit(number);
    },
  };
}
