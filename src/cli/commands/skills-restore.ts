import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import type { CommitOutcome } from '../../history/history.ts';
import { restore, takeAlias } from '../../history/ownership.ts';
import type { Runtime } from '../../runtime.ts';
import type { Act } from '../command.ts';
import { whyNotCommitted } from '../commit-view.ts';
import { historyOf, readOnlySkill } from '../skill-history.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill that was retired')
    .option('--why <text>', 'kept in the commit', 'asked for by the user')
    .action(
      act(async (context, name: string, { why }: { why: string }) =>
        withRuntime(context, async (runtime) => {
          const { history } = await historyOf(runtime, name);
          const outcome = await restore(history, name, why);
          if (outcome === undefined)
            throw new KnackError('refused', `${name} is not retired: it is in the library`);
          const freed = outcome.kind === 'committed' ? await takeAliases(runtime, name, why) : [];
          context.output.result({ skill: name, outcome, aliases: freed }, () =>
            outcome.kind === 'committed'
              ? `${name} ${outcome.revision.version} is back, as it was`
              : (whyNotCommitted(name, outcome) ?? `${name} is as it was`),
          );
          for (const { skill, outcome: taken } of freed) {
            const kept = whyNotCommitted(skill, taken) ?? 'knack did not give it that name';
            context.output.note(
              taken.kind === 'committed'
                ? `note: ${skill} answers to ${name} no more (${taken.revision.version})`
                : `note: ${skill} still has the alias ${name}, which stands for ${name} itself now: ${kept}`,
            );
          }
          return outcome.kind === 'committed' ? 0 : 1;
        }),
      ),
    );
}

/** Takes the name away from those that were to answer to it while it was gone. */
async function takeAliases(runtime: Runtime, name: string, why: string) {
  const [library, history] = [await runtime.library(), await runtime.history()];
  await library.refresh();
  const freed: { skill: string; outcome: CommitOutcome }[] = [];
  for (const { name: skill, aliases } of library.skills.filter((each) => each.aliases.includes(name)))
    if ((await readOnlySkill(runtime, skill)) === undefined)
      freed.push({ skill, outcome: await takeAlias(history, skill, { alias: name, aliases, why }) });
  return freed;
}
