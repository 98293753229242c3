import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command.option('--root <dir>', 'of this folder alone').action(
    act(async (context, options: { root?: string }) =>
      withRuntime(
        context,
        async (runtime) => {
          const catalog = await runtime.catalog();
          context.output.result(
            catalog,
            () =>
              `${catalog.text}\n\n${catalog.tokens} tokens, ${catalog.shown} of ${catalog.total} skills with their descriptions`,
          );
          return 0;
        },
        options.root === undefined ? {} : { onlyRoot: options.root },
      ),
    ),
  );
}
