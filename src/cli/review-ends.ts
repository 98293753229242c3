import type { LessonOutcome } from '../review/outcome.ts';
import type { PendingEntry, PendingStore } from '../review/pending.ts';
import type { JobResult, ReviewJob, ReviewQueue } from '../review/queue.ts';
import { counted } from '../text/counted.ts';
import { clip, type Output } from './output.ts';

/** A review in the background that ended. */
export type EndedReview = ReviewJob & JobResult;

const LONGEST_REASON = 160;

/** What became of a staged change, in a few words with the command that shows it. */
export function pendingState(id: string, entries: readonly PendingEntry[]): string {
  const entry = entries.find((each) => each.id === id);
  switch (entry?.state) {
    case 'approved':
      return `approved: ${entry.version === 'none' ? `${entry.skill} is retired` : `${entry.skill} ${entry.version}`} (knack skills pending ${id})`;
    case 'rejected':
      return `rejected by you (knack skills pending ${id})`;
    case 'waiting':
    case 'stale':
      return `waits for you: knack skills pending ${id}`;
    case undefined:
      return `${id} waits no more: it was removed`;
  }
}

/** The changes that a review staged, of all its lessons. */
export function stagedIn({ lessons, pending }: Pick<LessonOutcome, 'pending'> & Pick<JobResult, 'lessons'>) {
  return [...new Set((lessons ?? [{ pending }]).flatMap((lesson) => lesson.pending ?? []))];
}

/** What a review came to, a line for each change; nothing of one that had been reviewed before. */
export function describeEnd(end: EndedReview, entries: readonly PendingEntry[]): string[] {
  if (end.before !== undefined) return [];
  const changes = (end.lessons ?? [end]).flatMap((change) => describeChange(change, entries));
  const reason = clip(end.reasons.join('; '), LONGEST_REASON);
  switch (end.outcome) {
    case 'committed':
    case 'staged':
      return changes;
    case 'failed':
      return [...changes, `the review of ${end.session} failed: ${reason}; \`knack review\` tries again`];
    case 'rejected':
      return [
        `the gate refused what the review of ${end.session} drafted: ${reason}; \`knack reviews\` says more`,
      ];
    case 'nothing':
      return [`the review of ${end.session} found nothing to learn: ${reason}`];
  }
}

function describeChange(
  { outcome, skill, version, pending }: Pick<LessonOutcome, 'outcome' | 'skill' | 'version' | 'pending'>,
  entries: readonly PendingEntry[],
): string[] {
  if (outcome === 'committed')
    return [
      version === 'none'
        ? `learned: ${skill} is retired; \`knack skills restore ${skill}\` brings it back`
        : `learned: ${skill} ${version}; \`knack skills log ${skill}\` shows it`,
    ];
  return outcome === 'staged' && pending !== undefined
    ? [`a change of ${skill} ${pendingState(pending, entries)}`]
    : [];
}

/** What reviews came to at the end of a chat; of those that taught nothing only how many there are. */
export function describeEnds(ends: readonly EndedReview[], entries: readonly PendingEntry[]): string[] {
  const silent = ends.filter(({ before, outcome }) => before === undefined && outcome === 'nothing');
  return [
    ...ends.filter((end) => !silent.includes(end)).flatMap((end) => describeEnd(end, entries)),
    ...(silent.length > 0 ? [`reviews: nothing learned from ${counted(silent.length, 'session')}`] : []),
  ];
}

/** Tells of the reviews in the background that end while a chat goes on, each once. */
export interface ReviewNews {
  /** Looks what ended; whether there is a line to tell. With `--json` there never is: the end of the chat says it all. */
  collect(): Promise<boolean>;
  /** Tells at once, on stderr, what was collected. */
  tell(): void;
  /** What was not told, which counts as told then. */
  rest(): Promise<readonly EndedReview[]>;
}

export function createReviewNews(
  { queue, pending }: { readonly queue: ReviewQueue; readonly pending: () => Promise<PendingStore> },
  output: Output,
): ReviewNews {
  let seen = 0;
  let untold: EndedReview[] = [];
  let changes: readonly PendingEntry[] = [];
  const look = async () => {
    const { ended } = await queue.status();
    untold.push(...ended.slice(seen));
    seen = Math.max(seen, ended.length);
  };
  const lines = () => untold.flatMap((end) => describeEnd(end, changes));
  return {
    async collect() {
      if (output.json) return false;
      await look();
      if (untold.length > 0) changes = await (await pending()).list({ all: true });
      return lines().length > 0;
    },
    tell() {
      for (const line of lines()) output.note(line);
      untold = [];
    },
    async rest() {
      await look();
      const ends = untold;
      untold = [];
      return ends;
    },
  };
}
