/** Values for words, looked up by a piece of a text: no string is made for a word that is known. */
export interface WordTable<Value> {
  /** The value of the word `source.slice(start, end)`; made by `create` when the word is new. */
  get(source: string, start: number, end: number): Value;
}

const FIRST_SIZE = 1 << 14;
/** Words kept; beyond that the table begins anew, so that odd texts cannot fill the memory. */
const MOST_WORDS = 1 << 19;

export function createWordTable<Value>(create: (word: string) => Value): WordTable<Value> {
  let words: string[] = [];
  let values: Value[] = [];
  /** Open addressing: position in `words` plus one, 0 for a free place. */
  let slots = new Int32Array(FIRST_SIZE);

  function slotOf(source: string, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ source.charCodeAt(at), 0x01000193);
    let slot = (hash ^ (hash >>> 15)) & (slots.length - 1);
    for (;;) {
      const position = (slots[slot] ?? 0) - 1;
      if (position < 0 || isSame(words[position] ?? '', source, start, end)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
  }

  function grow(): void {
    if (words.length >= MOST_WORDS) {
      words = [];
      values = [];
      slots = new Int32Array(FIRST_SIZE);
    } else if (words.length * 2 > slots.length) {
      slots = new Int32Array(slots.length * 2);
      for (const [position, word] of words.entries()) slots[slotOf(word, 0, word.length)] = position + 1;
    }
  }

  return {
    get(source, start, end) {
      const known = slots[slotOf(source, start, end)] ?? 0;
      if (known > 0) return values[known - 1] as Value;
      grow();
      const word = source.slice(start, end);
      const value = create(word);
      words.push(word);
      values.push(value);
      slots[slotOf(word, 0, word.length)] = words.length;
      return value;
    },
  };
}

function isSame(word: string, source: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at += 1)
    if (word.charCodeAt(at) !== source.charCodeAt(start + at)) return false;
  return true;
}
