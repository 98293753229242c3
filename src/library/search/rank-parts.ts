import type { LongTextRank } from './long-text.ts';

/** What put a rank where it is: the numbers that ranking added up, which together are the rank. */
export interface RankParts {
  /** What the skill's own texts hold of each term: what it is for, and headings and body. */
  readonly held: readonly { readonly term: number; readonly purpose: number; readonly detail: number }[];
  /** What recorded queries tell of the query's words. */
  readonly recorded: number;
  /** By how like the query is to what the skill was asked for before. */
  readonly likeness: number;
  readonly long?: LongTextParts;
}

/** What a long text adds beside the strength with which its words are held. */
interface LongTextParts {
  /** The best clause, and which one that is. */
  readonly clause: number;
  readonly index: number;
  readonly breadth: number;
  readonly purposeMet: number;
}

/** Parts to be filled in while a rank is added up that begins with what recorded queries tell. */
export function createParts(recorded: Iterable<number>) {
  let sum = 0;
  for (const value of recorded) sum += value;
  return { held: [] as { term: number; purpose: number; detail: number }[], recorded: sum, likeness: 0 };
}

/** The parts of a rank that counts so many times. */
export function scaledParts({ held, recorded, likeness, long }: RankParts, by: number): RankParts {
  return {
    held: held.map(({ term, purpose, detail }) => ({ term, purpose: by * purpose, detail: by * detail })),
    recorded: by * recorded,
    likeness: by * likeness,
    ...(long === undefined
      ? {}
      : {
          long: {
            index: long.index,
            clause: by * long.clause,
            breadth: by * long.breadth,
            purposeMet: by * long.purposeMet,
          },
        }),
  };
}

/** The parts of a long text's rank, where `parts` add up to the strength with which the `whole` of it is held. */
export function longParts(
  parts: RankParts,
  { whole, index, long, times }: { whole: number; index: number; long: LongTextRank; times: number },
): RankParts {
  const { clause, breadth, purposeMet } = long;
  const own = scaledParts(parts, whole === 0 ? 0 : long.whole / whole);
  return scaledParts({ ...own, long: { index, clause, breadth, purposeMet } }, times);
}
