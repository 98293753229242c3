import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { readEnvironment } from '../config.ts';
import { hasSystemCode, isSystemError, KnackError, messageOf } from '../errors.ts';
import { knackPackage } from '../workspace.ts';
import type { Act, CommandEntry, CommonOptions, ExitCode } from './command.ts';
import { COMMANDS } from './commands.ts';
import { refuseEmptyValues } from './options.ts';
import { refuseOtherWords } from './other-words.ts';
import { createOutput, shown } from './output.ts';
import { type BrokenOutput, watchOutput } from './output-faults.ts';

/** Options that may also stand before the command, with the number of words that each takes. */
const LEADING = new Map([
  ['--workspace', 2],
  ['--json', 1],
  ['--debug', 1],
]);

const SETTINGS = `\nSettings (models, roots, pinned skills, approval) stand in knack.json of the workspace: ${join(knackPackage.dir, 'docs/configuration.md')} lists them.`;

/** Of a command that a signal stopped, as shells count it. */
const STOPPED: ExitCode = 130;

/** Runs one command line; answers with the exit code: 0 done, 1 refused or failed, 2 usage. Never throws. */
export async function runCommandLine(words: readonly string[]): Promise<ExitCode> {
  const argv = leadingLast(words);
  let exitCode: ExitCode = 0;
  const controller = abortOnSignals();
  // Nobody reads on: the command ends as if it had been stopped, so that it cleans up.
  const broken = watchOutput(() => controller.abort());
  const act: Act =
    (action) =>
    async (...args) => {
      // Commander hands the command last, after arguments and options.
      const command = args.at(-1) as unknown as Command;
      const options = command.optsWithGlobals<CommonOptions>();
      const ended = await action(
        {
          output: createOutput(options.json === true),
          environment: readEnvironment(),
          workspace: options.workspace,
          cwd: workingFolder(),
          signal: controller.signal,
        },
        ...args,
      );
      exitCode = ended !== 0 && controller.signal.aborted ? STOPPED : ended;
    };
  try {
    const program = new Command('knack')
      .description('A skill runtime for language-model agents that learns.')
      .version(knackPackage.version, '-V, --version')
      .addHelpText('after', SETTINGS)
      .configureOutput({
        writeOut: (text) => void process.stdout.write(shown(text)),
        writeErr: (text) => void process.stderr.write(shown(text)),
      });
    await register(program, COMMANDS, argv, act);
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    exitCode = report(error, argv, broken);
  }
  return (await broken.exitCode()) ?? exitCode;
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    if (!hasSystemCode(error, 'ENOENT')) throw error;
    throw new KnackError(
      'not-found',
      'the working folder was deleted; change to one that is there, such as: cd ~',
      {
        cause: error,
      },
    );
  }
}

/**
 * `--workspace DIR skills --json list` means the same as `skills list --workspace DIR --json`, and `help skills list`
 * the same as `skills list --help`.
 */
function leadingLast(words: readonly string[]): string[] {
  const path: string[] = [];
  const options: string[] = [];
  let entries: Record<string, CommandEntry> | undefined = COMMANDS;
  let at = 0;
  let help = false;
  while (entries !== undefined && at < words.length) {
    const word = String(words[at]);
    const taken = LEADING.get(word) ?? (LEADING.has(word.split('=')[0] ?? '') ? 1 : 0);
    if (taken > 0) {
      options.push(...words.slice(at, at + taken));
      at += taken;
      continue;
    }
    if (word === 'help') {
      help = true;
      at += 1;
      continue;
    }
    if (!Object.hasOwn(entries, word)) break;
    path.push(word);
    at += 1;
    const inner: ReturnType<CommandEntry['load']> | undefined = entries[word]?.load();
    entries = inner instanceof Promise ? undefined : inner;
  }
  const isUnknown = entries !== undefined && at < words.length && !String(words[at]).startsWith('-');
  // Help for a word that is no command would be that of another one.
  const rest = words.slice(at).filter((word) => !isUnknown || (word !== '--help' && word !== '-h'));
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  // Before a word that is no command it is left out, so that the word is named as unknown.
  if (help && (entries === undefined || rest.length === 0)) return [...path, '--help'];
  return [...path, ...rest.slice(0, end), ...options, ...rest.slice(end)];
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
  if (wanted !== undefined)
    refuseOtherWords(parent.parent === null ? [] : [parent.name()], wanted, entries, COMMANDS.skills.load());
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
    refuseEmptyValues(command);
  }
}

function abortOnSignals(): AbortController {
  const controller = new AbortController();
  const abort = () => {
    if (controller.signal.aborted) process.exit(STOPPED);
    controller.abort();
  };
  process.on('SIGINT', abort).on('SIGTERM', abort);
  return controller;
}

/** One line on stderr and the exit code; with `--debug` the stack too. */
function report(error: unknown, argv: readonly string[], broken: BrokenOutput): ExitCode {
  // Commander has printed its own line already.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    const message = oneLine(error.message.replace(/^error: /, ''));
    if (argv.includes('--json')) createOutput(true).emit({ error: { code: 'usage', message } });
    return 2;
  }
  // A place that the system does not let anybody look at, as a loop of links, is no fault in knack.
  const code = error instanceof KnackError ? error.code : isSystemError(error) ? 'io' : undefined;
  // Nobody reads it, and it was stopped for that alone.
  if (code === 'aborted' && broken.isBroken()) return STOPPED;
  const say = (text: string) => void process.stderr.write(`${shown(text)}\n`);
  const words = oneLine(messageOf(error));
  say(
    code === undefined
      ? `knack: unexpected fault: ${words}. Run again with --debug for the stack.`
      : `knack: ${words}`,
  );
  if ((argv.includes('--debug') || readEnvironment().debug) && error instanceof Error) {
    say(String(error.stack));
    if (error.cause instanceof Error) say(`caused by ${error.cause.stack}`);
  }
  if (code === undefined) return 1;
  if (argv.includes('--json')) createOutput(true).emit({ error: { code, message: messageOf(error) } });
  return code === 'usage' ? 2 : code === 'aborted' ? STOPPED : 1;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
