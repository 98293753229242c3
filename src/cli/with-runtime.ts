import { KnackError } from '../errors.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from '../runtime/runtime.ts';
import { checkWorkspace, isInWorkspace, isWorkspace, locateWorkspace } from '../workspace.ts';
import type { CommandContext } from './command.ts';
import { whereToInit } from './init-words.ts';
import { noteProject } from './project-notes.ts';

/**
 * As `withRuntime`, for a command that only looks: it makes nothing, ends at a signal while the library is read, and says
 * so where the one that `--workspace` or `KNACK_WORKSPACE` names is not there, which may be a slip of the pen.
 */
export async function withLookingRuntime<T>(
  context: CommandContext,
  action: (runtime: Runtime) => Promise<T>,
  options: Partial<RuntimeOptions> = {},
): Promise<T> {
  const { dir } = locateWorkspace(context.workspace, context.environment);
  const named = context.workspace ?? context.environment.workspace;
  if (named !== undefined && options.onlyRoot === undefined && !isInWorkspace(dir))
    context.output.note(`there is no workspace ${dir}, so nothing of it is shown; ${whereToInit(context)}`);
  return withRuntime(context, action, { looksOnly: true, signal: context.signal, ...options });
}

/** As `withRuntime`, for a command that has nothing to do where there is no workspace: throws `not-found` and makes nothing. */
export function withWorkspace<T>(
  context: CommandContext,
  action: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  needWorkspace(context);
  return withRuntime(context, action);
}

/** As `withRuntime`, for a command that may be the first of all: it makes the workspace when it writes, and none where it fails before. */
export function withNewWorkspace<T>(
  context: CommandContext,
  action: (runtime: Runtime) => Promise<T>,
  options: Partial<RuntimeOptions> = {},
): Promise<T> {
  return withRuntime(context, action, { makesLate: true, ...options });
}

/**
 * As `withNewWorkspace`, but it does not make the one that `--workspace` names, which may be a slip of the pen.
 */
export function withOwnWorkspace<T>(
  context: CommandContext,
  action: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  if (context.workspace !== undefined) needWorkspace(context);
  return withNewWorkspace(context, action);
}

/** Throws `not-found` where there is no workspace, and `io` where it is no folder or may not be looked into. */
export function needWorkspace(context: CommandContext): void {
  const workspace = locateWorkspace(context.workspace, context.environment);
  checkWorkspace(workspace);
  if (isWorkspace(workspace)) return;
  throw new KnackError('not-found', `there is no workspace ${workspace.dir}; ${whereToInit(context)}`);
}

/** Opens the runtime of a command, hands it over and closes it whatever happens. */
export async function withRuntime<T>(
  context: CommandContext,
  action: (runtime: Runtime) => Promise<T>,
  options: Partial<RuntimeOptions> = {},
): Promise<T> {
  const runtime = await openRuntime({
    workspace: context.workspace,
    environment: context.environment,
    cwd: context.cwd,
    log: (line) => context.output.note(line),
    // Of news to a process that has only just begun: what stays up says how to be told.
    logReload: () => undefined,
    onProject: (project) => noteProject(project, context.output),
    ...options,
  });
  try {
    return await action(runtime);
  } finally {
    await runtime.close();
  }
}
