import { resolve } from 'node:path';
import type { Command } from 'commander';
import { KnackError, messageOf } from '../../errors.ts';
import type { Transcript } from '../../transcript/event.ts';
import { searchSignals } from '../../transcript/signals.ts';
import type { Act } from '../command.ts';
import { clip } from '../output.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('<files...>', 'transcripts')
    .option('--events', 'the normalised, redacted events, one JSON object a line')
    .option('--format <id>', 'take this format instead of detecting it')
    .action(
      act(async (context, files: string[], options: { events?: boolean; format?: string }) =>
        withRuntime(context, async (runtime) => {
          let failed = 0;
          for (const file of files) {
            try {
              const transcript = await runtime.transcript(
                resolve(context.cwd, file),
                options.format,
                context.signal,
              );
              if (options.events) {
                for (const event of transcript.events) {
                  if (context.signal.aborted) throw new KnackError('aborted', `stopped within ${file}`);
                  context.output.line(event);
                }
                continue;
              }
              context.output.result(await summarise(transcript, context.signal), render);
            } catch (error) {
              if (!(error instanceof KnackError) || error.code === 'usage' || error.code === 'aborted')
                throw error;
              failed += 1;
              if (context.output.json)
                context.output.emit({ file: resolve(context.cwd, file), error: messageOf(error) });
              else context.output.note(`knack: ${messageOf(error)}`);
            }
          }
          return failed === 0 ? 0 : 1;
        }),
      ),
    );
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
    `  ${summary.format}, session ${summary.session}: ${summary.events} events, ${summary.userTurns} user turns, ${summary.toolCalls} tool calls${marked}`,
    ...(summary.skippedLines > 0
      ? [`  ${summary.skippedLines} lines could not be read and were skipped`]
      : []),
    ...(summary.unknownRecords > 0 ? [`  ${summary.unknownRecords} records of unknown kinds`] : []),
    ...(summary.signals.length === 0
      ? ['  no signals: nothing here to learn from']
      : summary.signals.map((signal) => `  ${signal.kind} at ${signal.event}: ${clip(signal.quote, 160)}`)),
  ].join('\n');
}
