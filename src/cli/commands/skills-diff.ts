import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill')
    .argument('[from]', 'a version or commit (default: the one before the last)')
    .argument('[to]', 'a version or commit (default: the files as they are)')
    .action(
      act(async (context, name: string, from: string | undefined, to: string | undefined) =>
        withRuntime(context, async (runtime) => {
          const history = await runtime.history();
          const revisions = await history.log(name);
          const base = from ?? revisions[1]?.sha ?? revisions[0]?.sha ?? 'HEAD';
          const diff = await history.diff(name, base, to);
          context.output.result({ name, from: from ?? base, to: to ?? null, diff }, () =>
            diff === '' ? 'no difference' : diff,
          );
          return 0;
        }),
      ),
    );
}
