import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { onlyRoot } from '../options.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command.option('--root <dir>', 'of this folder alone').action(
    act(async (context, options: { root?: string }) =>
      withRuntime(
        context,
        async (runtime) => {
          const { text, tokens, shown, total } = await runtime.catalog();
          context.output.result(
            { text, tokens, shown, total },
            () => `${text}\n\n${tokens} tokens, ${shown} of ${total} skills with their descriptions`,
          );
          return 0;
        },
        onlyRoot(options.root, context.cwd),
      ),
    ),
  );
}
