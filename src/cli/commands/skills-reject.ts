import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { withWorkspace } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('<id>', 'as `knack skills pending` shows it')
    .option('--why <text>', 'kept with the draft, so that it is not offered again', '')
    .action(
      act(async (context, id: string, options: { why: string }) =>
        withWorkspace(context, async (runtime) => {
          await (await runtime.pending()).reject(id, options.why);
          context.output.result({ id, state: 'rejected' }, () => `${id} is rejected; the skill is as it was`);
          return 0;
        }),
      ),
    );
}
