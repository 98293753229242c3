import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { restore } from '../../history/ownership.ts';
import type { Act } from '../command.ts';
import { whyNotCommitted } from '../commit-view.ts';
import { noteNames, settleNames } from '../settle-names.ts';
import { historyOf } from '../skill-history.ts';
import { withWorkspace } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill that was retired, or deleted by hand')
    .option('--why <text>', 'kept in the commit', 'asked for by the user')
    .action(
      act(async (context, name: string, { why }: { why: string }) =>
        withWorkspace(context, async (runtime) => {
          const { history } = await historyOf(runtime, name);
          const { deleted } = await history.standing(name);
          if (deleted !== undefined) {
            const version = await history.putBack(name);
            context.output.result(
              { skill: name, outcome: { kind: 'put-back', version }, aliases: [] },
              () => `${name} ${version} is back, as it was last committed; there was nothing to commit`,
            );
            return 0;
          }
          const outcome = await restore(history, name, why);
          if (outcome === undefined)
            throw new KnackError('refused', `${name} is not retired: it is in the library`);
          const after = await history.present(name);
          const steps =
            outcome.kind === 'committed'
              ? await settleNames(runtime, { skill: name, before: undefined, after }, why)
              : [];
          context.output.result({ skill: name, outcome, aliases: steps }, () =>
            outcome.kind === 'committed'
              ? `${name} ${outcome.revision.version} is back, as it was`
              : (whyNotCommitted(name, outcome) ?? `${name} is as it was`),
          );
          noteNames(context.output, steps);
          return outcome.kind === 'committed' ? 0 : 1;
        }),
      ),
    );
}
