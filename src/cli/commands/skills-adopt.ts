import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { configureHandOver } from '../hand-over.ts';

export function configure(command: Command, act: Act): void {
  configureHandOver(command, act, 'learned');
}
