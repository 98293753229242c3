import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { type Folder, readFolder } from '../../folder.ts';
import { diffFolders } from '../../review/folder-diff.ts';
import type { Runtime } from '../../runtime.ts';
import type { Act } from '../command.ts';
import { historyOf } from '../skill-history.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill')
    .argument('[from]', 'a version or commit (default: the one before the last, or nothing)')
    .argument('[to]', 'a version or commit (default: the files as they are)')
    .action(
      act(async (context, name: string, from: string | undefined, to: string | undefined) =>
        withRuntime(context, async (runtime) => {
          const { history, revisions } = await historyOf(runtime, name);
          if (revisions.length === 0)
            throw new KnackError(
              'not-found',
              `${name} has no revision yet, so there is nothing to compare: it was never committed`,
            );
          const base = from ?? revisions[1]?.sha;
          // Before its only revision there was nothing: all of it is new.
          const diff =
            base === undefined
              ? diffFolders(undefined, await presentFolder(runtime, name))
              : await history.diff(name, base, to);
          context.output.result({ name, from: base ?? null, to: to ?? null, diff }, () =>
            diff === '' ? 'no difference' : diff,
          );
          return 0;
        }),
      ),
    );
}

async function presentFolder(runtime: Runtime, name: string): Promise<Folder> {
  const dir = join(runtime.workspace.skills, name);
  return existsSync(dir) ? readFolder(dir) : new Map();
}
