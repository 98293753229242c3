/** Plurals that no ending tells, with their singular, and nouns with the verb that their stem hides. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  pairs(`children child women woman men man mice mouse feet foot teeth tooth geese goose criteria criterion indices index
  vertices vertex matrices matrix appendices appendix leaves leaf lives life wives wife knives knife halves half shelves
  shelf wolves wolf thieves thief phenomena phenomenon hypotheses hypothesis
  authentification authentication`),
);

/** British beginnings of words with the American ones; `-ise` and `-yse` are the stem's. */
const BRITISH =
  pairs(`armour armor behaviour behavior colour color endeavour endeavor favour favor flavour flavor harbour
  harbor honour honor humour humor labour labor neighbour neighbor odour odor rumour rumor savour savor tumour tumor
  vapour vapor vigour vigor aluminium aluminum analogue analog artefact artifact catalogue catalog centre center
  defence defense dialogue dialog fibre fiber grey gray jewellery jewelry judgement judgment kilometre kilometer
  licence license litre liter metre meter mould mold offence offense programme program sceptic skeptic theatre theater
  traveller traveler modeller modeler labeller labeler canceller canceler`);

/** By the first two letters, as most words begin with none of them. */
const BY_START = new Map<string, typeof BRITISH>();
for (const pair of BRITISH) {
  const start = pair[0].slice(0, 2);
  BY_START.set(start, [...(BY_START.get(start) ?? []), pair]);
}

/** A lower-case word as it is written most: American, and irregular plurals as the singular. */
export function usualSpelling(word: string): string {
  const singular = IRREGULAR.get(word);
  if (singular !== undefined) return singular;
  const pair = BY_START.get(word.slice(0, 2))?.find(([from]) => word.startsWith(from));
  return pair === undefined ? word : pair[1] + word.slice(pair[0].length);
}

function pairs(words: string): (readonly [from: string, to: string])[] {
  return words
    .split(/\s+/)
    .flatMap((word, at, all) => (at % 2 === 0 ? [[word, all[at + 1] ?? word] as const] : []));
}
