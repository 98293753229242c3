import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { messageOf } from '../../errors.ts';
import type { BatchItem, BatchSummary } from '../../review/batch.ts';
import type { Runtime } from '../../runtime.ts';
import type { Act, CommandContext } from '../command.ts';
import { wholeNumber } from '../options.ts';
import { describeOutcome, showReview } from '../review-view.ts';
import { withRuntime } from '../with-runtime.ts';

interface Options {
  readonly again?: boolean;
  readonly format?: string;
  readonly maxTokens?: number;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[paths...]', 'transcripts or folders of them (default: the sessions of the workspace)')
    .option('--again', 'also what was reviewed before')
    .option('--format <id>', 'take this format instead of detecting it')
    .option('--max-tokens <n>', 'stop before the next transcript when so many are spent', wholeNumber)
    .action(
      act(async (context: CommandContext, paths: string[], options: Options) =>
        withRuntime(context, async (runtime) => {
          const { reviewPaths } = await import('../../review/batch.ts');
          const { output } = context;
          const summary = await reviewPaths({
            paths:
              paths.length > 0 ? paths.map((path) => resolve(context.cwd, path)) : await sessionsOf(runtime),
            cwd: context.cwd,
            read: (file) => runtime.transcript(file, options.format),
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
                  ? describeOutcome(item.review, output)
                  : output.style('red', `${item.kind}: ${item.reason}`),
              );
            },
            ...(options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }),
          });
          output.result({ summary }, () => describeSummary(summary));
          return summary.failed.length === 0 && summary.stopped === undefined ? 0 : 1;
        }),
      ),
    );
}

function describeSummary({ items, outcomes, tokens, stopped }: BatchSummary): string {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  const found = counts.join(', ') || (stopped === undefined ? 'nothing to do' : 'none came to an end');
  return `${items} reviewed: ${found}; ${tokens} tokens${stopped === undefined ? '' : STOPPED[stopped]}`;
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
  const { session, outcome, skill, version, sha, pending, reasons, tokens, lesson } = item.review;
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
  };
}
