import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command.argument('[id]', 'show one with its text').action(
    act(async (context, id: string | undefined) =>
      withRuntime(context, async (runtime) => {
        const store = await runtime.pending();
        if (id !== undefined) {
          const { entry, diff } = await store.show(id);
          context.output.result(
            { ...entry, diff },
            () => `${entry.id}  ${entry.skill}  ${entry.state}\n${entry.summary}\n\n${diff}`,
          );
          return 0;
        }
        const entries = await store.list();
        context.output.result(entries, () =>
          entries.length === 0
            ? 'nothing waits for you'
            : entries
                .map(
                  (entry) =>
                    `${entry.id}  ${entry.decision} ${entry.skill}  ${entry.state}  ${entry.created}\n    ${entry.summary}`,
                )
                .join('\n'),
        );
        return 0;
      }),
    ),
  );
}
