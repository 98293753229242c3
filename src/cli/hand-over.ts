import { join } from 'node:path';
import type { Command } from 'commander';
import { copyLine } from '../history/copied.ts';
import type { CommitOutcome } from '../history/history.ts';
import { handOver } from '../history/ownership.ts';
import { readIfThere } from '../history/private-files.ts';
import type { SkillRoot } from '../library/library.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Skill } from '../skill/skill.ts';
import type { Act, CommandContext, ExitCode } from './command.ts';
import { whyNotCommitted } from './commit-view.ts';
import { committedHistoryOf, readOnlySkill } from './skill-history.ts';
import { withNewWorkspace, withWorkspace } from './with-runtime.ts';

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
        // A skill of a root that is only read can be made one's own before there is anything else.
        (owner === 'written' ? withNewWorkspace : withWorkspace)(context, async (runtime) => {
          const read = owner === 'written' ? await readOnlySkill(runtime, name) : undefined;
          if (read !== undefined) return ownCopy(context, runtime, { ...read, why });
          const { history } = await committedHistoryOf(runtime, name);
          const outcome = await handOver(history, name, { owner, why });
          context.output.result({ skill: name, owner, outcome }, () =>
            outcome.kind === 'unchanged'
              ? `${name} is ${owner} already`
              : (whyNotCommitted(name, outcome) ?? `${name}${numberOf(outcome)}: ${MEANING[owner]}`),
          );
          return whyNotCommitted(name, outcome) === undefined ? 0 : 1;
        }),
      ),
    );
}

function numberOf(outcome: CommitOutcome): string {
  return outcome.kind === 'committed' ? ` ${outcome.revision.version}` : '';
}

/** A skill of a root that is only read becomes a person's own as a copy, which goes before it. */
async function ownCopy(
  context: CommandContext,
  runtime: Runtime,
  { skill, root, why }: { readonly skill: Skill; readonly root: SkillRoot; readonly why: string },
): Promise<ExitCode> {
  const { name, dir, version } = skill;
  const history = await runtime.history();
  const outcome = await history.commit({
    skill: name,
    base: undefined,
    target: await readIfThere(dir),
    to: version ?? '1.0.0',
    what: copyLine(root.name),
    why,
    actor: 'import',
    owner: 'written',
    sessions: [],
    operations: [],
  });
  const copy = join(runtime.workspace.skills, name);
  const obstacle =
    outcome.kind === 'moved'
      ? `${copy} is there already and is not used; mend or remove it (knack skills validate ${copy})`
      : whyNotCommitted(name, outcome);
  context.output.result(
    { skill: name, owner: 'written', outcome },
    () =>
      obstacle ??
      `${name}${numberOf(outcome)} is copied to ${copy}, which goes before that of the root ${root.name} and is yours to change`,
  );
  return obstacle === undefined ? 0 : 1;
}
