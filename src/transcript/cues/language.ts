/**
 * Turns of phrase of one language by which signals are told. They are matched against what a person typed, without code,
 * quotations and what a program put in. A pattern that also fits a plain next request does not belong here: a false
 * correction costs a model call and may become a rule, a missed one is mostly said again.
 */
export interface LanguageCues {
  readonly correction: {
    /** Count at the beginning only, and not as an answer to a question. */
    readonly openings: readonly RegExp[];
    /** Count anywhere, also from a customer, who does not direct the work. */
    readonly plain: readonly RegExp[];
    /** Count anywhere, unless the text begins by accepting what was done. */
    readonly phrases: readonly RegExp[];
  };
  /** Beginnings that take what was done as good: what follows is the next request. */
  readonly acceptance: readonly RegExp[];
  /** Words of a rule that is to hold from now on. */
  readonly standingWish: readonly RegExp[];
  /** The assistant itself says that its way was wrong. */
  readonly courseChange: readonly RegExp[];
  /** The assistant gives in at once, at the beginning of its answer: what was just said was a correction. */
  readonly concession: readonly RegExp[];
}
