import type { RankShare, RankShares, SearchHit } from '../library.ts';
import type { Nearest } from '../meaning/skill-vectors.ts';
import { FITS } from './ranking.ts';

export interface FusionOptions {
  readonly limit: number;
  /** Also skills that are nearer to nothing else, below the floor. */
  readonly all: boolean;
  /** The skill that the query names, which is first. */
  readonly exact: string | undefined;
  /** Also says what each stage adds to the rank. */
  readonly shares: boolean;
  readonly pathOf: (name: string) => string | undefined;
}

/** Ranks are added up as 1 / (this + rank): what both stages have among their first is ahead of what one has. */
const DAMPING = 10;
/** Skills that meaning alone may bring in. */
const MOST_NEAR = 20;
/** Similarities above the floor are put on the scale of fits. */
const SCORE_RANGE = 0.8;

interface Placed {
  readonly hit: SearchHit;
  readonly worth: number;
  readonly score: number;
}

/** Hits of words and of meaning as one list, best first, ties by name. What meaning alone brings has to lie above its floor. */
export function fuse(words: readonly SearchHit[], nearest: Nearest, options: FusionOptions): SearchHit[] {
  const { floor } = nearest;
  const near = nearest.from(options.all ? Number.NEGATIVE_INFINITY : floor);
  const nearRank = new Map(near.map(([name], index) => [name, index + 1]));
  const wordRank = new Map(words.map(({ name }, index) => [name, index + 1]));
  const added = near.slice(0, Math.max(MOST_NEAR, options.limit)).flatMap(([name]): SearchHit[] => {
    const path = options.pathOf(name);
    return wordRank.has(name) || path === undefined ? [] : [{ name, path, score: 0, why: [] }];
  });
  const placed = [...words, ...added].map((hit): Placed => {
    const similarity = nearest.similarityOf(hit.name);
    const ranks = { words: wordRank.get(hit.name), near: nearRank.get(hit.name) };
    const meaning = similarity === undefined ? 0 : scoreOf(similarity, floor);
    const worth =
      hit.name === options.exact
        ? Number.POSITIVE_INFINITY
        : reciprocal(ranks.words) + reciprocal(ranks.near);
    const shares = options.shares ? sharesOf(hit, worth, ranks) : undefined;
    return {
      hit: { ...hit, why: explain(hit, similarity, floor, ranks), ...(shares && { shares }) },
      worth,
      score: Math.max(hit.score, meaning),
    };
  });
  const sorted = placed
    .sort((left, right) => right.worth - left.worth || (left.hit.name < right.hit.name ? -1 : 1))
    .slice(0, options.limit);
  // Scores fall with the order: a hit is as good as the best behind it.
  let least = 0;
  return sorted
    .toReversed()
    .map(({ hit, score }) => {
      least = Math.max(least, Math.round(score * 1000) / 1000);
      return { ...hit, score: least };
    })
    .toReversed();
}

function reciprocal(rank: number | undefined): number {
  return rank === undefined ? 0 : 1 / (DAMPING + rank);
}

/** The places in the two stages. */
interface Places {
  readonly words: number | undefined;
  readonly near: number | undefined;
}

/** What each stage adds to the rank of a hit; what its rank among words is the sum of stands below that. */
function sharesOf({ shares }: SearchHit, rank: number, { words, near }: Places): RankShares {
  // The words alone decide where a skill is named.
  if (rank === Number.POSITIVE_INFINITY && shares !== undefined) return shares;
  const parts = [
    { part: 'words', place: words, ...(shares && { shares }) },
    { part: 'meaning', place: near },
  ];
  return {
    rank,
    parts: parts.flatMap(({ place, ...share }): RankShare[] =>
      place === undefined ? [] : [{ ...share, value: reciprocal(place), of: `rank ${place}` }],
    ),
  };
}

function scoreOf(similarity: number, floor: number): number {
  if (similarity >= floor) return FITS + (SCORE_RANGE * (similarity - floor)) / Math.max(1 - floor, 0.01);
  return Math.max(0, (FITS * similarity) / Math.max(floor, 0.01));
}

/** What each stage says of a hit, with the part that put it where it is first. */
function explain(
  { why }: SearchHit,
  similarity: number | undefined,
  floor: number,
  ranks: Places,
): readonly string[] {
  const rank = (stage: number | undefined) => (stage === undefined ? '' : `rank ${stage}, `);
  const meaning =
    similarity === undefined
      ? 'meaning: not embedded yet'
      : `meaning: ${rank(ranks.near)}similarity ${similarity.toFixed(2)}, ${similarity >= floor ? 'fits from' : 'below'} ${floor.toFixed(2)}`;
  if (ranks.words === undefined) return [meaning];
  const words = [`words: rank ${ranks.words}`, ...why];
  return (ranks.near ?? Number.POSITIVE_INFINITY) < ranks.words ? [meaning, ...words] : [...words, meaning];
}
