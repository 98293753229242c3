import { stem } from '../words/stem.ts';
import { LONGEST_WORD } from '../words/tokenize.ts';
import type { QueryVocabulary } from '../words/vocabulary.ts';
import type { Query } from './query.ts';

/** What mending needs to know of the words in an index. */
export interface IndexedWords {
  /** Whether any skill holds the term anywhere, or was asked for with it. */
  isHeld(term: number): boolean;
  /** How many skills hold the term anywhere. */
  skillsWith(term: number): number;
  /** How many skills hold the term in what they are for. */
  purposesWith(term: number): number;
  /** The term of a purpose that the word was most probably meant to be, if there is one. */
  like(word: string): number | undefined;
}

const MOST_UNKNOWN = 2;
const SHORTEST = 4;
/** A shorter word differs in a letter from too many others: two of its letters may be swapped, not the first. */
const SHORTEST_SLIP = 5;
/** A word with an ending that hides its stem; a shorter one differs in one letter from too many others. */
const SHORTEST_WITH_ENDING = 7;
/** In a longer query the other words say what is meant, and an unknown one is rather about something else. */
const LONGEST_QUERY = 4;
/** Skills whose bodies alone may hold a word that is a slip all the same, and purposes that make it one. */
const FEW_BODIES = 2;
const MANY_PURPOSES = 10;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * A short query with each word that no skill holds replaced by the nearest that one does: a slip of the pen, or the
 * beginning of a word. A query with many unknown words is about something else and stays as it is.
 */
export function mendQuery(
  text: string,
  query: Query,
  vocabulary: QueryVocabulary,
  words: IndexedWords,
): Query {
  if (query.terms.length > LONGEST_QUERY) return query;
  const written = new Map((text.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => [stem(word), word]));
  const replaced = new Map<number, number>();
  let unknown = 0;
  for (const term of query.terms) {
    const word = written.get(vocabulary.termOf(term)) ?? vocabulary.termOf(term);
    if (word.length < SHORTEST || word.length > LONGEST_WORD) continue;
    const isUnknown = !words.isHeld(term);
    if (isUnknown) unknown += 1;
    const meant = isUnknown
      ? nearest(word, term, vocabulary, words)
      : isOfFewBodies(term, words)
        ? mostMeant(withSwaps(word), MANY_PURPOSES, vocabulary, words)
        : undefined;
    if (meant !== undefined) replaced.set(term, meant);
  }
  if (replaced.size === 0 || unknown > MOST_UNKNOWN) return query;
  const mended = (terms: readonly number[]) => [...new Set(terms.map((term) => replaced.get(term) ?? term))];
  return { ...query, terms: mended(query.terms), words: mended(query.words), spoken: mended(query.spoken) };
}

function nearest(
  word: string,
  term: number,
  vocabulary: QueryVocabulary,
  words: IndexedWords,
): number | undefined {
  const known = vocabulary.termOf(term);
  return (
    mostMeant(withSwaps(known), 1, vocabulary, words) ??
    (word.length < SHORTEST_SLIP ? undefined : words.like(known)) ??
    // A slip in the ending hides the stem.
    mostMeant(withSwaps(word), 1, vocabulary, words) ??
    (word.length < SHORTEST_WITH_ENDING ? undefined : mostMeant(withLetters(word), 1, vocabulary, words))
  );
}

/** Not of a word that skills were only asked for with. */
function isOfFewBodies(term: number, words: IndexedWords): boolean {
  const bodies = words.skillsWith(term);
  return bodies > 0 && bodies <= FEW_BODIES && words.purposesWith(term) === 0;
}

/** The term of these words that most skills are for, and at least so many. */
function mostMeant(
  forms: readonly string[],
  least: number,
  vocabulary: QueryVocabulary,
  words: IndexedWords,
): number | undefined {
  let best: number | undefined;
  for (const form of forms) {
    const term = vocabulary.numberOf(stem(form));
    if (term === undefined || words.purposesWith(term) < least) continue;
    if (best === undefined || words.purposesWith(term) > words.purposesWith(best)) best = term;
  }
  return best;
}

/** The word with each two neighbouring letters swapped, in a short one not the first. */
function withSwaps(word: string): string[] {
  const first = word.length < SHORTEST_SLIP ? 1 : 0;
  return Array.from({ length: Math.max(0, word.length - 1 - first) }, (_, index) => {
    const at = index + first;
    return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
  });
}

/** The word with one letter put in, left out or replaced: never the first, which hardly anybody gets wrong. */
function withLetters(word: string): string[] {
  return Array.from({ length: word.length }, (_, index) => {
    const at = index + 1;
    const [before, after] = [word.slice(0, at), word.slice(at)];
    const others = LETTERS.map((letter) => `${before}${letter}`);
    return [
      `${before}${after.slice(1)}`,
      ...others.flatMap((start) => [`${start}${after}`, `${start}${after.slice(1)}`]),
    ];
  }).flat();
}
