import { existsSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { KnackError, messageOf } from '../../errors.ts';
import { readOwnFile } from '../../files/own-file.ts';
import { checkoutOf } from '../../library/project/project-places.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { locateWorkspace } from '../../workspace.ts';
import { changeSettings } from '../change-settings.ts';
import type { Act, CommandContext } from '../command.ts';
import { homeRootLines, unusedHomeRoots } from '../home-roots.ts';
import { initWords } from '../init-words.ts';
import { withRuntime } from '../with-runtime.ts';

interface Options {
  readonly roots?: boolean;
  readonly inRepo?: boolean;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[dir]', 'where (default: the workspace)')
    .option('--roots', 'also use the skills that other agents keep in your home folder')
    .option('--in-repo', 'keep the revisions in the git repository that the folder lies in')
    .action(
      act(async (context, dir: string | undefined, options: Options) => {
        const workspace = dir === undefined ? context.workspace : resolve(context.cwd, dir);
        const chosen = { ...context, workspace };
        if (options.inRepo === true) await chooseRepository(chosen);
        return withRuntime(chosen, (runtime) => init(runtime, context, options));
      }),
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
    await changeSettings(join(workspace.dir, 'knack.json'), { roots: added.map(({ path }) => path) });
  const { inRepository } = config.history;
  const where = inRepository
    ? `in the git repository ${checkoutOf(workspace.skills) ?? ''}`
    : 'a git repository of its own';
  output.result(
    { workspace: workspace.dir, skills: workspace.skills, inRepository, homes: found, added },
    () =>
      [
        `workspace ${workspace.dir}`,
        `skills    ${workspace.skills} (${where})`,
        ...homeRootLines(added).map((line) => `root      ${line} added to knack.json`),
        ...(options.roots === true && added.length === 0
          ? ['root      none to add: no other agent has skills here']
          : []),
        'Use it with --workspace or KNACK_WORKSPACE; settings go into knack.json there.',
        ...(options.roots !== true && found.length > 0
          ? [
              `Skills of other agents are not used yet: ${homeRootLines(found).join(', ')}. To use them: ${initWords({ workspace: workspace.dir, environment }, '--roots')}`,
            ]
          : []),
      ].join('\n'),
  );
  return 0;
}

/** Writes down that the workspace keeps its revisions in the repository around it, and keeps its logs out of that. */
async function chooseRepository(context: CommandContext): Promise<void> {
  const { dir, skills } = locateWorkspace(context.workspace, context.environment);
  const { history } = await loadConfig(dir, context.environment);
  if (existsSync(join(skills, '.git')))
    throw new KnackError(
      'conflict',
      `${skills} has a git repository of its own already; choose another folder, or move its .git away`,
    );
  try {
    await mkdir(skills, { recursive: true });
    if (checkoutOf(dir) === undefined)
      throw new KnackError('not-found', `${dir} lies in no git repository; make one first with git init`);
    const file = join(dir, '.gitignore');
    const lines = existsSync(file) ? (await readOwnFile(file)).split(/\r?\n/) : [];
    if (!lines.some((line) => /^\/?logs\/?$/.test(line.trim())))
      await appendFile(file, `${lines.length > 0 && lines.at(-1) !== '' ? '\n' : ''}logs/\n`);
  } catch (error) {
    if (error instanceof KnackError) throw error;
    throw new KnackError('io', `cannot make the workspace ${dir}: ${messageOf(error)}`, { cause: error });
  }
  if (!history.inRepository) await changeSettings(join(dir, 'knack.json'), { inRepository: true });
}

/** Opened for reading alone, a workspace may lack what cannot be made. */
function refuseReadOnly({ workspace, config }: Runtime): void {
  const { skills, sessions, reviews, pending, queue } = workspace;
  const parts = [
    ...(config.history.inRepository ? [] : [join(skills, '.git')]),
    sessions,
    reviews,
    pending,
    queue,
  ];
  const missing = parts.find((part) => !existsSync(part));
  if (missing !== undefined)
    throw new KnackError('io', `cannot make ${missing}: ${workspace.dir} is read-only; make it writable`);
}
