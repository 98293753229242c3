import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import type { Act } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command.argument('[dir]', 'where (default: the workspace)').action(
    act(async (context, dir: string | undefined) =>
      withRuntime(
        { ...context, workspace: dir === undefined ? context.workspace : resolve(context.cwd, dir) },
        async (runtime) => {
          await runtime.history();
          const { workspace } = runtime;
          const { skills, sessions, reviews, pending, queue } = workspace;
          // Opened for reading alone, a workspace may lack what cannot be made.
          const missing = [join(skills, '.git'), sessions, reviews, pending, queue].find(
            (part) => !existsSync(part),
          );
          if (missing !== undefined)
            throw new KnackError(
              'io',
              `cannot make ${missing}: ${workspace.dir} is read-only; make it writable`,
            );
          context.output.result({ workspace: workspace.dir, skills: workspace.skills }, () =>
            [
              `workspace ${workspace.dir}`,
              `skills    ${workspace.skills} (a git repository of its own)`,
              'Use it with --workspace or KNACK_WORKSPACE; settings go into knack.json there.',
            ].join('\n'),
          );
          return 0;
        },
      ),
    ),
  );
}
