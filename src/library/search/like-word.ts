/** A term and how many skills are for it. */
export interface MeantTerm {
  readonly number: number;
  readonly term: string;
  readonly purposes: number;
}

/** Shorter words differ in a letter from too many others. */
const SHORTEST_SLIP = 5;
/** A stem of fewer letters begins too many. */
const SHORTEST_START = 4;

/**
 * The number of the term that a word was most probably meant to be: one that it begins or differs from in one letter, best
 * of those that many skills are for and that say little more than the word. Undefined where there is none.
 */
export function likeWord(word: string, terms: readonly MeantTerm[]): number | undefined {
  let best: (MeantTerm & { readonly worth: number }) | undefined;
  for (const each of terms) {
    const worth = each.purposes * closeness(word, each.term);
    if (worth === 0 || worth < (best?.worth ?? 0)) continue;
    if (best === undefined || worth > best.worth || each.term < best.term) best = { ...each, worth };
  }
  return best?.number;
}

/** 0 where the words have nothing to do with each other. */
function closeness(word: string, term: string): number {
  if (term.startsWith(word)) return word.length >= SHORTEST_START ? word.length / term.length : 0;
  return word.length >= SHORTEST_SLIP && differInOne(word, term) ? 1 : 0;
}

/** Whether one letter that is put in, left out or replaced makes one word the other; the first is the same. */
function differInOne(left: string, right: string): boolean {
  if (left[0] !== right[0]) return false;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}
