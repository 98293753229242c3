import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { runDemo } from '../demo/demo.ts';

export function configure(command: Command, act: Act): void {
  command
    .option('--record', 'live, and keep the answers as the recording that is replayed')
    .action(act(async (context, options: { record?: boolean }) => runDemo(context, options.record === true)));
}
