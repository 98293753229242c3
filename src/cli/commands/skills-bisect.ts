import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { writeFolder } from '../../files/folder.ts';
import { makeTemporaryFolder } from '../../files/temporary-folder.ts';
import { bisect, type Trial } from '../../history/bisect.ts';
import type { Revision } from '../../history/revision.ts';
import { runProcess } from '../../scripts/process.ts';
import type { Act, CommandContext } from '../command.ts';
import { wholeNumber } from '../options.ts';
import { historyOf } from '../skill-history.ts';
import { withLookingRuntime } from '../with-runtime.ts';

interface Options {
  readonly cmd: string;
  readonly timeout: number;
}

/** As git has it: the version cannot be told good from bad. */
const SKIPPED = 125;
/** As a shell has it: a command that cannot be executed, or is not there. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill of the workspace')
    .requiredOption(
      '--cmd <command>',
      'run with each version in its working folder; 0 is good, 125 cannot tell, anything else is bad',
    )
    .option('--timeout <seconds>', 'for one run', wholeNumber, 120)
    .action(
      act(async (context, name: string, options: Options) =>
        withLookingRuntime(context, async (runtime) => {
          const { history } = await historyOf(runtime, name);
          const found = await bisect(history, name, async (folder, revision) => {
            const dir = await makeTemporaryFolder('knack-bisect');
            try {
              await writeFolder(join(dir, name), folder);
              const verdict = await tried(context, join(dir, name), options);
              context.output.note(`${shown(revision)}: ${verdict}`);
              return verdict;
            } finally {
              await rm(dir, { recursive: true, force: true });
            }
          });
          context.output.result({ name, ...found }, ({ broken, before, untold }) =>
            [
              `${name} ${shown(broken)} is the first that fails; ${shown(before)} passes`,
              `    ${broken.what}`,
              ...(broken.why ? [`    why: ${broken.why}`] : []),
              ...broken.sessions.map(({ id, events }) => `    taught by ${id} (${events.join(', ')})`),
              ...(untold.length > 0 ? [`    could not be told: ${untold.map(shown).join(', ')}`] : []),
            ].join('\n'),
          );
          return 0;
        }),
      ),
    );
}

/** With its commit, for a number may stand on several, or there is none. */
function shown({ version, sha }: Pick<Revision, 'version' | 'sha'>): string {
  return `${version} (${sha.slice(0, 10)})`;
}

async function tried(
  { environment, signal }: CommandContext,
  cwd: string,
  { cmd, timeout }: Options,
): Promise<Trial> {
  const { exitCode, timedOut, stderr } = await runProcess({
    command: ['/bin/sh', '-c', cmd],
    env: { PATH: environment.path, HOME: environment.home, KNACK_SKILL: cwd },
    cwd,
    timeoutSeconds: timeout,
    signal,
  });
  if (exitCode !== undefined && NOT_RUN.has(exitCode))
    throw new KnackError(
      'not-found',
      `the command ${JSON.stringify(cmd)} could not be run (exit code ${exitCode}): ${stderr.trim().split('\n')[0] ?? ''}; where a version lacks what it runs, say what that means: --cmd "… || exit 1"`,
    );
  if (exitCode === SKIPPED) return 'skip';
  return exitCode === 0 && !timedOut ? 'good' : 'bad';
}
