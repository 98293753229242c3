/** A process that opens the review queue of a folder, adds one job, says when it runs, and never ends it: DIR SESSION. */

import { openReviewQueue } from '../../src/review/queue.ts';

const [dir = '', session = ''] = process.argv.slice(2);
const queue = await openReviewQueue({
  dir,
  now: () => new Date('2026-01-01T00:00:00Z'),
  run: () => {
    process.stdout.write('running\n');
    return new Promise(() => setInterval(() => undefined, 60_000));
  },
});
await queue.add({ session, file: `/sessions/${session}.jsonl` });
