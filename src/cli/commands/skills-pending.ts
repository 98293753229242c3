import { join } from 'node:path';
import type { Command } from 'commander';
import { lastGate } from '../../review/review-log.ts';
import type { Act } from '../command.ts';
import { describeChange, howToDecide } from '../pending-view.ts';
import { withLookingRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command.argument('[id]', 'show one with all that one decides by').action(
    act(async (context, id: string | undefined) =>
      withLookingRuntime(context, async (runtime) => {
        const store = await runtime.pending();
        if (id !== undefined) {
          const { entry, diff, evidence } = await store.show(id);
          const dir = join(runtime.workspace.reviews, entry.review);
          const gate = await lastGate(dir);
          context.output.result({ ...entry, findings: gate?.findings ?? null, evidence, diff }, () =>
            describeChange({ entry, diff, evidence }, { dir, gate }, context.output),
          );
          return 0;
        }
        const entries = await store.list();
        context.output.result(entries, () =>
          entries.length === 0
            ? 'nothing waits for you'
            : [
                ...entries.map(
                  (entry) =>
                    `${entry.id}  ${entry.decision} ${entry.skill}  ${entry.state}  ${entry.created}\n    ${entry.summary}`,
                ),
                '',
                'knack skills pending ID shows all that you decide by; then',
                ...howToDecide('ID'),
              ].join('\n'),
        );
        return 0;
      }),
    ),
  );
}
