import type { Command } from 'commander';
import type { Folder } from '../../folder.ts';
import type { History } from '../../history/history.ts';
import { aliasesOf, namesOut } from '../../history/merged.ts';
import { diffFolders } from '../../review/folder-diff.ts';
import type { Act, CommandContext } from '../command.ts';
import { commitReceipt, whyNotCommitted } from '../commit-view.ts';
import { historyOf } from '../skill-history.ts';
import { withRuntime } from '../with-runtime.ts';

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
        withRuntime(context, async (runtime) => {
          const { history } = await historyOf(runtime, name);
          if (options.dryRun === true) {
            const { folder: before = new Map(), dirty } = await history.standing(name);
            const after = (await history.rolledBack(name, options.to)) ?? new Map();
            const diff = diffFolders(before, after);
            context.output.result({ skill: name, diff, dirty }, () =>
              diff === '' ? `${name} is that already; nothing to do` : diff.trimEnd(),
            );
            await noteNamesOut(context, history, name, before, after);
            if (dirty.length === 0) return 0;
            context.output.note(whyNotCommitted(name, { kind: 'dirty', files: dirty }) ?? '');
            return 1;
          }
          const before = await history.present(name);
          const outcome = await history.rollback(name, options.to, options.why);
          const [now] = outcome.kind === 'committed' ? await history.log(name) : [];
          const receipt =
            outcome.kind === 'committed' ? await commitReceipt(outcome.revision.sha, history) : '';
          context.output.result(outcome, () => {
            if (outcome.kind === 'unchanged') return `${name} is that already; nothing to do`;
            if (outcome.kind !== 'committed') return whyNotCommitted(name, outcome) ?? '';
            if (outcome.revision.version === 'none')
              return `${name} is taken out of the library, as before its first revision; \`knack skills restore ${name}\` brings it back`;
            return `${name}: ${now?.what ?? 'rolled back'} (${receipt}); nothing was removed from its history`;
          });
          if (outcome.kind === 'committed')
            await noteNamesOut(context, history, name, before, await history.present(name));
          return outcome.kind === 'committed' || outcome.kind === 'unchanged' ? 0 : 1;
        }),
      ),
    );
}

/** Before a merge a skill does not answer to the other's name, and the other does not come back by itself. */
async function noteNamesOut(
  { output }: CommandContext,
  history: History,
  skill: string,
  before: Folder | undefined,
  after: Folder | undefined,
): Promise<void> {
  const kept = aliasesOf(skill, after);
  const lost = aliasesOf(skill, before).filter((alias) => !kept.includes(alias));
  for (const name of await namesOut(history, lost))
    output.note(
      `note: ${name}, which it answered to, is out of the library; \`knack skills restore ${name}\` brings it back`,
    );
}
