import { type Postings, placesOf } from './postings.ts';

/** What the words of each skill's purpose are worth together, by the number of the skill. */
export function purposeWeights(
  segments: readonly { readonly postings: Postings; readonly first: number }[],
  size: number,
  weightOf: (term: number) => number,
): Float64Array {
  const weights = new Float64Array(size);
  for (const { postings, first } of segments)
    for (let term = postings.starts.length - 2; term >= 0; term -= 1) {
      const [start, others] = placesOf(postings, term);
      if (start === others) continue;
      const weight = weightOf(term);
      for (let place = start; place < others; place += 1) {
        const owner = first + (postings.owners[place] ?? 0);
        weights[owner] = (weights[owner] ?? 0) + weight;
      }
    }
  return weights;
}
