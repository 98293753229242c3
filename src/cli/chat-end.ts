import { counted, noun } from '../counted.ts';
import type { JobResult, ReviewJob, ReviewQueue } from '../review/queue.ts';
import type { Runtime } from '../runtime.ts';
import type { Output } from './output.ts';

/** How long the end of a chat waits for reviews, with a person who can stop that and without. */
const WAIT_MS = { interactive: 60_000, alone: 5000 };

/** What the end of a chat goes by. */
export interface ChatEnd {
  readonly queue: ReviewQueue;
  /** Those of this chat: of others nothing is told. */
  readonly sessions: ReadonlySet<string>;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Waits for the reviews of a chat, closes the runtime, and tells what came of them and what is left. */
export async function endReviews(runtime: Runtime, end: ChatEnd): Promise<void> {
  const { queue, sessions, output, signal } = end;
  const before = await queue.status();
  const isAttended = output.interactive && !signal.aborted;
  if (before.waiting.length + before.running.length > 0) {
    output.note(`reviewing what was said${isAttended ? '; Ctrl-C leaves it for later' : ''}`);
    if (isAttended) await idleOrStopped(queue, signal);
    // The terminal has put its `^C` into the line.
    if (isAttended && signal.aborted) output.note('');
  }
  const { left } = await runtime.close(isAttended ? 0 : WAIT_MS.alone);
  const { ended, failed } = await queue.status();
  const isOurs = ({ session }: ReviewJob) => sessions.has(session);
  for (const line of describeEnds(ended.filter(isOurs))) output.note(line);
  for (const job of failed.filter(isOurs))
    output.note(`the review of ${job.session} failed; \`knack review\` tries again`);
  if (left > 0)
    output.note(
      `${counted(left, 'review is', 'reviews are')} left: \`knack review\` does ${noun(left, 'it', 'them')} now, or the next \`knack chat\``,
    );
}

async function idleOrStopped(queue: ReviewQueue, signal: AbortSignal): Promise<void> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS.interactive)]);
  const stopped = new Promise<void>((done) => {
    stop.addEventListener('abort', () => done(), { once: true });
  });
  await Promise.race([queue.onIdle(), stopped]);
}

/** What reviews came to, and where to look; nothing of one that had been reviewed before. */
function describeEnds(ends: readonly JobResult[]): string[] {
  const fresh = ends.filter(({ before, outcome }) => before === undefined && outcome !== 'failed');
  if (fresh.length === 0) return [];
  const committed = fresh.filter(({ outcome }) => outcome === 'committed');
  const staged = fresh.filter(({ outcome }) => outcome === 'staged');
  const rest = fresh.length - committed.length - staged.length;
  return [
    ...committed.map(
      ({ skill, version }) => `learned: ${skill} ${version}; \`knack skills log ${skill}\` shows it`,
    ),
    ...staged.map(({ skill, pending }) => `${skill} waits for you: \`knack skills pending ${pending}\``),
    ...(rest > 0 ? [`reviews: nothing learned from ${counted(rest, 'session')}`] : []),
  ];
}
