import type { Vocabulary } from './vocabulary.ts';

/** Shorter words differ in a letter from too many others. */
const SHORTEST_SLIP = 5;

/**
 * The term that a word was most probably meant to be: one that it begins or differs from in one letter, best of those
 * that many skills are for and that say little more than the word. Undefined where there is none.
 */
export function likeWord(
  word: string,
  vocabulary: Pick<Vocabulary, 'size' | 'termOf'>,
  purposesWith: (term: number) => number,
): number | undefined {
  let best: { readonly number: number; readonly term: string; readonly worth: number } | undefined;
  for (let number = 0; number < vocabulary.size; number += 1) {
    const purposes = purposesWith(number);
    if (purposes === 0) continue;
    const term = vocabulary.termOf(number);
    const worth = purposes * closeness(word, term);
    if (worth === 0 || worth < (best?.worth ?? 0)) continue;
    if (best === undefined || worth > best.worth || term < best.term) best = { number, term, worth };
  }
  return best?.number;
}

/** 0 where the words have nothing to do with each other. */
function closeness(word: string, term: string): number {
  if (term.startsWith(word)) return word.length / term.length;
  return word.length >= SHORTEST_SLIP && differInOne(word, term) ? 1 : 0;
}

/** Whether one letter that is put in, left out or replaced makes one word the other. */
function differInOne(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}
