import type { Skill } from '../../skill/skill.ts';
import type { Query } from '../search/query.ts';
import type { QueryVocabulary } from '../words/vocabulary.ts';
import type { RecordedLikeness } from './recorded-likeness.ts';

/** The queries recorded with one skill, as the index keeps them. */
export interface RecordedTerms {
  /** How many queries. */
  readonly queries: number;
  /** Words and pairs of words (see `pairOf`) that stand in them, ascending. */
  readonly features: Float64Array;
  /** How many of the queries hold a feature. */
  countOf(feature: number): number;
  /** The distinct words of each query with the stop words, in their order. */
  readonly texts: readonly (readonly number[])[];
}

/** What is known of one query's features from all that was recorded. */
export interface AskedFeatures {
  /** The plain words of the query with what each tells. */
  readonly words: ReadonlyMap<number, number>;
  /** Those of its pairs that stand in recorded queries. */
  readonly pairs: readonly (readonly [pair: number, weight: number])[];
  /** Recorded queries a skill, over the whole library. */
  readonly usualQueries: number;
  /** What the query as a whole adds to a skill's rank, by how like it is to what the skill was asked for. */
  readonly likenessTo: (skill: Skill, recorded: RecordedTerms | undefined) => number;
}

export const NOTHING_ASKED: AskedFeatures = {
  words: new Map(),
  pairs: [],
  usualQueries: 0,
  likenessTo: () => 0,
};

/** How often the features stand in recorded queries of the library as a whole. */
export interface RecordedFrequency {
  count(recorded: RecordedTerms): void;
  isHeld(feature: number): boolean;
  /** How many recorded queries hold a word, stop words too. */
  queriesWith(word: number): number;
  /** Of all skills together. */
  readonly queries: number;
  /** What a feature tells: more, the fewer skills were asked for with it. `common` is the share of skills that any text leads to expect. */
  weightOf(feature: number, common: number): number;
}

/** Queries of a usual skill; of more, one mention says less. */
const USUAL_QUERIES = 20;
const SATURATION = 1.2;
const DISCOUNT = 0.75;
/** Beyond this many queries evidence does not grow. */
const ENOUGH_QUERIES = 30;
/** Skills whose recorded queries are made up from what their texts lead to expect, while there are few real ones. */
const EXPECTED_SKILLS = 20;
const LEAST_SHARE = 1e-4;
/** What a query that is all alike adds to the rank, for each recorded query that skills have on average, up to enough of them. */
const LIKENESS = 18;
const ENOUGH_LIKENESS = 3;
/** What recorded queries, which ask for one thing each, count for one that asks for more. */
const TWOFOLD_SHARE = 0.5;
const PAIR_BASE = 2 ** 25;

/** Two neighbouring words as one number, above those of words. */
export function pairOf(left: number, right: number): number {
  return (left + 1) * PAIR_BASE + right;
}

/** Whether a feature is a word by itself. */
export function isWord(feature: number): boolean {
  return feature < PAIR_BASE;
}

/** The two words of a pair; undefined for a word. */
export function wordsOfPair(feature: number): [left: number, right: number] | undefined {
  return isWord(feature) ? undefined : [Math.floor(feature / PAIR_BASE) - 1, feature % PAIR_BASE];
}

/** The words of a text but stop words, its pairs of neighbouring words with one in them that is none, and all its words. */
export function featuresOf(
  text: string,
  vocabulary: QueryVocabulary,
): { words: number[]; pairs: number[]; spoken: number[] } {
  const words = vocabulary.wordsOf(text);
  const pairs = words.slice(1).flatMap((word, index) => {
    const before = words[index] ?? 0;
    return vocabulary.isStop(before) && vocabulary.isStop(word) ? [] : pairOf(before, word);
  });
  const telling = words.filter((word) => !vocabulary.isStop(word));
  return { words: [...new Set(telling)], pairs: [...new Set(pairs)], spoken: [...new Set(words)] };
}

export function recordedTerms(queries: readonly string[], vocabulary: QueryVocabulary): RecordedTerms {
  const counts = new Map<number, number>();
  const texts = queries.map((query) => {
    const { words, pairs, spoken } = featuresOf(query, vocabulary);
    for (const feature of [...words, ...pairs]) counts.set(feature, (counts.get(feature) ?? 0) + 1);
    return spoken;
  });
  const features = Float64Array.from(counts.keys()).sort();
  const held = Uint32Array.from(features, (feature) => counts.get(feature) ?? 0);
  return {
    queries: queries.length,
    texts,
    features,
    countOf: (feature) => held[placeOf(features, feature)] ?? 0,
  };
}

/** So many mentions in so many queries as a strength: 0 for none, less and less more for each. */
export function strengthOf(mentions: number, queries: number): number {
  const length = 1 - DISCOUNT + (DISCOUNT * queries) / USUAL_QUERIES;
  return (mentions * (SATURATION + 1)) / (mentions + SATURATION * length);
}

/**
 * Of how many of its queries a skill profits: a little more than skills of the library have on average. What one is
 * asked for is no evidence against others that nobody has asked for yet.
 */
export function countedQueries(queries: number, usualQueries: number): number {
  return Math.min(queries, 1 + 2 * usualQueries);
}

/** How much words and pairs of so many recorded queries count: the more there are, the surer they are. */
export function trustIn(queries: number): { words: number; pairs: number } {
  const counted = Math.min(queries, ENOUGH_QUERIES);
  return { words: Math.sqrt(counted / 5), pairs: counted / 25 };
}

/** Weighs the features of a query in a library of `size` skills; `commonOf` gives the share of skills that a word is usual for. */
export function weighFeatures(
  query: Query,
  frequency: RecordedFrequency,
  likeness: RecordedLikeness,
  commonOf: (word: number) => number,
  size: number,
): AskedFeatures {
  if (frequency.queries === 0) return NOTHING_ASKED;
  const common = (pair: number) =>
    (wordsOfPair(pair) ?? []).reduce((share, word) => share * commonOf(word), 1);
  const share = query.isTwofold ? TWOFOLD_SHARE : 1;
  const usualQueries = frequency.queries / Math.max(size, 1);
  const likenessOf = likeness.to(query.spoken);
  const mostLikeness = share * LIKENESS * Math.min(usualQueries, ENOUGH_LIKENESS);
  return {
    words: new Map(query.words.map((word) => [word, share * frequency.weightOf(word, commonOf(word))])),
    pairs: query.pairs
      .filter((pair) => frequency.isHeld(pair))
      .map((pair) => [pair, share * frequency.weightOf(pair, common(pair))]),
    usualQueries,
    likenessTo: (skill, recorded) => mostLikeness * likenessOf(skill, recorded),
  };
}

export function createRecordedFrequency(): RecordedFrequency {
  const holding = new Map<number, number>();
  const mentions = new Map<number, number>();
  let skills = 0;
  let all = 0;
  return {
    count({ features, queries, texts }) {
      skills += 1;
      all += queries;
      for (const feature of features) holding.set(feature, (holding.get(feature) ?? 0) + 1);
      for (const words of texts) for (const word of words) mentions.set(word, (mentions.get(word) ?? 0) + 1);
    },
    isHeld: (feature) => holding.has(feature),
    queriesWith: (word) => mentions.get(word) ?? 0,
    get queries() {
      return all;
    },
    weightOf(feature, common) {
      const expected = EXPECTED_SKILLS * Math.max(common, LEAST_SHARE);
      return Math.log((skills + EXPECTED_SKILLS) / ((holding.get(feature) ?? 0) + expected));
    },
  };
}

function placeOf(sorted: Float64Array, wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] ?? 0;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
