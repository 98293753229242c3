import { type Command, Option } from 'commander';
import type { Act } from '../command.ts';
import { onlyRoot, wholeNumber } from '../options.ts';
import { gatherStats, SORTS, type Sort } from '../stats.ts';
import { renderStats } from '../stats-view.ts';
import { withLookingRuntime } from '../with-runtime.ts';

const SHOWN = 20;

export function configure(command: Command, act: Act): void {
  command
    .addOption(
      new Option('--sort <by>', 'order of the table').choices(Object.keys(SORTS)).default('entry' as Sort),
    )
    .option('--limit <n>', `lines of each list (default: ${SHOWN}; with --json every skill)`, wholeNumber)
    .option('--root <dir>', 'of this folder alone')
    .action(
      act(async (context, options: { sort: Sort; limit?: number; root?: string }) =>
        withLookingRuntime(
          context,
          async (runtime) => {
            const own = options.root === undefined;
            const stats = await gatherStats(context, runtime, { sort: options.sort, own });
            const { limit } = options;
            const { skills, nearDuplicates, deadWeight, toRepair } = stats;
            const limited = {
              ...stats,
              skills: skills.slice(0, limit),
              nearDuplicates: nearDuplicates.slice(0, limit),
              deadWeight: deadWeight.slice(0, limit),
              toRepair: toRepair.slice(0, limit),
            };
            if (context.output.json) context.output.emit(limited);
            else context.output.print(renderStats(stats, limit ?? SHOWN, context.output));
            return 0;
          },
          onlyRoot(options.root, context.cwd),
        ),
      ),
    );
}
