import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { KnackError } from '../errors.ts';
import { loadTokenizer } from '../model/tokens.ts';
import type { Signal, Transcript } from '../transcript/event.ts';
import { findSignals } from '../transcript/signals.ts';
import { type AttemptsEnd, runAttempts } from './attempts.ts';
import { brakesOf } from './brakes.ts';
import { takeClaim } from './claim.ts';
import { buildDigest } from './digest.ts';
import { prefixHash } from './ledger.ts';
import type { ReviewAttempt, ReviewOutcome } from './outcome.ts';
import type { ReviewOptions, ReviewParts } from './parts.ts';
import { createReviewLog } from './review-log.ts';
import { createTokenBudget } from './token-budget.ts';

const NO_MODEL =
  'no model is set, so nothing was drafted: give OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint, and KNACK_MODEL; then review again';

/**
 * Reviews one finished session: signals → digest → drafter ⇄ gate → commit or stage. Ends in an outcome with reasons, and
 * only throws `aborted`, `lock-held` where another process reviews the same session, which may be tried again later, or
 * `io` where the ledger cannot be written. What was reviewed before is not reviewed again; of a session that grew only
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
  const name = createHash('sha256').update(session).digest('hex').slice(0, 12);
  const claim = await takeClaim(join(parts.workspace.reviews, `${name}.claim`));
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
  { id, at }: { id: string; at: Date },
): Promise<ReviewOutcome> {
  const before = options.again === true ? { from: 0 } : await reviewedBefore(parts, transcript);
  if (before.why !== undefined)
    return { ...blank(id, transcript), outcome: 'nothing', reasons: [before.why], ...before.end };
  const signals = signalsFrom(transcript, before.from);
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

  async function finish(end: AttemptsEnd): Promise<ReviewOutcome> {
    const tokens = budget.spent();
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
      const came = `it had ended as ${outcomeOf(outcome)}, after ${tokens.total} tokens`;
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
          ? `no signal in ${mark.events} events`
          : `no signal in the ${mark.events - before.from} events since the last review`,
      ],
    });
  if (parts.reviewer === undefined) return finish({ outcome: 'failed', reasons: [NO_MODEL] });
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
    end = await runAttempts({
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
      progress: (event) => options.onProgress?.(event),
    });
  } catch (error) {
    if (!(error instanceof KnackError) || error.code === 'aborted') throw error;
    end = { outcome: 'failed', reasons: [error.message] };
  }
  // A commit whose end cannot be written down is found again by the next review, never called a failure.
  return finish(end);
}

interface Before {
  /** Events that an earlier review covers. */
  readonly from: number;
  /** Why there is nothing to do. */
  readonly why?: string;
  /** What an earlier review came to, also one that committed and was cut off before it could say so. */
  readonly end?: Partial<ReviewOutcome>;
}

async function reviewedBefore(parts: ReviewParts, transcript: Transcript): Promise<Before> {
  const last = await parts.ledger.lastReview(transcript);
  if (last !== undefined && last.events === transcript.events.length)
    return {
      from: last.events,
      why: `reviewed already: ${last.id} ended as ${outcomeOf(last)}`,
      end: { before: outcomeOf(last) },
    };
  const unfinished = await parts.ledger.unfinished(transcript.session.id, prefixHash(transcript));
  if (unfinished.length === 0) return { from: last?.events ?? 0 };
  const revisions = await parts.history.logAll();
  for (const start of unfinished) {
    const revision = revisions.find(({ review }) => review === start.id);
    if (revision === undefined) continue;
    const { skill, version, sha } = revision;
    const why = 'its commit was made before the review was cut off';
    const end = { outcome: 'committed' as const, skill, version, sha };
    const tokens = { reviewer: 0, judge: 0, total: 0 };
    await parts.ledger.append({ ...start, type: 'review-end', ...end, tokens, reasons: [why] });
    return { from: start.events, why, end: { id: start.id, ...end } };
  }
  return { from: last?.events ?? 0 };
}

/** Why this session is not for review at all. By purpose and id, never by its text. */
async function whyExcluded(parts: ReviewParts, { session }: Transcript): Promise<string | undefined> {
  if (parts.settings.autonomy === 'off') return 'review.autonomy is "off" in knack.json: nothing is reviewed';
  if (session.purpose === 'review') return 'the session is itself a review';
  const isOwn = (await parts.ledger.entries()).some((entry) => 'id' in entry && entry.id === session.id);
  return isOwn ? 'the session is itself a review' : undefined;
}

function signalsFrom(transcript: Transcript, from: number): Signal[] {
  const late = new Set(transcript.events.slice(from).map((event) => event.id));
  return findSignals(transcript).filter((signal) => late.has(signal.event));
}

function blank(id: string, transcript: Transcript) {
  const tokens = { reviewer: 0, judge: 0, total: 0 };
  return { id, session: transcript.session.id, tokens, signals: [], attempts: [] };
}

function outcomeOf({
  outcome,
  skill,
  version,
}: Pick<ReviewOutcome, 'outcome' | 'skill' | 'version'>): string {
  const what = skill === undefined ? '' : ` ${skill}${version === undefined ? '' : ` ${version}`}`;
  return `${outcome}${what}`;
}
