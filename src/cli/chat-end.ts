import type { ReviewQueue } from '../review/queue.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { counted, noun } from '../text/counted.ts';
import type { Output } from './output.ts';
import { describeEnds, type ReviewNews } from './review-ends.ts';

/** How long the end of a chat waits for reviews, with a person who can stop that and without. */
const WAIT_MS = { interactive: 60_000, alone: 5000 };

/** What the end of a chat goes by. */
export interface ChatEnd {
  readonly queue: ReviewQueue;
  /** What became of reviews while the chat went on. */
  readonly news: ReviewNews;
  /** Those of this chat: of others nothing is told. */
  readonly sessions: ReadonlySet<string>;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Waits for the reviews of a chat, closes the runtime, and tells what came of them and what is left. */
export async function endReviews(runtime: Runtime, end: ChatEnd): Promise<void> {
  const { queue, news, sessions, output, signal } = end;
  const before = await queue.status();
  const isAttended = output.interactive && !signal.aborted;
  if (before.waiting.length + before.running.length > 0) {
    output.note(`reviewing what was said${isAttended ? '; Ctrl-C leaves it for later' : ''}`);
    if (isAttended) await idleOrStopped(queue, signal);
    // The terminal has put its `^C` into the line.
    if (isAttended && signal.aborted) output.note('');
  }
  const { left } = await runtime.close(isAttended ? 0 : WAIT_MS.alone);
  const ended = (await news.rest()).filter(({ session }) => sessions.has(session));
  const entries = ended.length === 0 ? [] : await (await runtime.pending()).list({ all: true });
  for (const line of describeEnds(ended, entries)) output.note(line);
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
