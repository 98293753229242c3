import type { Skill } from '../../skill/skill.ts';
import { createVocabulary } from '../words/vocabulary.ts';
import { pairsThatShare } from './shared-features.ts';
import { type Comparable, compare, dice, HEAD_SHARE, takeApart } from './similarity.ts';

/** Two skills that say much the same. */
export interface SkillPair {
  readonly left: string;
  readonly right: string;
  /** As `similarity` has it, 0 to 1. */
  readonly score: number;
}

export interface NearDuplicateOptions {
  /** Pairs from this score on. */
  readonly atLeast: number;
  /** Awaited now and then, with the share of the work that is done (0 to 1): to show it, and to stop by a throw. */
  readonly step?: (done: number) => Promise<void>;
}

/** Runs that are looked at of all bodies together; of more a fixed share, the same in every body. */
const MOST_RUNS = 2_000_000;
/** A run that more skills hold is boilerplate, or one text many times over. */
const COMMON = { most: 60, linked: 8 };
const EVERY = { most: Number.POSITIVE_INFINITY, linked: 0 };
/** Heads that share less are left to the runs of their bodies: bodies are seldom alike in words alone. */
const HEAD_SHARED = 0.6;
const STEP = 100;

/**
 * Pairs of skills that say the same, the most alike first. Not every pair is compared: only those that share enough runs
 * of words, or enough of the rarer words of name and description. What it finds has its exact score; a pair that is just
 * above the bound may be missed.
 */
export async function findNearDuplicates(
  skills: readonly Skill[],
  { atLeast, step = () => Promise.resolve() }: NearDuplicateOptions,
): Promise<SkillPair[]> {
  const vocabulary = createVocabulary();
  const apart: Comparable[] = [];
  for (const [at, skill] of skills.entries()) {
    if (at % STEP === 0) await step((0.7 * at) / skills.length);
    apart.push(takeApart(skill, vocabulary));
  }
  const pairs = new Map<number, SkillPair>();
  const take = (left: number, right: number, [a, b]: readonly [Comparable, Comparable]) => {
    const key = left * skills.length + right;
    if (pairs.has(key)) return;
    const score = compare(a, b);
    if (score >= atLeast)
      pairs.set(key, { left: skills[left]?.name ?? '', right: skills[right]?.name ?? '', score });
  };
  const runs = sampled(apart.map((each) => each.runs));
  for (const [left, right, shared] of pairsThatShare(runs, COMMON)) {
    const smaller = Math.min(runs[left]?.length ?? 0, runs[right]?.length ?? 0);
    // Three standard deviations below what a sample of a pair at the bound shows.
    const least = smaller * atLeast - 3 * Math.sqrt(smaller * atLeast * (1 - atLeast));
    const both = pairAt(apart, left, right);
    if (shared >= least && both !== undefined) take(left, right, both);
  }
  await step(0.8);
  const heads = byRarity(apart.map(({ head }) => head)).map(rarest);
  for (const [left, right] of pairsThatShare(heads, EVERY)) {
    const both = pairAt(apart, left, right);
    if (both === undefined) continue;
    const head = dice(both[0].head, both[1].head);
    if (head >= HEAD_SHARED && HEAD_SHARE * head + (1 - HEAD_SHARE) >= atLeast) take(left, right, both);
  }
  await step(1);
  return [...pairs]
    .sort(([a, left], [b, right]) => right.score - left.score || a - b)
    .map(([, pair]) => pair);
}

function pairAt(
  apart: readonly Comparable[],
  left: number,
  right: number,
): readonly [Comparable, Comparable] | undefined {
  const [a, b] = [apart[left], apart[right]];
  return a === undefined || b === undefined ? undefined : [a, b];
}

function sampled(runs: readonly Uint32Array[]): readonly Uint32Array[] {
  const all = runs.reduce((sum, each) => sum + each.length, 0);
  const oneOf = Math.ceil(all / MOST_RUNS);
  return oneOf <= 1 ? runs : runs.map((each) => each.filter((run) => run % oneOf === 0));
}

/** The words of each head as their places in the order of rarity, ascending: the rarest first. */
function byRarity(heads: readonly Uint32Array[]): Uint32Array[] {
  const holders = new Map<number, number>();
  for (const head of heads) for (const word of head) holders.set(word, (holders.get(word) ?? 0) + 1);
  const places = new Map(
    [...holders].sort(([a, left], [b, right]) => left - right || a - b).map(([word], place) => [word, place]),
  );
  return heads.map((head) => head.map((word) => places.get(word) ?? 0).sort());
}

/** So many of the rarest that two heads which share enough must share one of these. */
function rarest(head: Uint32Array): Uint32Array {
  const fewest = Math.ceil((head.length * HEAD_SHARED) / (2 - HEAD_SHARED));
  return head.subarray(0, head.length - fewest + 1);
}
