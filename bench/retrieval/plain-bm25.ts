/** A ranked list of names with scores, best first. */
export type Search = (query: string) => readonly { readonly name: string; readonly score: number }[];

const SATURATION = 1.2;
const LENGTH = 0.75;

/** Plain BM25 (k1 1.2, b 0.75) over one index a field, the scores added; ties in the order of `names`. */
export function plainBm25(
  names: readonly string[],
  fields: readonly (readonly string[])[],
  count = 10,
): Search {
  const indexes = fields.map((texts) => indexOf(texts.map(wordsOf)));
  return (query) => {
    const scores = new Map<number, number>();
    for (const index of indexes)
      for (const word of new Set(wordsOf(query)))
        for (const [document, score] of index.get(word) ?? [])
          scores.set(document, (scores.get(document) ?? 0) + score);
    return [...scores]
      .sort(([a, left], [b, right]) => right - left || a - b)
      .slice(0, count)
      .map(([document, score]) => ({ name: names[document] ?? '', score }));
  };
}

function indexOf(documents: readonly (readonly string[])[]): Map<string, [number, number][]> {
  const counts = new Map<string, Map<number, number>>();
  for (const [document, words] of documents.entries())
    for (const word of words) {
      const held = counts.get(word) ?? new Map<number, number>();
      counts.set(word, held.set(document, (held.get(document) ?? 0) + 1));
    }
  const mean = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
  return new Map(
    [...counts].map(([word, held]) => {
      const rarity = Math.log(1 + (documents.length - held.size + 0.5) / (held.size + 0.5));
      const scores = [...held].map(([document, count]): [number, number] => {
        const length = 1 - LENGTH + (LENGTH * (documents[document]?.length ?? 0)) / mean;
        return [document, (rarity * count * (SATURATION + 1)) / (count + SATURATION * length)];
      });
      return [word, scores];
    }),
  );
}

const STOP = new Set(
  'the a an and or of to in for on with is are be this that it as by from at you your i use using used need should must can will not if when into any all each'.split(
    ' ',
  ),
);

function wordsOf(text: string): string[] {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words
    .filter((word) => word.length > 1 && !STOP.has(word))
    .map((word) => word.replace(/^(.{3,}?)(?:ing|ies|ed|es|s)$/, '$1'));
}
