import { createWriteStream, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { KnackError, messageOf } from '../../errors.ts';
import { makeTemporaryFolder } from '../../files/temporary-folder.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { counted } from '../../text/counted.ts';
import type { Transcript } from '../../transcript/event.ts';
import { searchSignals } from '../../transcript/signals.ts';
import type { Act, CommandContext, ExitCode } from '../command.ts';
import { clip } from '../output.ts';
import { withRuntime } from '../with-runtime.ts';

interface Options {
  readonly events?: boolean;
  readonly format?: string;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('<paths...>', 'transcripts or folders of them; - reads one from the standard input')
    .option('--events', 'the normalised, redacted events, one JSON object a line')
    .option('--format <id>', 'take this format instead of detecting it')
    .action(
      act(async (context, paths: string[], options: Options) =>
        withRuntime(context, (runtime) => tellAll(context, runtime, paths, options), { looksOnly: true }),
      ),
    );
}

async function tellAll(
  context: CommandContext,
  runtime: Runtime,
  paths: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const { cwd, output } = context;
  let failed = 0;
  const failing = async (name: string, tell: () => Promise<void>) => {
    try {
      await tell();
    } catch (error) {
      if (error instanceof KnackError && (error.code === 'usage' || error.code === 'aborted')) throw error;
      failed += 1;
      if (output.json) output.emit({ file: name, error: messageOf(error) });
      else output.note(`knack: ${messageOf(error)}`);
    }
  };
  const tell = async (file: string, name = file) => {
    const transcript = await runtime.transcript(file, options.format, context.signal);
    if (options.events !== true)
      return output.result(await summarise({ ...transcript, file: name }, context.signal), render);
    for (const event of transcript.events) {
      if (context.signal.aborted) throw new KnackError('aborted', `stopped within ${name}`);
      output.line(event);
    }
  };
  for (const path of paths) {
    if (path === STDIN) {
      await failing(STDIN, () => fromStandardInput((file) => tell(file, STDIN)));
      continue;
    }
    const place = resolve(cwd, path);
    await failing(place, async () => {
      for (const file of await filesOf(place)) await failing(file, () => tell(file));
    });
  }
  return failed === 0 ? 0 : 1;
}

const STDIN = '-';

/** The transcripts of a folder, or the file itself. Throws `not-found` for a folder without any. */
async function filesOf(path: string): Promise<readonly string[]> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const { findTranscripts } = await import('../../review/find-transcripts.ts');
  const found = await findTranscripts([path], path);
  if (found.length === 0)
    throw new KnackError(
      'not-found',
      `there is no transcript in ${path}: no .jsonl, .json, .ndjson or .traj`,
    );
  return found;
}

/** Keeps what comes in for as long as it is read: a transcript is read more than once, and may be large. */
async function fromStandardInput(use: (file: string) => Promise<void>): Promise<void> {
  const dir = await makeTemporaryFolder('knack-stdin');
  const file = join(dir, 'stdin');
  try {
    await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }));
    await use(file);
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    throw new KnackError(error.code, error.message.replaceAll(file, 'the standard input'), { cause: error });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function summarise(transcript: Transcript, signal: AbortSignal) {
  const { file, session, events } = transcript;
  const signals = await searchSignals(transcript, signal);
  return {
    file,
    format: session.format,
    session: session.id,
    events: events.length,
    userTurns: events.filter(
      (event) => event.kind === 'text' && event.role === 'user' && event.injected === undefined,
    ).length,
    toolCalls: events.filter((event) => event.kind === 'tool-call').length,
    toolErrors: events.filter((event) => event.kind === 'tool-result' && event.isError === true).length,
    skippedLines: session.stats.badLines.length,
    unknownRecords: Object.values(session.stats.unknownRecords).reduce((sum, count) => sum + count, 0),
    signals: signals.map(({ kind, event, quote }) => ({ kind, event, quote })),
  };
}

function render(summary: Awaited<ReturnType<typeof summarise>>): string {
  // Not every format marks them, and a signal may come from what the output says.
  const marked = summary.toolErrors > 0 ? ` (${summary.toolErrors} marked as failed)` : '';
  return [
    `${summary.file}`,
    `  ${summary.format}, session ${summary.session}: ${counted(summary.events, 'event')}, ${counted(summary.userTurns, 'user turn')}, ${counted(summary.toolCalls, 'tool call')}${marked}`,
    ...(summary.skippedLines > 0
      ? [`  ${counted(summary.skippedLines, 'line')} skipped that could not be read`]
      : []),
    ...(summary.unknownRecords > 0
      ? [`  ${counted(summary.unknownRecords, 'record')} of unknown kinds`]
      : []),
    ...(summary.signals.length === 0
      ? ['  no signals: nothing here to learn from']
      : summary.signals.map((signal) => `  ${signal.kind} at ${signal.event}: ${clip(signal.quote, 160)}`)),
  ].join('\n');
}
