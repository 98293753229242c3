import { type Command, Option } from 'commander';
import { brakesOf, endsOf } from '../../review/brakes.ts';
import { outcomeOf } from '../../review/resume.ts';
import { runningReviews } from '../../review/running-reviews.ts';
import { counted } from '../../text/counted.ts';
import type { Act } from '../command.ts';
import { wholeNumber } from '../options.ts';
import { shownWhole } from '../output.ts';
import { pendingState, stagedIn } from '../review-ends.ts';
import { withLookingRuntime } from '../with-runtime.ts';

const OUTCOMES = ['nothing', 'committed', 'staged', 'rejected', 'failed'] as const;

export function configure(command: Command, act: Act): void {
  command
    .option('--limit <n>', 'most reviews, newest first', wholeNumber, 20)
    .addOption(new Option('--outcome <kind>', 'those alone that ended so').choices(OUTCOMES))
    .action(
      act(async (context, options: { limit: number; outcome?: string }) =>
        withLookingRuntime(context, async (runtime) => {
          const entries = await (await runtime.ledger()).entries();
          const { why } = brakesOf(entries, runtime.config.review, new Date());
          const running = await runningReviews(runtime.workspace.reviews, entries);
          const changes = await (await runtime.pending()).list({ all: true });
          const ends = endsOf(entries)
            .filter(({ outcome }) => options.outcome === undefined || outcome === options.outcome)
            .reverse();
          const reviews = ends
            .slice(0, options.limit)
            .map(({ type: _, events: __, prefix: ___, ...review }) => review);
          context.output.result(
            { reviews, total: ends.length, running, ...(why ? { paused: why } : {}) },
            () =>
              [
                ...(why === undefined ? [] : [`paused: ${why}`]),
                ...running.map(
                  ({ id, at, session }) => `${id}  ${at.slice(0, 16)}  running  ${shownWhole(session)}`,
                ),
                ...(reviews.length + running.length === 0 ? ['no reviews yet'] : []),
                ...reviews.flatMap((review) => [
                  `${review.id}  ${review.at.slice(0, 16)}  ${shownWhole(outcomeOf(review))}  ${shownWhole(review.session)} (${counted(review.tokens.total, 'token')})`,
                  ...review.reasons.map((reason) => `    ${shownWhole(reason)}`),
                  ...stagedIn(review).map((id) => `    ${pendingState(id, changes)}`),
                ]),
                ...(ends.length > reviews.length
                  ? [`${counted(ends.length - reviews.length, 'older one')}: --limit ${ends.length}`]
                  : []),
              ].join('\n'),
          );
          return 0;
        }),
      ),
    );
}
