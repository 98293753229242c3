import type { CheckId, GateResult } from '../gate/check.ts';
import type { Draft } from '../gate/draft.ts';
import type { Signal } from '../transcript/event.ts';
import type { Abstract } from './abstract.ts';
import type { ReviewTokens } from './token-budget.ts';

/**
 * How a review ended. `staged` waits for a person, `rejected` was given up after the gate refused every draft,
 * `failed` may be tried again.
 */
export type OutcomeKind = 'nothing' | 'committed' | 'staged' | 'rejected' | 'failed';

/** One draft and what the gate said of it. */
export interface ReviewAttempt {
  readonly draft: Draft;
  readonly gate: GateResult;
}

/** How one of several lessons of a session ended. */
export interface LessonOutcome {
  /** Its folder in `logs/reviews`, and what its commit and what waits of it name as their review. */
  readonly id: string;
  readonly outcome: OutcomeKind;
  readonly skill?: string;
  readonly version?: string;
  readonly sha?: string;
  readonly pending?: string;
  readonly lesson?: string;
  readonly reasons: readonly string[];
  readonly tokens: ReviewTokens;
}

/** The end of a review, with everything that led to it. Texts are redacted. */
export interface ReviewOutcome {
  /** Of the review; its folder in `logs/reviews`. */
  readonly id: string;
  readonly session: string;
  readonly outcome: OutcomeKind;
  readonly skill?: string;
  readonly version?: string;
  readonly sha?: string;
  /** What `knack skills approve` takes. */
  readonly pending?: string;
  readonly reasons: readonly string[];
  /** Set where all of the session was reviewed before and nothing was done now: how that ended. */
  readonly before?: string;
  /** Set where there are signals and no model that could draft; the outcome is `failed` then, and the ledger has no word of it. */
  readonly undrafted?: true;
  readonly tokens: ReviewTokens;
  readonly lesson?: string;
  /** Where the session taught several: each. The rest of the outcome is then that of the weightiest, `failed` first. */
  readonly lessons?: readonly LessonOutcome[];
  readonly signals: readonly Signal[];
  readonly attempts: readonly ReviewAttempt[];
}

/** What happens in a review, as it happens. */
export type ReviewEvent =
  | { readonly type: 'signals-found'; readonly signals: readonly Signal[] }
  | { readonly type: 'digest-built'; readonly tokens: number }
  /** Where there are several. `index` counts from 1. */
  | {
      readonly type: 'lesson-start';
      readonly index: number;
      readonly total: number;
      readonly abstract: Abstract;
    }
  | { readonly type: 'attempt-start'; readonly attempt: number }
  | { readonly type: 'abstract-end'; readonly attempt: number; readonly abstract: Abstract }
  | { readonly type: 'draft-end'; readonly attempt: number; readonly draft: Draft }
  | {
      readonly type: 'check-run';
      readonly attempt: number;
      readonly check: CheckId;
      readonly state: 'start' | 'end' | 'not-run';
    }
  | { readonly type: 'gate-end'; readonly attempt: number; readonly result: GateResult }
  /** The skill changed meanwhile; the draft is applied to what stands there now. */
  | { readonly type: 'base-moved'; readonly skill: string }
  | { readonly type: 'review-end'; readonly outcome: ReviewOutcome };
