import type { Command } from 'commander';
import { handOver } from '../history/ownership.ts';
import type { Act } from './command.ts';
import { whyNotCommitted } from './commit-view.ts';
import { historyOf } from './skill-history.ts';
import { withRuntime } from './with-runtime.ts';

const MEANING = {
  learned: 'knack may change it without asking now',
  written: 'a change of it only ever waits for you now',
};

/** `skills adopt` and `skills own`: who may change a skill from here on. */
export function configureHandOver(command: Command, act: Act, owner: 'learned' | 'written'): void {
  command
    .argument('<name>', 'a skill of the workspace')
    .option('--why <text>', 'kept in the commit', 'asked for by the user')
    .action(
      act(async (context, name: string, { why }: { why: string }) =>
        withRuntime(context, async (runtime) => {
          const { history } = await historyOf(runtime, name);
          const outcome = await handOver(history, name, { owner, why });
          context.output.result({ skill: name, owner, outcome }, () =>
            outcome.kind === 'unchanged'
              ? `${name} is ${owner} already`
              : (whyNotCommitted(name, outcome) ?? `${name}: ${MEANING[owner]}`),
          );
          return whyNotCommitted(name, outcome) === undefined ? 0 : 1;
        }),
      ),
    );
}
