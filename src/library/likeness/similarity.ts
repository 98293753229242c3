import type { Skill } from '../../skill/skill.ts';
import { createVocabulary, type Vocabulary } from '../words/vocabulary.ts';

type Compared = Pick<Skill, 'name' | 'description' | 'body'>;

/** A skill taken apart, so that it can be compared with many; numbers ascending, each once. */
export interface Comparable {
  /** Terms of name and description. */
  readonly head: Uint32Array;
  readonly body: Uint32Array;
  /** Runs of three terms of the body, as hashes of 32 bits. */
  readonly runs: Uint32Array;
}

const SHINGLE = 3;
/** Too small a set of runs says nothing. */
const FEWEST_RUNS = 8;
/** What the likeness of the heads counts; that of the bodies is the rest. */
export const HEAD_SHARE = 0.6;

/**
 * How much two skills say the same, 0 to 1: the larger of what their bodies share in runs of three terms (against the
 * shorter one) and what descriptions, names and bodies share in single terms.
 */
export function similarity(left: Compared, right: Compared): number {
  const vocabulary = createVocabulary();
  return compare(takeApart(left, vocabulary), takeApart(right, vocabulary));
}

/** `similarity` of many skills, each of which is taken apart once for as long as it is there. */
export function createSimilarity(): (left: Compared, right: Compared) => number {
  const vocabulary = createVocabulary();
  const known = new WeakMap<Compared, Comparable>();
  const apart = (skill: Compared): Comparable => {
    const found = known.get(skill) ?? takeApart(skill, vocabulary);
    known.set(skill, found);
    return found;
  };
  return (left, right) => compare(apart(left), apart(right));
}

/** Takes a skill apart for `compare`, which wants both sides from one vocabulary. */
export function takeApart({ name, description, body }: Compared, vocabulary: Vocabulary): Comparable {
  const terms = vocabulary.numbersOf(body);
  const runs = terms
    .slice(SHINGLE - 1)
    .map((last, index) => mixed(mixed(mixed(0, terms[index] ?? 0), terms[index + 1] ?? 0), last));
  return {
    head: ascending(vocabulary.numbersOf(`${name} ${description}`)),
    body: ascending(terms),
    runs: ascending(runs),
  };
}

/** `similarity` of two that were taken apart. */
export function compare(left: Comparable, right: Comparable): number {
  return Math.max(
    contained(left.runs, right.runs),
    HEAD_SHARE * dice(left.head, right.head) + (1 - HEAD_SHARE) * dice(left.body, right.body),
  );
}

/** Twice what two ascending lists share, of the length of both. */
export function dice(left: Uint32Array, right: Uint32Array): number {
  return left.length + right.length === 0 ? 0 : (2 * shared(left, right)) / (left.length + right.length);
}

/** Share of the smaller set that the larger one holds. */
function contained(left: Uint32Array, right: Uint32Array): number {
  const smaller = Math.min(left.length, right.length);
  return smaller < FEWEST_RUNS ? 0 : shared(left, right) / smaller;
}

function shared(left: Uint32Array, right: Uint32Array): number {
  let count = 0;
  for (let a = 0, b = 0; a < left.length && b < right.length; ) {
    const [x, y] = [left[a] ?? 0, right[b] ?? 0];
    if (x === y) count += 1;
    if (x <= y) a += 1;
    if (y <= x) b += 1;
  }
  return count;
}

/** Sorted first: a set of them takes several times as long. */
function ascending(numbers: readonly number[]): Uint32Array {
  const sorted = Uint32Array.from(numbers).sort();
  let end = 0;
  for (const number of sorted) if (end === 0 || number !== sorted[end - 1]) sorted[end++] = number;
  return sorted.slice(0, end);
}

function mixed(hash: number, number: number): number {
  let mix = Math.imul(hash + number + 1, 0x85ebca6b);
  mix ^= mix >>> 13;
  mix = Math.imul(mix, 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
