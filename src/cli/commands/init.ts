import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { addRoots } from '../add-roots.ts';
import type { Act, CommandContext } from '../command.ts';
import { homeRootLines, unusedHomeRoots } from '../home-roots.ts';
import { withRuntime } from '../with-runtime.ts';

interface Options {
  readonly roots?: boolean;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[dir]', 'where (default: the workspace)')
    .option('--roots', 'also use the skills that other agents keep in your home folder')
    .action(
      act(async (context, dir: string | undefined, options: Options) =>
        withRuntime(
          { ...context, workspace: dir === undefined ? context.workspace : resolve(context.cwd, dir) },
          (runtime) => init(runtime, context, options),
        ),
      ),
    );
}

async function init(
  runtime: Runtime,
  { output, environment }: CommandContext,
  options: Options,
): Promise<number> {
  await runtime.history();
  const { workspace, config } = runtime;
  refuseReadOnly(runtime);
  const found = unusedHomeRoots(environment.home, [workspace.skills, ...config.roots]);
  const added = options.roots === true ? found : [];
  if (added.length > 0)
    await addRoots(
      join(workspace.dir, 'knack.json'),
      added.map(({ path }) => path),
    );
  output.result({ workspace: workspace.dir, skills: workspace.skills, homes: found, added }, () =>
    [
      `workspace ${workspace.dir}`,
      `skills    ${workspace.skills} (a git repository of its own)`,
      ...homeRootLines(added).map((line) => `root      ${line} added to knack.json`),
      ...(options.roots === true && added.length === 0
        ? ['root      none to add: no other agent has skills here']
        : []),
      'Use it with --workspace or KNACK_WORKSPACE; settings go into knack.json there.',
      ...(options.roots !== true && found.length > 0
        ? [
            `Skills of other agents are not used yet: ${homeRootLines(found).join(', ')}. To use them: knack init --roots`,
          ]
        : []),
    ].join('\n'),
  );
  return 0;
}

/** Opened for reading alone, a workspace may lack what cannot be made. */
function refuseReadOnly({ workspace }: Runtime): void {
  const { skills, sessions, reviews, pending, queue } = workspace;
  const missing = [join(skills, '.git'), sessions, reviews, pending, queue].find((part) => !existsSync(part));
  if (missing !== undefined)
    throw new KnackError('io', `cannot make ${missing}: ${workspace.dir} is read-only; make it writable`);
}
