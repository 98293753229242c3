import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { holderOf } from './claim.ts';
import type { LedgerEntry, ReviewStart } from './ledger-entry.ts';

/** A review that a process is at, this one or another. */
export type RunningReview = Pick<ReviewStart, 'id' | 'session' | 'at'>;

/** The file by which a process claims the review of a session, in the folder of the reviews. */
export function reviewClaim(reviews: string, session: string): string {
  return join(reviews, `${createHash('sha256').update(session).digest('hex').slice(0, 12)}.claim`);
}

/**
 * The reviews that ask a model at this moment, oldest first: those that began, have no end since, and whose session a
 * living process holds. One that was cut off is none of them.
 */
export async function runningReviews(
  reviews: string,
  entries: readonly LedgerEntry[],
): Promise<RunningReview[]> {
  const open = new Map<string, ReviewStart>();
  for (const entry of entries)
    if (entry.type === 'review-start') open.set(entry.session, entry);
    else if (entry.type === 'review-end') open.delete(entry.session);
  const running: RunningReview[] = [];
  for (const { id, session, at } of open.values())
    if ((await holderOf(reviewClaim(reviews, session))) !== undefined) running.push({ id, session, at });
  return running;
}
