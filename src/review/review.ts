import { join } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import { loadTokenizer } from '../model/tokens.ts';
import { counted } from '../text/counted.ts';
import type { Signal, Transcript } from '../transcript/event.ts';
import { findSignals } from '../transcript/signals.ts';
import type { AttemptsEnd } from './attempts.ts';
import { brakesOf } from './brakes.ts';
import { takeClaim } from './claim.ts';
import { buildDigest } from './digest.ts';
import { prefixHash } from './ledger.ts';
import { BEGINNING } from './lesson-files.ts';
import { runLessons } from './lessons.ts';
import type { ReviewAttempt, ReviewEvent, ReviewOutcome } from './outcome.ts';
import type { ReviewOptions, ReviewParts } from './parts.ts';
import { type Before, outcomeOf, reviewedBefore } from './resume.ts';
import { createReviewLog } from './review-log.ts';
import { reviewClaim } from './running-reviews.ts';
import { skillTrials } from './skill-trials.ts';
import { createTokenBudget } from './token-budget.ts';

const NO_MODEL =
  'worth drafting, but no model is set: give OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint, and KNACK_MODEL; then review again';

const STOPPED = 'it was stopped before its end; `knack review` reviews the session again';

/**
 * Reviews one finished session: signals → digest → drafter ⇄ gate → commit or stage. Ends in an outcome with reasons, and
 * only throws `aborted`, `lock-held` where another process reviews the same session, which may be tried again later, or
 * `io` where the ledger or the log of use cannot be written. What was reviewed before is not reviewed again; of a session that grew only
 * the signals after that count.
 */
export async function reviewTranscript(
  parts: ReviewParts,
  transcript: Transcript,
  options: ReviewOptions = {},
): Promise<ReviewOutcome> {
  const at = parts.now();
  const id = `${at.toISOString().slice(0, 10).replaceAll('-', '')}-${parts.newId().slice(0, 8)}`;
  const excluded = await whyExcluded(parts, transcript);
  if (excluded !== undefined) return { ...blank(id, transcript), outcome: 'nothing', reasons: [excluded] };
  const session = transcript.session.id;
  const claim = await takeClaim(reviewClaim(parts.workspace.reviews, session));
  if (claim.kind !== 'ours')
    throw new KnackError(
      'lock-held',
      `session ${session} is being reviewed${claim.kind === 'held' ? ` by process ${claim.process}` : ''}`,
    );
  try {
    return await reviewClaimed(parts, transcript, options, { id, at });
  } finally {
    await claim.release();
  }
}

async function reviewClaimed(
  parts: ReviewParts,
  transcript: Transcript,
  options: ReviewOptions,
  fresh: { id: string; at: Date },
): Promise<ReviewOutcome> {
  const before: Before = options.again === true ? { from: 0 } : await reviewedBefore(parts, transcript);
  if (before.why !== undefined)
    return { ...blank(fresh.id, transcript), outcome: 'nothing', reasons: [before.why], ...before.end };
  const { at } = fresh;
  const id = before.resumed?.id ?? fresh.id;
  const all = findSignals(transcript);
  const signals = signalsFrom(transcript, before.from, all);
  for (const trial of skillTrials(transcript, all, at)) await parts.usage?.tried(trial);
  options.onProgress?.({ type: 'signals-found', signals });
  const mark = {
    id,
    at: at.toISOString(),
    session: transcript.session.id,
    events: transcript.events.length,
    prefix: prefixHash(transcript),
  };
  const log = createReviewLog(join(parts.workspace.reviews, id), parts.redactor);
  const attempts: ReviewAttempt[] = [];
  const brakes = brakesOf(await parts.ledger.entries(), parts.settings, at);
  const budget =
    brakes.tokensLeft < parts.settings.maxTokens
      ? createTokenBudget(brakes.tokensLeft, 'what is left of review.dailyTokens')
      : createTokenBudget(parts.settings.maxTokens, 'review.maxTokens');

  async function finish(end: AttemptsEnd & { readonly aborted?: true }): Promise<ReviewOutcome> {
    const tokens = withEarlier(budget.spent(), before.resumed?.spent ?? 0);
    const texts = parts.redactor.value({
      reasons: end.reasons,
      ...(end.lesson === undefined ? {} : { lesson: end.lesson }),
    });
    const facts = { ...end, ...texts };
    const outcome: ReviewOutcome = { id, session: mark.session, ...facts, tokens, signals, attempts };
    try {
      await log.json('outcome.json', { ...outcome, attempts: attempts.length });
      const at = parts.now().toISOString();
      await parts.ledger.append({ type: 'review-end', ...mark, at, ...facts, tokens });
    } catch (error) {
      if (!(error instanceof KnackError)) throw error;
      const came = `it had ended as ${outcomeOf(outcome)}, after ${counted(tokens.total, 'token')}`;
      throw new KnackError(error.code, `${error.message}; ${came}`, { cause: error });
    }
    options.onProgress?.({ type: 'review-end', outcome });
    return outcome;
  }

  if (signals.length === 0)
    return finish({
      outcome: 'nothing',
      reasons: [
        before.from === 0
          ? `no signal in ${counted(mark.events, 'event')}`
          : `no signal in the ${counted(mark.events - before.from, 'event')} since the last review`,
      ],
    });
  // No review took place, and none is written down.
  if (parts.reviewer === undefined)
    return { ...blank(id, transcript), outcome: 'failed', reasons: [NO_MODEL], signals, undrafted: true };
  if (brakes.why !== undefined) return finish({ outcome: 'failed', reasons: [brakes.why] });
  await parts.ledger.append({ type: 'review-start', ...mark });
  let end: AttemptsEnd;
  try {
    // Not in the middle of another process's change, where a skill is missing for a moment.
    await parts.history.settled(() => parts.library.refresh());
    await loadTokenizer();
    const digest = buildDigest(transcript, signals, { tokens: parts.settings.digestTokens });
    options.onProgress?.({ type: 'digest-built', tokens: digest.tokens });
    await log.text('digest.md', digest.text);
    const run = {
      id,
      parts,
      transcript,
      signals,
      digest: digest.text,
      reviewer: budget.meter(parts.reviewer, 'reviewer'),
      judge: parts.judge === undefined ? undefined : budget.meter(parts.judge, 'judge'),
      budget,
      log,
      attempts,
      signal: options.signal,
      progress: (event: ReviewEvent) => options.onProgress?.(event),
    };
    end = await runLessons(run, before.resumed?.progress ?? BEGINNING);
  } catch (error) {
    if (error instanceof KnackError && error.code === 'aborted') {
      // What it spent is spent.
      await finish({ outcome: 'failed', reasons: [STOPPED], aborted: true });
      throw error;
    }
    // What nobody foresaw is an end too: the tokens are spent, and whoever asks learns why.
    if (!(error instanceof KnackError)) await log.text('fault.txt', stackOf(error));
    end = {
      outcome: 'failed',
      reasons: [error instanceof KnackError ? error.message : unforeseen(log.dir, error)],
    };
  }
  // A commit whose end cannot be written down is found again by the next review, never called a failure.
  return finish(end);
}

function unforeseen(dir: string, error: unknown): string {
  return `unexpected fault: ${messageOf(error)}; this is an error in knack, and ${join(dir, 'fault.txt')} shows where`;
}

function stackOf(error: unknown): string {
  return `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
}

/** Why this session is not for review at all. By purpose and id, never by its text. */
export async function whyExcluded(
  parts: Pick<ReviewParts, 'settings' | 'ledger'>,
  { session }: Transcript,
): Promise<string | undefined> {
  if (parts.settings.autonomy === 'off') return 'review.autonomy is "off" in knack.json: nothing is reviewed';
  if (session.purpose === 'review') return 'the session is itself a review';
  const isOwn = (await parts.ledger.entries()).some((entry) => 'id' in entry && entry.id === session.id);
  return isOwn ? 'the session is itself a review' : undefined;
}

/** The signals in the events from this one on. */
export function signalsFrom(
  transcript: Transcript,
  from: number,
  all: readonly Signal[] = findSignals(transcript),
): Signal[] {
  const late = new Set(transcript.events.slice(from).map((event) => event.id));
  return all.filter((signal) => late.has(signal.event));
}

function blank(id: string, transcript: Transcript) {
  const tokens = { reviewer: 0, judge: 0, total: 0 };
  return { id, session: transcript.session.id, tokens, signals: [], attempts: [] };
}

/** With what a review spent before it was cut off, of which nobody knows any more for whom. */
function withEarlier(tokens: ReviewOutcome['tokens'], earlier: number): ReviewOutcome['tokens'] {
  return { ...tokens, reviewer: tokens.reviewer + earlier, total: tokens.total + earlier };
}
