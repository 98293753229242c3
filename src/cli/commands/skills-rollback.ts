import type { Command } from 'commander';
import { diffFolders } from '../../review/folder-diff.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Act } from '../command.ts';
import { commitReceipt, obstacleOf, whyNotCommitted } from '../commit-view.ts';
import { namesComingBack, noteNames, settleNames } from '../settle-names.ts';
import { historyOf } from '../skill-history.ts';
import { withWorkspace } from '../with-runtime.ts';

interface Options {
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly why: string;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill')
    .option('--to <version>', 'a version or commit (default: the one before the last change)')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--why <text>', 'kept in the commit', 'asked for by the user')
    .action(
      act(async (context, name: string, options: Options) =>
        withWorkspace(context, async (runtime) => {
          const { history } = await historyOf(runtime, name);
          if (options.dryRun === true) {
            const { folder: before = new Map(), dirty, blocked, deleted } = await history.standing(name);
            const after = (await history.rolledBack(name, options.to)) ?? new Map();
            const diff = diffFolders(before, after);
            const why = blocked === undefined ? {} : { blocked };
            context.output.result({ skill: name, diff, dirty, ...why }, () =>
              diff === '' ? `${name} is that already; nothing to do` : diff.trimEnd(),
            );
            for (const back of await namesComingBack(history, name, { before, after }))
              context.output.note(`note: ${back}, which it answers to, would be back in the library`);
            const obstacle = whyNotCommitted(name, obstacleOf({ dirty, blocked, deleted }));
            if (obstacle === undefined) return 0;
            context.output.note(obstacle);
            return 1;
          }
          const before = await history.present(name);
          const outcome = await history.rollback(name, options.to, options.why);
          const [now] = outcome.kind === 'committed' ? await history.log(name) : [];
          const receipt =
            outcome.kind === 'committed' ? await commitReceipt(outcome.revision.sha, history) : '';
          const after = outcome.kind === 'committed' ? await history.present(name) : before;
          const steps =
            outcome.kind === 'committed'
              ? await settleNames(runtime, { skill: name, before, after }, options.why)
              : [];
          const taken = await takenOut(runtime, name);
          context.output.result({ ...outcome, ...(steps.length > 0 ? { names: steps } : {}) }, () => {
            if (outcome.kind === 'unchanged') return `${name} is that already; nothing to do`;
            if (outcome.kind !== 'committed') return whyNotCommitted(name, outcome) ?? '';
            if (outcome.revision.version === 'none')
              return `${taken}, as before its first revision; \`knack skills restore ${name}\` brings it back`;
            return `${name}: ${now?.what ?? 'rolled back'} (${receipt}); nothing was removed from its history`;
          });
          noteNames(context.output, steps);
          return outcome.kind === 'committed' || outcome.kind === 'unchanged' ? 0 : 1;
        }),
      ),
    );
}

/** What its going came to: one of the same name in another root, which it went before, is used again. */
async function takenOut(runtime: Runtime, name: string): Promise<string> {
  const library = await runtime.library();
  await library.refresh();
  const other = library.find(name);
  if (other?.name !== name) return `${name} is taken out of the library`;
  return `${name} is taken out of the workspace, and that of the root ${library.rootOf(other).name} is used again`;
}
