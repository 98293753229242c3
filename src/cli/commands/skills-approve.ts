import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { commitReceipt, overrideLines } from '../commit-view.ts';
import { withWorkspace } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command.argument('<id>', 'as `knack skills pending` shows it').action(
    act(async (context, id: string) =>
      withWorkspace(context, async (runtime) => {
        const outcome = await (await runtime.pending()).approve(id, context.signal);
        const receipt =
          outcome.kind === 'committed' ? await commitReceipt(outcome.sha, await runtime.history()) : '';
        context.output.result(outcome, () =>
          outcome.kind === 'committed'
            ? [
                outcome.version === 'none'
                  ? `${outcome.skill} is retired; \`knack skills restore ${outcome.skill}\` brings it back`
                  : `${outcome.skill} ${outcome.version} committed (${receipt})`,
                ...overrideLines(outcome.overrides),
                ...(outcome.notes ?? []),
              ].join('\n')
            : `not committed: ${outcome.reasons.join('; ')}`,
        );
        return outcome.kind === 'committed' ? 0 : 1;
      }),
    ),
  );
}
