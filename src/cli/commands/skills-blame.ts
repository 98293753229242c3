import type { Command } from 'commander';
import type { BlameLine } from '../../history/history.ts';
import type { Act } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill')
    .option('--file <path>', 'a file of the skill (default: SKILL.md)')
    .option('--line <n>', 'this line alone', Number)
    .action(
      act(async (context, name: string, options: { file?: string; line?: number }) =>
        withRuntime(context, async (runtime) => {
          const lines = await (await runtime.history()).blame(name, options.file);
          const wanted = lines.filter((line) => options.line === undefined || line.line === options.line);
          context.output.result({ lines: wanted }, () => wanted.map(describe).join('\n'));
          return 0;
        }),
      ),
    );
}

function describe(line: BlameLine): string {
  const source = line.session
    ? `  ⟵ ${line.session} ${(line.events ?? []).join(',')}${line.quote ? ` “${line.quote.replace(/\s+/g, ' ').slice(0, 80)}”` : ''}`
    : '';
  return `${line.version.padEnd(8)} ${line.sha.slice(0, 8)} ${line.actor.padEnd(8)} ${String(line.line).padStart(4)} │ ${line.text}${source}`;
}
