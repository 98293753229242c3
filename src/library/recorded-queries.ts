import { saturated } from './skill-document.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The queries recorded with one skill, as the index keeps them. */
export interface RecordedTerms {
  /** Each term of the queries once. */
  readonly terms: readonly number[];
  /** How strongly the queries hold a term: 0 not, 1 about one mention in few, more for what they repeat. */
  strengthOf(term: number): number;
}

const USUAL_TERMS = 40;
const DISCOUNT = 0.6;
const SATURATION = 2;

/** Many recorded queries count for what they have in common, not for their number. */
export function recordedTerms(queries: readonly string[], vocabulary: Vocabulary): RecordedTerms {
  const numbers = queries.flatMap((query) => [...new Set(vocabulary.numbersOf(query))]);
  const length = 1 - DISCOUNT + (DISCOUNT * numbers.length) / USUAL_TERMS;
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1 / length);
  return {
    terms: [...counts.keys()],
    strengthOf: (term) => saturated(counts.get(term) ?? 0, SATURATION),
  };
}
