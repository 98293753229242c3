import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { readEnvironment } from '../config.ts';
import { KnackError, messageOf } from '../errors.ts';
import { knackPackage } from '../workspace.ts';
import type { Act, CommandEntry, CommonOptions, ExitCode } from './command.ts';
import { COMMANDS } from './commands.ts';
import { createOutput } from './output.ts';

/** Options that may also stand before the command, with the number of words that each takes. */
const LEADING: Record<string, number> = { '--workspace': 2, '--json': 1, '--debug': 1 };

/** Runs one command line; answers with the exit code: 0 done, 1 refused or failed, 2 usage. Never throws. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const argv = leadingLast(words);
  let exitCode: number = 0;
  const controller = abortOnSignals();
  const act: Act =
    (action) =>
    async (...args) => {
      // Commander hands the command last, after arguments and options.
      const command = args.at(-1) as unknown as Command;
      const options = command.optsWithGlobals<CommonOptions>();
      exitCode = await action(
        {
          output: createOutput(options.json === true),
          environment: readEnvironment(),
          workspace: options.workspace,
          cwd: process.cwd(),
          signal: controller.signal,
        },
        ...args,
      );
    };
  try {
    const program = new Command('knack')
      .description('A skill runtime for language-model agents that learns.')
      .version(knackPackage.version, '-V, --version');
    await register(program, COMMANDS, argv, act);
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, argv);
  }
}

/** `--workspace DIR skills list` means the same as `skills list --workspace DIR`. */
function leadingLast(words: readonly string[]): string[] {
  let first = 0;
  while (LEADING[words[first] ?? ''] !== undefined) first += LEADING[words[first] ?? ''] ?? 1;
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return [...words.slice(first, end), ...words.slice(0, first), ...words.slice(end)];
}

/** Declares every command by name, and loads and configures the one that `argv` asks for. */
async function register(
  parent: Command,
  entries: Record<string, CommandEntry>,
  argv: readonly string[],
  act: Act,
): Promise<void> {
  parent.exitOverride().showSuggestionAfterError().configureHelp({ showGlobalOptions: false });
  const wanted = argv.find((word) => !word.startsWith('-'));
  const rest = argv.slice(argv.indexOf(wanted ?? '') + 1);
  for (const [name, entry] of Object.entries(entries)) {
    const command = parent.command(name).description(entry.summary).exitOverride();
    if (name !== wanted) continue;
    const loaded = entry.load();
    if (!(loaded instanceof Promise)) {
      await register(command, loaded, rest, act);
      continue;
    }
    const module = await loaded;
    module.configure(command, act);
    command
      .option('--workspace <dir>', 'the workspace (default: $KNACK_WORKSPACE, else ~/.knack)')
      .option('--json', 'machine-readable output on stdout')
      .option('--debug', 'show the stack of an error');
  }
}

function abortOnSignals(): AbortController {
  const controller = new AbortController();
  const abort = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', abort).on('SIGTERM', abort);
  return controller;
}

/** One line on stderr and the exit code; with `--debug` the stack too. */
function report(error: unknown, argv: readonly string[]): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Commander has printed its own line already, but for errors that an action threw.
    if (error instanceof InvalidArgumentError) process.stderr.write(`knack: ${error.message}\n`);
    return 2;
  }
  const debug = argv.includes('--debug') || readEnvironment().debug;
  if (error instanceof KnackError) {
    process.stderr.write(`knack: ${oneLine(error.message)}\n`);
    if (debug)
      process.stderr.write(
        `${error.stack}\n${error.cause instanceof Error ? `caused by ${error.cause.stack}\n` : ''}`,
      );
    if (argv.includes('--json'))
      process.stdout.write(`${JSON.stringify({ error: { code: error.code, message: error.message } })}\n`);
    return error.code === 'usage' ? 2 : error.code === 'aborted' ? 130 : 1;
  }
  process.stderr.write(
    `knack: unexpected fault: ${oneLine(messageOf(error))}. Run again with --debug for the stack.\n`,
  );
  if (debug && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return 1;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
