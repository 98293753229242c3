import type { Query } from './query.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What mending needs to know of the words in an index. */
export interface IndexedWords {
  /** Whether any skill holds the term anywhere, or was asked for with it. */
  isHeld(term: number): boolean;
  /** How many skills hold the term in what they are for. */
  purposesWith(term: number): number;
  /** The term of a purpose that the word was most probably meant to be, if there is one. */
  like(word: string): number | undefined;
}

const MOST_UNKNOWN = 2;
const SHORTEST = 4;
/** In a longer query the other words say what is meant, and an unknown one is rather about something else. */
const LONGEST_QUERY = 4;

/**
 * A short query with the words that no skill holds replaced by the nearest that one does: a slip of the pen, or the
 * beginning of a word. A query with many unknown words is about something else and stays as it is.
 */
export function mendQuery(query: Query, vocabulary: Vocabulary, words: IndexedWords): Query {
  const unknown = query.terms.filter(
    (term) => !words.isHeld(term) && vocabulary.termOf(term).length >= SHORTEST,
  );
  if (unknown.length === 0 || unknown.length > MOST_UNKNOWN || query.terms.length > LONGEST_QUERY)
    return query;
  const replaced = new Map(
    unknown.map((term) => [term, nearest(vocabulary.termOf(term), vocabulary, words)]),
  );
  const mended = (terms: readonly number[]) => [...new Set(terms.map((term) => replaced.get(term) ?? term))];
  return { ...query, terms: mended(query.terms), words: mended(query.words), spoken: mended(query.spoken) };
}

function nearest(word: string, vocabulary: Vocabulary, words: IndexedWords): number | undefined {
  const [swapped] = withSwaps(word)
    .flatMap((other) => vocabulary.numberOf(other) ?? [])
    .filter((term) => words.purposesWith(term) > 0)
    .sort((left, right) => words.purposesWith(right) - words.purposesWith(left));
  return swapped ?? words.like(word);
}

/** The word with each two neighbouring letters swapped. */
function withSwaps(word: string): string[] {
  return Array.from(
    { length: Math.max(0, word.length - 1) },
    (_, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  );
}
