import PQueue from 'p-queue';
import { KnackError, messageOf } from '../errors.ts';
import { takeClaim } from './claim.ts';
import { createJobFiles, type JobFiles, jobId, type ReviewJob, type StoredJob } from './job-files.ts';
import type { OutcomeKind, ReviewOutcome } from './outcome.ts';

export type { ReviewJob } from './job-files.ts';

/** What a job came to, as far as the queue and those who ask it care. */
export type JobResult = Pick<
  ReviewOutcome,
  'outcome' | 'reasons' | 'before' | 'skill' | 'version' | 'pending' | 'lessons'
>;

/** How the queue stands. */
export interface QueueStatus {
  readonly waiting: readonly ReviewJob[];
  readonly running: readonly ReviewJob[];
  /** They stay until they are tried again with success. */
  readonly failed: readonly (ReviewJob & { readonly id: string; readonly error: string })[];
  /** Finished by this process, in that order. */
  readonly ended: readonly (ReviewJob & JobResult)[];
  /** The same, counted by outcome. */
  readonly done: Readonly<Partial<Record<OutcomeKind, number>>>;
}

/**
 * Reviews in the background. At least once: a job is kept until its review ended, so that whoever runs it must be
 * idempotent (the ledger makes it so). No method rejects because a review failed.
 */
export interface ReviewQueue {
  /** Kept for good when it resolves. A job that is queued already is not queued twice; a failed one is tried again. */
  add(job: ReviewJob): Promise<void>;
  /** Resolves when nothing waits or runs. */
  onIdle(): Promise<void>;
  /**
   * Starts nothing more, gives what runs `ms` milliseconds, then stops it. What did not end waits for the next start.
   * Resolves within `ms` and a second.
   */
  drain(ms: number): Promise<{ readonly left: number }>;
  status(): Promise<QueueStatus>;
  /** Tries failed jobs again: one, or all. */
  retry(id?: string): Promise<number>;
}

export interface ReviewQueueOptions {
  /** Where jobs are kept. */
  readonly dir: string;
  /**
   * Reviews one transcript. What it throws, and an outcome `failed`, make a failed job; `aborted` and `lock-held` leave
   * it waiting.
   */
  readonly run: (job: ReviewJob, signal: AbortSignal) => Promise<JobResult>;
  /** @default 1 */
  readonly concurrency?: number;
  /** Milliseconds after which a review counts as failed. @default 1800000 */
  readonly timeoutMs?: number;
  readonly now: () => Date;
  /** What keeps a job from being run or kept, for the person; how reviews end is in `status`. */
  readonly log?: (line: string) => void;
}

/** How long a stopped review is waited for. */
const STOP_MS = 1000;

/** The queue in this process; what an earlier one left waiting in the folder is started at once. */
export async function openReviewQueue(options: ReviewQueueOptions): Promise<ReviewQueue> {
  const files = createJobFiles(options.dir);
  const queue = new PQueue({ concurrency: options.concurrency ?? 1 });
  const stop = new AbortController();
  const running = new Map<string, ReviewJob>();
  const queued = new Set<string>();
  const ended: (ReviewJob & JobResult)[] = [];

  const start = (job: StoredJob) => {
    if (queued.has(job.id) || stop.signal.aborted) return;
    queued.add(job.id);
    void queue.add(async () => {
      queued.delete(job.id);
      running.set(job.id, job);
      try {
        const result = await runStored(files, job.id, options, stop.signal);
        if (result !== undefined) ended.push({ ...published(job), ...result });
      } catch (error) {
        // Its state could not be kept: the file is as it was, and the next start tries again.
        options.log?.(`review of ${job.session}: ${messageOf(error)}`);
      } finally {
        running.delete(job.id);
      }
    });
  };

  for (const job of await files.all()) if (job.state === 'waiting') start(job);

  return {
    async add(job) {
      const stored: StoredJob = {
        ...job,
        id: jobId(job),
        added: options.now().toISOString(),
        state: 'waiting',
      };
      await files.write(stored);
      start(stored);
      // Among them may be one that another process was reviewing.
      for (const other of await files.all())
        if (other.state === 'waiting' && !running.has(other.id)) start(other);
    },
    onIdle: () => queue.onIdle(),
    async drain(ms) {
      queue.pause();
      queue.clear();
      await within(queue.onPendingZero(), ms);
      stop.abort();
      await within(queue.onPendingZero(), STOP_MS);
      return { left: (await files.all()).filter((job) => job.state === 'waiting').length };
    },
    async status() {
      const jobs = await files.all();
      return {
        waiting: jobs.filter((job) => job.state === 'waiting' && !running.has(job.id)).map(published),
        running: [...running.values()].map(published),
        failed: jobs.flatMap((job) =>
          job.state === 'failed'
            ? [{ ...published(job), id: job.id, error: job.error ?? 'no reason was kept' }]
            : [],
        ),
        ended: [...ended],
        done: countOutcomes(ended),
      };
    },
    async retry(id) {
      const failed = (await files.all()).filter(
        (job) => job.state === 'failed' && job.file !== '' && (id === undefined || job.id === id),
      );
      for (const { error: _, ...job } of failed) {
        const again: StoredJob = { ...job, state: 'waiting' };
        await files.write(again);
        start(again);
      }
      return failed.length;
    },
  };
}

/** Runs a job unless another process has it or has done it, and keeps what it came to. */
async function runStored(
  files: JobFiles,
  id: string,
  options: ReviewQueueOptions,
  stop: AbortSignal,
): Promise<JobResult | undefined> {
  if (stop.aborted) return undefined;
  const claim = await takeClaim(files.claimOf(id), async () => (await files.read(id)) !== undefined);
  if (claim.kind !== 'ours') return undefined;
  try {
    const job = await files.read(id);
    if (job === undefined || job.state === 'failed') return undefined;
    const end = await runJob(job, options, stop);
    if (end === 'later') return undefined;
    // Added again meanwhile, as when its session went on: that job is another one.
    if ((await files.read(id))?.added !== job.added) return end;
    if (end.outcome !== 'failed') {
      await files.remove(id);
      return end;
    }
    await files.write({ ...job, state: 'failed', error: end.reasons.join('; ') });
    return end;
  } finally {
    await claim.release();
  }
}

async function runJob(
  job: StoredJob,
  { run, log, timeoutMs = 1_800_000 }: ReviewQueueOptions,
  stop: AbortSignal,
): Promise<JobResult | 'later'> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await run(published(job), AbortSignal.any([stop, timeout]));
  } catch (error) {
    const code = error instanceof KnackError ? error.code : undefined;
    if (stop.aborted && code === 'aborted') return 'later';
    if (code === 'lock-held') {
      log?.(`review of ${job.session} is left for later: ${messageOf(error)}`);
      return 'later';
    }
    const reason = timeout.aborted
      ? `it took longer than ${Math.round(timeoutMs / 1000)} seconds`
      : messageOf(error);
    return { outcome: 'failed', reasons: [reason] };
  }
}

function countOutcomes(results: readonly JobResult[]): Partial<Record<OutcomeKind, number>> {
  const counts: Partial<Record<OutcomeKind, number>> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

async function within(done: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

function published({ session, file }: ReviewJob): ReviewJob {
  return { session, file };
}
