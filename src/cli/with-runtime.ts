import { openRuntime, type Runtime, type RuntimeOptions } from '../runtime.ts';
import type { CommandContext } from './command.ts';
import { noteProject } from './project-notes.ts';

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
    onProject: (project) => noteProject(project, context.output),
    ...options,
  });
  try {
    return await action(runtime);
  } finally {
    await runtime.close();
  }
}
