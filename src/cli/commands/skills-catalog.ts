import type { Command } from 'commander';
import { counted, noun } from '../../text/counted.ts';
import type { Act } from '../command.ts';
import { onlyRoot } from '../options.ts';
import { withLookingRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command.option('--root <dir>', 'of this folder alone').action(
    act(async (context, options: { root?: string }) =>
      withLookingRuntime(
        context,
        async (runtime) => {
          const { text, tokens, shown, total } = await runtime.catalog();
          context.output.result(
            { text, tokens, shown, total },
            () =>
              `${text}\n\n${counted(tokens, 'token')}, ${shown} of ${counted(total, 'skill')} with ${noun(total, 'its description', 'their descriptions')}`,
          );
          return 0;
        },
        onlyRoot(options.root, context.cwd),
      ),
    ),
  );
}
