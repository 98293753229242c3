/** What put a rank where it is: the numbers that ranking added up, which together are the rank. */
export interface RankParts {
  /** What the skill's own texts hold of each term: what it is for, and headings and body. */
  readonly held: readonly { readonly term: number; readonly purpose: number; readonly detail: number }[];
  /** What recorded queries tell of the query's words. */
  readonly recorded: number;
  /** By how like the query is to what the skill was asked for before. */
  readonly likeness: number;
  /** Of a long text what its best clause adds, and which one that is. */
  readonly clause?: { readonly index: number; readonly value: number };
}

/** The parts of a rank that counts so many times. */
export function scaledParts({ held, recorded, likeness, clause }: RankParts, by: number): RankParts {
  return {
    held: held.map(({ term, purpose, detail }) => ({ term, purpose: by * purpose, detail: by * detail })),
    recorded: by * recorded,
    likeness: by * likeness,
    ...(clause === undefined ? {} : { clause: { ...clause, value: by * clause.value } }),
  };
}
