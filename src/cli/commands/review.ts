import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { messageOf } from '../../errors.ts';
import type { BatchItem, BatchSummary } from '../../review/batch.ts';
import type { Runtime } from '../../runtime.ts';
import type { Transcript } from '../../transcript/event.ts';
import type { Act, CommandContext } from '../command.ts';
import { wholeNumber } from '../options.ts';
import { describeOutcome, showReview } from '../review-view.ts';
import { withRuntime } from '../with-runtime.ts';

interface Options {
  readonly again?: boolean;
  readonly format?: string;
  readonly maxTokens?: number;
  readonly resetBreaker?: boolean;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[paths...]', 'transcripts or folders of them (default: the sessions of the workspace)')
    .option('--again', 'also what was reviewed before')
    .option('--format <id>', 'take this format instead of detecting it')
    .option('--max-tokens <n>', 'stop before the next transcript when so many are spent', wholeNumber)
    .option('--reset-breaker', 'go on although the last reviews were refused, one after the other')
    .action(
      act(async (context: CommandContext, paths: string[], options: Options) =>
        withRuntime(context, async (runtime) => {
          const { reviewPaths } = await import('../../review/batch.ts');
          const { output } = context;
          if (options.resetBreaker) await runtime.resetBreaker();
          const read = (file: string) => runtime.transcript(file, options.format);
          const sessions = paths.length > 0 ? undefined : await sessionsOf(runtime);
          const left =
            sessions === undefined || options.again ? sessions : await leftOf(sessions, runtime, read);
          const summary = await reviewPaths({
            paths: left ?? paths.map((path) => resolve(context.cwd, path)),
            cwd: context.cwd,
            read,
            review: (transcript) =>
              runtime.review(transcript, {
                again: options.again === true,
                signal: context.signal,
                onProgress: (event) => showReview(event, output),
              }),
            signal: context.signal,
            onStart: ({ file, index, total }) =>
              output.print(output.style('bold', `[${index + 1}/${total}] ${file}`)),
            onItem: (item) => {
              output.emit(itemOf(item));
              output.print(
                item.kind === 'reviewed'
                  ? `${describeOutcome(item.review, output)}${item.review.before === undefined ? '' : '; --again reviews it anew'}`
                  : output.style('red', `${item.kind}: ${item.reason}`),
              );
            },
            ...(options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }),
          });
          output.result({ summary }, () =>
            left?.length === 0 ? nothingLeft(sessions?.length ?? 0) : describeSummary(summary),
          );
          return summary.failed.length === 0 && summary.stopped === undefined ? 0 : 1;
        }),
      ),
    );
}

async function leftOf(
  sessions: readonly string[],
  runtime: Runtime,
  read: (file: string) => Promise<Transcript>,
): Promise<string[]> {
  const { unreviewed } = await import('../../review/batch.ts');
  return unreviewed(sessions, { read, isReviewed: (transcript) => runtime.isReviewed(transcript) });
}

function nothingLeft(sessions: number): string {
  if (sessions === 0) return 'nothing to review: there are no sessions yet';
  return sessions === 1
    ? 'nothing to review: 1 session was reviewed already; --again reviews it anew'
    : `nothing to review: ${sessions} sessions were reviewed already; --again reviews them anew`;
}

function describeSummary({ items, outcomes, tokens, already = 0, stopped }: BatchSummary): string {
  const counts = Object.entries({
    ...outcomes,
    nothing: (outcomes.nothing ?? 0) - already,
    'already reviewed': already,
  }).flatMap(([outcome, count]) => (count > 0 ? [`${count} ${outcome}`] : []));
  const found = counts.join(', ') || (stopped === undefined ? 'nothing to do' : 'none came to an end');
  return `${items} ${items === 1 ? 'session' : 'sessions'}: ${found}; ${tokens} tokens${stopped === undefined ? '' : STOPPED[stopped]}`;
}

const STOPPED: Record<NonNullable<BatchSummary['stopped']>, string> = {
  aborted: '; stopped: the same command goes on from here',
  'token-ceiling': '; stopped: --max-tokens is spent, the same command goes on from here',
};

async function sessionsOf(runtime: Runtime): Promise<string[]> {
  const { sessions } = runtime.workspace;
  const names = await readdir(sessions).catch((error: unknown) => {
    throw new Error(`cannot list ${sessions}: ${messageOf(error)}`, { cause: error });
  });
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(sessions, name));
}

function itemOf(item: BatchItem) {
  if (item.kind !== 'reviewed')
    return {
      id: item.file,
      outcome: item.kind === 'unreadable' ? 'failed' : item.kind,
      reasons: [item.reason],
      tokens: 0,
    };
  const { session, outcome, skill, version, sha, pending, reasons, tokens, lesson, lessons } = item.review;
  return {
    id: session,
    file: item.file,
    outcome,
    skill,
    version,
    sha,
    pending,
    lesson,
    reasons,
    tokens: tokens.total,
    // One line a finished item: the lessons of one session stand within it.
    lessons: lessons?.map((each) => ({ ...each, tokens: each.tokens.total })),
  };
}
