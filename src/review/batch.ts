import { KnackError, messageOf } from '../errors.ts';
import type { Transcript } from '../transcript/event.ts';
import { findTranscripts } from './find-transcripts.ts';
import type { OutcomeKind, ReviewOutcome } from './outcome.ts';

/**
 * One transcript of a batch. `unreadable`: there was nothing to review in it, for the reason given. `skipped`: another
 * process reviews the session.
 */
export type BatchItem = { readonly file: string } & (
  | { readonly kind: 'reviewed'; readonly review: ReviewOutcome }
  | { readonly kind: 'unreadable' | 'failed' | 'skipped'; readonly reason: string }
);

/** All of a batch. */
export interface BatchSummary {
  readonly items: number;
  readonly outcomes: Readonly<Partial<Record<OutcomeKind | 'unreadable' | 'skipped', number>>>;
  readonly tokens: number;
  /** How many of those that ended as `nothing` were reviewed before. */
  readonly already?: number;
  /** How many of those that ended as `failed` only want a model that drafts. */
  readonly undrafted?: number;
  /** Files that could not be read or whose review failed. */
  readonly failed: readonly string[];
  /** Set when it was stopped before the end; a second run goes on there. */
  readonly stopped?: 'aborted' | 'token-ceiling';
}

export interface BatchOptions {
  /** Files and folders, absolute or relative to `cwd`. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** What `findTranscripts` found, where that was asked before: it takes the place of `paths`. */
  readonly files?: readonly string[];
  readonly read: (file: string) => Promise<Transcript>;
  readonly review: (transcript: Transcript) => Promise<ReviewOutcome>;
  /** Ceiling over the whole run. @default none */
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
  readonly onStart?: (item: {
    readonly file: string;
    readonly index: number;
    readonly total: number;
  }) => void;
  readonly onItem?: (item: BatchItem) => void;
}

/**
 * Reviews transcripts one after the other. A file that cannot be read or whose review fails is an item of its own and
 * never stops the run; what was reviewed before ends as `nothing` without a model call. Only a path that does not
 * exist throws (`not-found`), before anything is reviewed.
 */
export async function reviewPaths(options: BatchOptions): Promise<BatchSummary> {
  const files = options.files ?? (await findTranscripts(options.paths, options.cwd));
  const outcomes: Partial<Record<OutcomeKind | 'unreadable' | 'skipped', number>> = {};
  const failed: string[] = [];
  let tokens = 0;
  let items = 0;
  let already = 0;
  let undrafted = 0;
  let stopped: BatchSummary['stopped'];
  for (const [index, file] of files.entries()) {
    if (options.signal?.aborted) stopped = 'aborted';
    else if (options.maxTokens !== undefined && tokens >= options.maxTokens) stopped = 'token-ceiling';
    if (stopped !== undefined) break;
    options.onStart?.({ file, index, total: files.length });
    const item = await reviewFile(file, options);
    if (item === undefined) {
      stopped = 'aborted';
      break;
    }
    const outcome = item.kind === 'reviewed' ? item.review.outcome : item.kind;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome === 'failed' || outcome === 'unreadable') failed.push(file);
    if (item.kind === 'reviewed') {
      tokens += item.review.tokens.total;
      if (item.review.before !== undefined) already += 1;
      if (item.review.undrafted === true) undrafted += 1;
    }
    items += 1;
    options.onItem?.(item);
  }
  return {
    items,
    outcomes,
    tokens,
    ...(already === 0 ? {} : { already }),
    ...(undrafted === 0 ? {} : { undrafted }),
    failed,
    ...(stopped === undefined ? {} : { stopped }),
  };
}

async function reviewFile(file: string, options: BatchOptions): Promise<BatchItem | undefined> {
  let transcript: Transcript;
  try {
    transcript = await options.read(file);
  } catch (error) {
    if (isAborted(error)) return undefined;
    return { file, kind: 'unreadable', reason: messageOf(error) };
  }
  try {
    return { file, kind: 'reviewed', review: await options.review(transcript) };
  } catch (error) {
    if (isAborted(error)) return undefined;
    const isHeld = error instanceof KnackError && error.code === 'lock-held';
    return { file, kind: isHeld ? 'skipped' : 'failed', reason: messageOf(error) };
  }
}

function isAborted(error: unknown): boolean {
  return error instanceof KnackError && error.code === 'aborted';
}

/** Those of `files` that were not reviewed in full. One that cannot be read is left in, so that the run names it. */
export async function unreviewed(
  files: readonly string[],
  {
    read,
    isReviewed,
  }: {
    readonly read: (file: string) => Promise<Transcript>;
    readonly isReviewed: (transcript: Transcript) => Promise<boolean>;
  },
): Promise<string[]> {
  const left: string[] = [];
  for (const file of files) {
    try {
      if (await isReviewed(await read(file))) continue;
    } catch (error) {
      if (isAborted(error)) throw error;
    }
    left.push(file);
  }
  return left;
}
