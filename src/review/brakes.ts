import type { Config } from '../config.ts';
import type { ImportJudgedEntry, LedgerEntry, ReviewEnd } from './ledger-entry.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How learning stands, by the ledger. */
export interface Brakes {
  /** Tokens that may still be spent today (UTC). */
  readonly tokensLeft: number;
  /** Why nothing is drafted now; absent while all is well. */
  readonly why?: string;
}

/**
 * What keeps a reviewer that goes wrong from going on: a ceiling of tokens a day over all reviews and judged imports, and a breaker that
 * opens after so many refused reviews in a row. It lets one through a day after the last of them, or at once when a
 * person resets it; a review that came to anything else closes it.
 */
export function brakesOf(
  entries: readonly LedgerEntry[],
  { dailyTokens, breakerRefusals }: Pick<Config['review'], 'dailyTokens' | 'breakerRefusals'>,
  now: Date,
): Brakes {
  const today = now.toISOString().slice(0, 10);
  const spent = [
    ...endsOf(entries).map(({ at, tokens }) => ({ at, tokens: tokens.total })),
    ...judgedImports(entries),
  ]
    .filter(({ at }) => at.startsWith(today))
    .reduce((sum, { tokens }) => sum + tokens, 0);
  const tokensLeft = Math.max(0, dailyTokens - spent);
  if (tokensLeft === 0)
    return {
      tokensLeft,
      why: `the ceiling of ${dailyTokens} tokens a day (review.dailyTokens) is reached: ${spent} are spent; review again tomorrow, or raise it`,
    };
  const refused = refusedInARow(entries);
  const last = refused.at(-1);
  if (refused.length < breakerRefusals || last === undefined) return { tokensLeft };
  const until = new Date(Date.parse(last.at) + DAY_MS);
  if (!(until.getTime() > now.getTime())) return { tokensLeft };
  return {
    tokensLeft,
    why: `${refused.length === 1 ? 'the last review was refused' : `${refused.length} reviews in a row were refused`} (review.breakerRefusals is ${breakerRefusals}), so learning pauses until ${until.toISOString().slice(0, 16)}Z; look at \`knack stats\`, then \`knack review --reset-breaker\` goes on`,
  };
}

/** The last reviews that a model drafted for, as long as each was refused; oldest first. */
export function refusedInARow(entries: readonly LedgerEntry[]): readonly ReviewEnd[] {
  const since = entries.slice(entries.findLastIndex(({ type }) => type === 'breaker-reset') + 1);
  // What failed for want of an endpoint or a token says nothing about the drafts.
  const drafted = endsOf(since).filter(({ outcome, tokens }) => tokens.total > 0 && outcome !== 'failed');
  return drafted.slice(drafted.findLastIndex(({ outcome }) => outcome !== 'rejected') + 1);
}

/** The reviews that came to an end, with their tokens as numbers. */
export function endsOf(entries: readonly LedgerEntry[]): ReviewEnd[] {
  return entries.flatMap((entry) =>
    entry.type === 'review-end' && Number.isFinite(entry.tokens?.total) ? [entry] : [],
  );
}

/** The skills of others that a judge was asked about. */
export function judgedImports(entries: readonly LedgerEntry[]): ImportJudgedEntry[] {
  return entries.flatMap((entry) => (entry.type === 'import-judged' ? [entry] : []));
}
