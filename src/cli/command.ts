import type { Command } from 'commander';
import type { Environment } from '../config.ts';
import type { Output } from './output.ts';

/** Options that every command takes. */
export interface CommonOptions {
  readonly workspace?: string;
  readonly json?: boolean;
  readonly debug?: boolean;
}

/** What a command is given to run with. */
export interface CommandContext {
  readonly output: Output;
  readonly environment: Environment;
  /** `--workspace`. */
  readonly workspace: string | undefined;
  /** Absolute folder that the command was called in. */
  readonly cwd: string;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** An action's exit code: 0 done, 1 refused or failed. */
export type ExitCode = number;

/** Wraps an action so that it gets its context; `run` is given to `Command.action` through `act`. */
export type Act = <A extends unknown[]>(
  action: (context: CommandContext, ...args: A) => Promise<ExitCode>,
) => (...args: A) => Promise<void>;

/** One command in its own file: declares arguments and options and hands its action to `act`. */
export interface CommandModule {
  configure(command: Command, act: Act): void;
}

/** How a command is listed before it is loaded. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<CommandModule> | Record<string, CommandEntry>;
}
