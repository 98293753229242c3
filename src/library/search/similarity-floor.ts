import { cosine, keyOfText, type VectorCache } from '../meaning/vector-cache.ts';

/**
 * Requests that hardly any skill is for. What they come to among the skills of a library shows how near texts lie that
 * have nothing to do with each other, which differs from model to model.
 */
const SENTENCES = [
  'which bus goes to the old harbour on Sundays',
  'my cat sleeps on the warm windowsill all day',
  'words of a lullaby about the moon',
  'why do leaves turn red in autumn',
  'a birthday present for my uncle',
  'the train was late again yesterday evening',
  'how deep is the lake behind the mountain hut',
  'rules of a card game for small children',
  'stretching the legs after a long run',
  'who painted the ceiling of the village church',
  'grandmother made jam from plums',
  'was it raining on the day of their wedding',
];

/** Those texts by the key under which their vectors are kept. */
export const UNRELATED: ReadonlyMap<string, string> = new Map(
  SENTENCES.map((text) => [keyOfText(`unrelated\n${text}`), text]),
);

/** Skills that the floor is taken from, spread over the library. */
const SAMPLED = 400;
/** Spreads above the middle of what is unrelated, and the least distance from it. */
const SPREADS = 4;
const LEAST_GAP = 0.05;

/**
 * The cosine from which on a skill fits a query: well above what unrelated texts come to among the skills of these keys,
 * by their middle and their spread, which a few related ones hardly move. Undefined where one side has no vectors.
 */
export function similarityFloor(cache: VectorCache, keys: readonly string[]): number | undefined {
  const step = Math.max(1, Math.ceil(keys.length / SAMPLED));
  const sampled = keys.filter((_, index) => index % step === 0).flatMap((key) => cache.get(key) ?? []);
  const unrelated = [...UNRELATED.keys()].flatMap((key) => cache.get(key) ?? []);
  const found = unrelated.flatMap((query) => sampled.map((skill) => cosine(query, skill)));
  const middle = median(found);
  if (middle === undefined) return undefined;
  // 1.48 times the median distance is the standard deviation of a normal distribution.
  const spread = 1.48 * (median(found.map((value) => Math.abs(value - middle))) ?? 0);
  return middle + Math.max(LEAST_GAP, SPREADS * spread);
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)];
}
