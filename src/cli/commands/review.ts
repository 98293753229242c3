import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { hasSystemCode, KnackError, messageOf } from '../../errors.ts';
import type { BatchItem, BatchSummary } from '../../review/batch.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { counted, noun } from '../../text/counted.ts';
import type { Transcript } from '../../transcript/event.ts';
import { FORMATS } from '../../transcript/formats.ts';
import type { Act, CommandContext, ExitCode } from '../command.ts';
import { date, wholeNumber } from '../options.ts';
import { showPlan } from '../review-plan.ts';
import { describeOutcome, showReview } from '../review-view.ts';
import { withLookingRuntime, withOwnWorkspace, withWorkspace } from '../with-runtime.ts';

interface Options {
  readonly again?: boolean;
  readonly since?: Date;
  readonly dryRun?: boolean;
  readonly format?: string;
  readonly maxTokens?: number;
  readonly resetBreaker?: boolean;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[paths...]', 'transcripts or folders of them (default: the sessions of the workspace)')
    .option('--again', 'also what was reviewed before')
    .option(
      '--since <date>',
      'leave out sessions in which nothing happened since then, such as 2026-03-01',
      date,
    )
    .option(
      '--dry-run',
      'show what would be reviewed and the least that it costs; ask no model, write nothing',
    )
    .addOption(
      new Option('--format <id>', 'take this format instead of detecting it').choices(Object.keys(FORMATS)),
    )
    .option('--max-tokens <n>', 'stop before the next transcript when so many are spent', wholeNumber)
    .option('--reset-breaker', 'go on although the last reviews were refused, one after the other')
    .action(
      act(async (context, paths: string[], options: Options) => {
        const isDry = options.dryRun === true;
        if (isDry && options.resetBreaker === true)
          throw new KnackError('usage', '--dry-run writes nothing, and --reset-breaker would');
        // Transcripts of others can be the first thing that a workspace learns from; sessions of its own cannot.
        const open = isDry ? withLookingRuntime : paths.length > 0 ? withOwnWorkspace : withWorkspace;
        return open(context, async (runtime) => {
          const read = (file: string) => runtime.transcript(file, options.format);
          const sessions = paths.length > 0 ? undefined : await sessionsOf(runtime);
          const files = await wanted(sessions, { context, paths, options, runtime, read });
          const nothing = files.length === 0 ? whyNone(sessions, options) : undefined;
          if (isDry)
            return showPlan(context, runtime, { files, read, again: options.again === true, nothing });
          return reviewAll(context, runtime, { files, read, options, nothing });
        });
      }),
    );
}

interface Wanted {
  readonly context: CommandContext;
  readonly paths: readonly string[];
  readonly options: Options;
  readonly runtime: Runtime;
  readonly read: (file: string) => Promise<Transcript>;
}

/** The transcripts that are meant; without a path, the sessions of the workspace that were not reviewed in full. */
async function wanted(
  sessions: readonly string[] | undefined,
  { context, paths, options, runtime, read }: Wanted,
): Promise<readonly string[]> {
  const { findTranscripts } = await import('../../review/find-transcripts.ts');
  const found = sessions ?? (await findTranscripts(paths, context.cwd));
  const { since } = options;
  const recent =
    since === undefined
      ? found
      : await (await import('../../review/since.ts')).filesSince(found, since, read);
  return sessions === undefined || options.again === true ? recent : leftOf(recent, runtime, read);
}

async function reviewAll(
  context: CommandContext,
  runtime: Runtime,
  {
    files,
    read,
    options,
    nothing,
  }: Pick<Wanted, 'read' | 'options'> & {
    readonly files: readonly string[];
    readonly nothing: string | undefined;
  },
): Promise<ExitCode> {
  const { reviewPaths } = await import('../../review/batch.ts');
  const { output } = context;
  if (options.resetBreaker) await runtime.resetBreaker();
  if (files.length > 0 && (await runtime.model('reviewer')) === undefined) output.note(NO_MODEL);
  const summary = await reviewPaths({
    paths: [],
    files,
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
  output.result({ summary }, () => nothing ?? describeSummary(summary));
  return summary.failed.length === 0 && summary.stopped === undefined ? 0 : 1;
}

const NO_MODEL =
  'no model is set: what could be learned is found and shown, and nothing is drafted. Give OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint, and KNACK_MODEL, then review again';

async function leftOf(
  sessions: readonly string[],
  runtime: Runtime,
  read: (file: string) => Promise<Transcript>,
): Promise<string[]> {
  const { unreviewed } = await import('../../review/batch.ts');
  return unreviewed(sessions, { read, isReviewed: (transcript) => runtime.isReviewed(transcript) });
}

function whyNone(sessions: readonly string[] | undefined, { since, again }: Options): string {
  if (sessions?.length === 0) return 'nothing to review: there are no sessions yet';
  const at = since === undefined ? '' : ` since ${since.toISOString().slice(0, 10)}`;
  if (sessions === undefined || again === true) return `nothing to review: there are no transcripts${at}`;
  if (since !== undefined)
    return `nothing to review: no session${at} is left; --again reviews those anew that were`;
  const { length } = sessions;
  return `nothing to review: ${counted(length, 'session was', 'sessions were')} reviewed already; --again reviews ${noun(length, 'it', 'them')} anew`;
}

function describeSummary({
  items,
  outcomes,
  tokens,
  already = 0,
  undrafted = 0,
  stopped,
}: BatchSummary): string {
  const counts = Object.entries({
    ...outcomes,
    nothing: (outcomes.nothing ?? 0) - already,
    'already reviewed': already,
    failed: (outcomes.failed ?? 0) - undrafted,
    'worth drafting, for want of a model not drafted': undrafted,
  }).flatMap(([outcome, count]) => (count > 0 ? [`${count} ${outcome}`] : []));
  const found = counts.join(', ') || (stopped === undefined ? 'nothing to do' : 'none came to an end');
  return `${counted(items, 'session')}: ${found}; ${counted(tokens, 'token')}${stopped === undefined ? '' : STOPPED[stopped]}`;
}

const STOPPED: Record<NonNullable<BatchSummary['stopped']>, string> = {
  aborted: '; stopped: the same command goes on from here',
  'token-ceiling': '; stopped: --max-tokens is spent, the same command goes on from here',
};

async function sessionsOf(runtime: Runtime): Promise<string[]> {
  const { sessions } = runtime.workspace;
  const names = await readdir(sessions).catch((error: unknown) => {
    // A workspace that is only looked at may have none.
    if (hasSystemCode(error, 'ENOENT')) return [];
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
  const { session, outcome, skill, version, sha, pending, reasons, tokens, lesson, lessons, undrafted } =
    item.review;
  return {
    id: session,
    file: item.file,
    outcome,
    undrafted,
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
