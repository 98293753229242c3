import { join } from 'node:path';
import type { Revision } from '../history/revision.ts';
import type { Transcript } from '../transcript/event.ts';
import type { Unfinished } from './ledger.ts';
import { prefixHash } from './ledger.ts';
import type { LedgerEntry, ReviewStart } from './ledger-entry.ts';
import { keptLessons, lastDraft, lessonId, type Progress } from './lesson-files.ts';
import type { LessonOutcome, ReviewOutcome } from './outcome.ts';
import type { ReviewParts } from './parts.ts';
import { finishMerge } from './retiring.ts';

/** What earlier reviews of a session mean for this one. */
export interface Before {
  /** Events that an earlier review covers. */
  readonly from: number;
  /** Why there is nothing to do. */
  readonly why?: string;
  /** What an earlier review came to, also one that committed and was cut off before it could say so. */
  readonly end?: Partial<ReviewOutcome>;
  /** A review of several lessons that is to go on, under its own id; `spent` is what it did not yet account for. */
  readonly resumed?: { readonly id: string; readonly progress: Progress; readonly spent: number };
}

const NOTHING_SPENT = { reviewer: 0, judge: 0, total: 0 };
const CUT_OFF = 'its commit was made before the review was cut off';

/** Looks at the ledger, and for a review that was cut off at what it had committed or staged. */
export async function reviewedBefore(parts: ReviewParts, transcript: Transcript): Promise<Before> {
  const last = await parts.ledger.lastReview(transcript);
  if (last !== undefined && last.events === transcript.events.length)
    return {
      from: last.events,
      why: `reviewed already: ${last.id} ended as ${outcomeOf(last)}`,
      end: { before: outcomeOf(last) },
    };
  const from = last?.events ?? 0;
  const unfinished = await parts.ledger.unfinished(transcript.session.id, prefixHash(transcript));
  if (unfinished.length === 0) return { from };
  const revisions = await parts.history.logAll();
  for (const start of [...unfinished].reverse()) {
    const lessons = await keptLessons(join(parts.workspace.reviews, start.id));
    if (lessons.length > 0) return { from, resumed: await resumedFrom(parts, start, lessons, revisions) };
    const done = start.isFailed ? undefined : await committedBy(start.id, parts, revisions);
    if (done === undefined) continue;
    const { isFailed: _, isStopped: __, ...mark } = start;
    const end = { ...done, tokens: NOTHING_SPENT };
    await parts.ledger.append({ ...mark, type: 'review-end', ...end });
    return { from: start.events, why: done.reasons.join('; '), end: { id: start.id, ...done } };
  }
  return { from };
}

async function resumedFrom(
  parts: ReviewParts,
  start: Unfinished,
  lessons: Progress['lessons'],
  revisions: readonly Revision[],
): Promise<NonNullable<Before['resumed']>> {
  const entries = await parts.ledger.entries();
  const known = new Map(
    entries.flatMap((entry) => (isEndOf(start, entry) ? [[entry.id, entry] as const] : [])),
  );
  const pending = await parts.pending.list({ all: true });
  const ends: LessonOutcome[] = [];
  for (const [index, { lesson }] of lessons.entries()) {
    const id = lessonId(start.id, index + 1);
    const end = known.get(id);
    const staged = pending.find(({ review }) => review === id);
    const done =
      end ??
      (await committedBy(id, parts, revisions)) ??
      (staged && {
        outcome: 'staged' as const,
        skill: staged.skill,
        pending: staged.id,
        reasons: staged.why,
      });
    // What failed is what is to be tried again.
    if (done === undefined || done.outcome === 'failed') continue;
    ends.push({ lesson, ...withoutMarks(done), id });
  }
  // The end of a review that failed or was stopped has counted them.
  const spent =
    start.isFailed || start.isStopped
      ? 0
      : [...known.values()].reduce((sum, { tokens }) => sum + tokens.total, 0);
  return { id: start.id, progress: { lessons, ends }, spent };
}

type Kept = Extract<LedgerEntry, { type: 'lesson-end' }>;

function isEndOf(start: ReviewStart, entry: LedgerEntry): entry is Kept {
  return entry.type === 'lesson-end' && entry.review === start.id && typeof entry.tokens === 'object';
}

function withoutMarks(end: Omit<LessonOutcome, 'id' | 'tokens'> & Partial<Kept>): Omit<LessonOutcome, 'id'> {
  const { type: _, at: __, session: ___, review: ____, id: _____, ...rest } = end;
  return { tokens: NOTHING_SPENT, ...rest };
}

/** What a review or a lesson that was cut off had committed; of a merge the other half is done now. */
async function committedBy(id: string, parts: ReviewParts, revisions: readonly Revision[]) {
  const revision = revisions.find(({ review }) => review === id);
  if (revision === undefined) return undefined;
  const told = await finishMerge(await lastDraft(join(parts.workspace.reviews, id)), revision, parts);
  const { skill, version, sha } = revision;
  return { outcome: 'committed' as const, skill, version, sha, reasons: [CUT_OFF, ...told] };
}

/** An outcome in a few words. */
export function outcomeOf({
  outcome,
  skill,
  version,
}: Pick<ReviewOutcome, 'outcome' | 'skill' | 'version'>): string {
  const what = skill === undefined ? '' : ` ${skill}${version === undefined ? '' : ` ${version}`}`;
  return `${outcome}${what}`;
}
