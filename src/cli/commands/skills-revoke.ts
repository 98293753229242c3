import type { Command } from 'commander';
import type { CommitOutcome, History } from '../../history/history.ts';
import { planRevocation, type Revocation, revoke } from '../../history/revoke.ts';
import { diffFolders } from '../../review/folder-diff.ts';
import type { Act } from '../command.ts';
import { obstacleOf, whyNotCommitted } from '../commit-view.ts';
import { type NameStep, noteNames, settleNames } from '../settle-names.ts';
import { withWorkspace } from '../with-runtime.ts';

interface Options {
  readonly session: string;
  readonly dryRun?: boolean;
  readonly why: string;
}

type Result = ReturnType<typeof named> & {
  readonly outcome: 'planned' | CommitOutcome['kind'];
  readonly sha?: string;
  readonly why?: string;
  /** Of one that is only planned. */
  readonly diff?: string;
};

export function configure(command: Command, act: Act): void {
  command
    .requiredOption(
      '--session <id>',
      'the session whose lessons are to go (`log --json` and `blame` name it)',
    )
    .option('--dry-run', 'say what would be taken back and change nothing')
    .option('--why <text>', 'kept in the commit', 'asked for by the user')
    .action(
      act(async (context, options: Options) =>
        withWorkspace(context, async (runtime) => {
          const history = await runtime.history();
          const plans = await planRevocation(history, options.session);
          const results: Result[] = [];
          for (const plan of plans) {
            if (context.signal.aborted) break;
            results.push(
              options.dryRun ? await foresee(history, plan) : await carryOut(history, plan, options),
            );
          }
          // When all is done: a skill that came back may have been called what another was.
          const steps: NameStep[] = [];
          for (const [index, { skill, before, after, out }] of plans.entries())
            if (results[index]?.outcome === 'committed' && out === undefined)
              steps.push(...(await settleNames(runtime, { skill, before, after }, options.why)));
          context.output.result({ session: options.session, skills: results }, () =>
            results.length === 0
              ? `nothing of ${options.session} is left in any skill`
              : results.map(describe).join('\n'),
          );
          noteNames(context.output, steps);
          return results.every(({ why }) => why === undefined) && results.length === plans.length ? 0 : 1;
        }),
      ),
    );
}

/** What carrying it out would come to as things are now. */
async function foresee(history: History, plan: Revocation): Promise<Result> {
  const { dirty, blocked, deleted } = await history.standing(plan.skill);
  // Of a skill that is out of the library and stays so the folder is not looked at.
  const obstacle = obstacleOf({ dirty: plan.out === undefined ? dirty : [], blocked, deleted });
  const why = whyNotCommitted(plan.skill, obstacle);
  const diff = diffFolders(plan.before, plan.after ?? new Map());
  return { ...named(plan), outcome: 'planned', diff, ...(why === undefined ? {} : { why }) };
}

async function carryOut(history: History, plan: Revocation, { session, why }: Options): Promise<Result> {
  const outcome = await revoke(history, plan, { session, why });
  const obstacle = whyNotCommitted(plan.skill, outcome);
  return {
    ...named(plan),
    outcome: outcome.kind,
    ...(outcome.kind === 'committed' ? { sha: outcome.revision.sha } : {}),
    ...(obstacle === undefined ? {} : { why: obstacle }),
  };
}

/** `retired`: it is out of the library and stays so; `to` is what a restore brings back from now on. */
function named({ skill, from, to, out }: Revocation) {
  return { skill, from, to, ...(out === undefined ? {} : { retired: true }) };
}

function describe(result: Result): string {
  const { diff = '' } = result;
  return [summaryOf(result), ...(diff === '' ? [] : [diff.trimEnd()])].join('\n');
}

function summaryOf({ skill, from, to, retired, outcome, sha, why }: Result): string {
  if (why !== undefined) return why;
  const commit = sha === undefined ? '' : ` (commit ${sha.slice(0, 10)})`;
  if (retired === true)
    return to === 'none'
      ? `${skill}: it is retired and stays so; nothing else is in it, so \`knack skills restore ${skill}\` brings nothing back${commit}`
      : `${skill}: it is retired and stays so; \`knack skills restore ${skill}\` brings back ${to}, without what was taught${commit}`;
  if (from === 'none') {
    return `${skill}: what retired it is taken back, and it is in the library again as ${to}${commit}`;
  }
  const what = to === 'none' ? 'nothing else is left of it, so it is taken out' : `${from} → ${to}`;
  if (outcome === 'planned') return `${skill}: ${what}`;
  return `${skill}: ${what} (commit ${sha?.slice(0, 10) ?? '-'}; \`knack skills rollback ${skill}\` brings it back)`;
}
