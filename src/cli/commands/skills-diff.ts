import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { deletedByHand } from '../../history/deleted.ts';
import { diffFolders } from '../../review/folder-diff.ts';
import type { Act } from '../command.ts';
import { historyOf } from '../skill-history.ts';
import { withLookingRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill')
    .argument(
      '[from]',
      'a version or commit (default: the one before the last, or nothing; with uncommitted edits the last)',
    )
    .argument(
      '[to]',
      'a version or commit (default: the files as they are; without versions, the last revision)',
    )
    .action(
      act(async (context, name: string, from: string | undefined, to: string | undefined) =>
        withLookingRuntime(context, async (runtime) => {
          const { history, revisions } = await historyOf(runtime, name);
          if (revisions.length === 0)
            throw new KnackError(
              'not-found',
              `${name} has no revision yet, so there is nothing to compare: it was never committed`,
            );
          const [latest, before] = revisions;
          const { dirty, deleted, folder: present = new Map() } = await history.standing(name);
          const isEdited = from === undefined && dirty.length > 0;
          const base = from ?? (isEdited ? latest : before)?.sha;
          const end = from === undefined && !isEdited ? latest?.sha : to;
          const cut = base === undefined ? await history.cut(name) : undefined;
          if (cut !== undefined)
            throw new KnackError('refused', `what ${name} was before cannot be told: ${cut}`);
          // Before its only revision there was nothing: all of it is new.
          const edit = isEdited ? diffFolders(await history.committed(name), present) : '';
          const diff =
            edit !== ''
              ? edit
              : base === undefined
                ? diffFolders(undefined, (await history.committed(name)) ?? new Map())
                : await history.diff(name, base, end);
          if (deleted !== undefined) context.output.note(`note: ${deletedByHand(name, deleted)}`);
          else if (isEdited)
            context.output.note(
              `${dirty.join(', ')}: edited since the last revision and not committed, which this shows${before === undefined ? '' : `; that revision: knack skills diff ${name} ${before.sha.slice(0, 10)} ${latest?.sha.slice(0, 10)}`}`,
            );
          context.output.result({ name, from: base ?? null, to: end ?? null, diff }, () =>
            diff === '' ? 'no difference' : diff,
          );
          return 0;
        }),
      ),
    );
}
