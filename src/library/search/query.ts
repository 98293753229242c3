import { featuresOf } from '../use/recorded-queries.ts';
import { longKatakana } from '../words/katakana.ts';
import { termsOf } from '../words/tokenize.ts';
import type { QueryVocabulary } from '../words/vocabulary.ts';
import { isPraise } from './praise.ts';

/** A word in katakana and the terms that it is told by: its pairs of neighbouring characters. */
export interface KatakanaWord {
  readonly word: string;
  readonly terms: readonly number[];
}

/** A query as terms: the whole, and its clauses where it is long. */
export interface Query {
  /** Distinct, in the order of the text. */
  readonly terms: readonly number[];
  /** Sentences and lines of a long text, each at least three terms; empty for a short one. */
  readonly clauses: readonly (readonly number[])[];
  /** How often a long text has each term that it repeats. */
  readonly repeated: ReadonlyMap<number, number>;
  /** Plain words and pairs of neighbouring ones, distinct, for recorded queries. */
  readonly words: readonly number[];
  readonly pairs: readonly number[];
  /** Plain words with the stop words, distinct. */
  readonly spoken: readonly number[];
  /** Of three characters and more, distinct. */
  readonly katakana: readonly KatakanaWord[];
  /** Whether it says that it asks for one thing more. */
  readonly isTwofold: boolean;
}

/** A text with more distinct terms is also searched clause by clause. */
const SHORT = 14;
const SHORTEST_CLAUSE = 3;
const MOST_CLAUSES = 40;
const CLAUSE_END = /[.!?;:\n。！？；：]+/;
/** What joins a second request to a first: "and" joins parts of one as well. */
const ONE_MORE = /\b(?:also|additionally|furthermore|as well as|in addition|along with)\b/i;
/** UTF-16 units that are read of a query; a log that somebody pasted says in them what it is about. */
const LONGEST_TEXT = 20_000;

/** The beginning of a query that search reads, nothing of mere praise: taken before anything looks at all of it. */
export function boundedQuery(text: string): string {
  return isPraise(text) ? '' : text.slice(0, LONGEST_TEXT);
}

export function readQuery(text: string, vocabulary: QueryVocabulary): Query {
  const whole = boundedQuery(text);
  const distinct = (part: string) => [...new Set(vocabulary.numbersOf(part))];
  const all = vocabulary.numbersOf(whole);
  const terms = [...new Set(all)];
  const features = {
    ...featuresOf(whole, vocabulary),
    katakana: longKatakana(whole).map((word) => ({ word, terms: distinct(word) })),
    isTwofold: ONE_MORE.test(whole),
  };
  if (terms.length <= SHORT) return { terms, clauses: [], repeated: new Map(), ...features };
  const clauses = whole
    .split(CLAUSE_END)
    .map(distinct)
    .filter((clause) => clause.length >= SHORTEST_CLAUSE);
  return { terms, clauses: clauses.slice(0, MOST_CLAUSES), repeated: repeatedIn(all), ...features };
}

/** Whether a text is searched as a whole alone. */
export function isShort(text: string): boolean {
  return new Set(termsOf(boundedQuery(text))).size <= SHORT;
}

function repeatedIn(terms: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count > 1));
}

/** The clauses that `readQuery` tells apart, as they are written. */
export function clauseTexts(text: string, vocabulary: QueryVocabulary): string[] {
  if (readQuery(text, vocabulary).clauses.length === 0) return [];
  return boundedQuery(text)
    .split(CLAUSE_END)
    .filter((clause) => new Set(vocabulary.numbersOf(clause)).size >= SHORTEST_CLAUSE)
    .slice(0, MOST_CLAUSES);
}
