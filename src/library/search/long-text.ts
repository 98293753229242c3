/** What a long text is to one skill. */
export interface LongTextViews {
  /** How much of the whole text the skill answers, by the strength with which it holds each word. */
  readonly whole: number;
  /** How much of the clause that it answers best, 0 and up. */
  readonly clause: number;
  /** The words that its body holds at all, by their rarity in texts. */
  readonly breadth: number;
  /** The share of what it says of itself that the text meets, 0 to 1; less where recorded queries tell more. */
  readonly purposeMet: number;
}

const CLAUSE_SHARE = 0.7;
/** A skill is for the whole of a text, for one clause of it, or has its detail: what it is most is nearly all. */
const POWER = 4;
/** What the logarithm of how often a text has a word adds to the word's weight. */
const REPEATED = 0.3;

/** What a word is worth more for being said so often. */
export function emphasis(times: number): number {
  return 1 + REPEATED * Math.log(times);
}

/** A rank, and what of it each view accounts for: by the powers that are added up, and what its purpose brings on top. */
export interface LongTextRank extends LongTextViews {
  readonly rank: number;
}

/** The ranks of all candidates of one long text, each view against the best of it: 0 to about 2.8. */
export function rankLongText(candidates: readonly LongTextViews[]): LongTextRank[] {
  const most = (view: 'whole' | 'clause' | 'breadth') =>
    Math.max(1e-9, ...candidates.map((each) => each[view]));
  const [whole, clause, breadth] = [most('whole'), most('clause'), most('breadth')];
  return candidates.map((each) => {
    const powers = {
      whole: (each.whole / whole) ** POWER,
      clause: CLAUSE_SHARE * (each.clause / clause) ** POWER,
      breadth: (each.breadth / breadth) ** POWER,
    };
    const all = powers.whole + powers.clause + powers.breadth;
    const views = all ** (1 / POWER);
    const share = all === 0 ? 0 : views / all;
    return {
      rank: (1 + each.purposeMet) * views,
      whole: share * powers.whole,
      clause: share * powers.clause,
      breadth: share * powers.breadth,
      purposeMet: each.purposeMet * views,
    };
  });
}
