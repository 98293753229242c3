import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { whyNotCommitted } from '../commit-view.ts';
import { historyOf } from '../skill-history.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill')
    .option('--to <version>', 'a version or commit (default: the one before the last change)')
    .option('--why <text>', 'kept in the commit', 'asked for by the user')
    .action(
      act(async (context, name: string, options: { to?: string; why: string }) =>
        withRuntime(context, async (runtime) => {
          const { history } = await historyOf(runtime, name);
          const outcome = await history.rollback(name, options.to, options.why);
          const [now, before] = outcome.kind === 'committed' ? await history.log(name) : [];
          context.output.result(outcome, () => {
            if (outcome.kind === 'unchanged') return `${name} is that already; nothing to do`;
            if (outcome.kind !== 'committed') return whyNotCommitted(name, outcome) ?? '';
            if (outcome.revision.version === 'none')
              return `${name} is taken out of the library, as before its first revision; knack skills rollback ${name} --to ${before?.sha.slice(0, 10) ?? 'VERSION'} brings it back`;
            return `${name}: ${now?.what ?? 'rolled back'} (commit ${outcome.revision.sha.slice(0, 10)}); nothing was removed from its history`;
          });
          return outcome.kind === 'committed' || outcome.kind === 'unchanged' ? 0 : 1;
        }),
      ),
    );
}
