import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import type { BlameLine } from '../../history/history.ts';
import { counted } from '../../text/counted.ts';
import type { Act } from '../command.ts';
import { wholeNumber } from '../options.ts';
import { clip } from '../output.ts';
import { inOneLine } from '../project-notes.ts';
import { historyOf } from '../skill-history.ts';
import { withLookingRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill')
    .option('--file <path>', 'a file of the skill (default: SKILL.md)')
    .option('--line <n>', 'this line alone', wholeNumber)
    .action(
      act(async (context, name: string, options: { file?: string; line?: number }) =>
        withLookingRuntime(context, async (runtime) => {
          const { history } = await historyOf(runtime, name);
          const lines = await history.blame(name, options.file);
          const wanted = lines.filter((line) => options.line === undefined || line.line === options.line);
          if (options.line !== undefined && wanted.length === 0)
            throw new KnackError(
              'not-found',
              `${options.file ?? 'SKILL.md'} of ${name} has no line ${options.line}: it has ${counted(lines.length, 'line')}`,
            );
          const cut = await history.cut(name);
          context.output.result({ lines: wanted, ...(cut === undefined ? {} : { cut }) }, () =>
            wanted.map(describe).join('\n'),
          );
          if (cut !== undefined)
            context.output.note(`note: a line may be older than the commit that it is shown with: ${cut}`);
          return 0;
        }),
      ),
    );
}

/** A line each, and under the last line of a run what taught it. */
function describe(line: BlameLine, index: number, lines: readonly BlameLine[]): string {
  const text = `${line.version.padEnd(8)} ${line.sha.slice(0, 8)} ${line.actor.padEnd(8)} ${String(line.line).padStart(4)} │ ${line.text}`;
  const source = sourceOf(line);
  const next = lines[index + 1];
  return source === '' || (next !== undefined && sourceOf(next) === source)
    ? text
    : `${text}\n${' '.repeat(31)}└ ${source}`;
}

function sourceOf({ session, events = [], quote, trust = 'unknown' }: BlameLine): string {
  if (session === undefined) return '';
  const words = quote === undefined ? '' : ` “${clip(quote, 120)}”`;
  return inOneLine(`${session} ${events.join(', ')}${words} (trust: ${trust})`);
}
