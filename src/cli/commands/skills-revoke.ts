import type { Command } from 'commander';
import type { CommitOutcome, History } from '../../history/history.ts';
import { planRevocation, type Revocation, revoke } from '../../history/revoke.ts';
import type { Act } from '../command.ts';
import { whyNotCommitted } from '../commit-view.ts';
import { withRuntime } from '../with-runtime.ts';

interface Options {
  readonly session: string;
  readonly dryRun?: boolean;
  readonly why: string;
}

type Result = ReturnType<typeof named> & {
  readonly outcome: 'planned' | CommitOutcome['kind'];
  readonly sha?: string;
  readonly why?: string;
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
        withRuntime(context, async (runtime) => {
          const history = await runtime.history();
          const plans = await planRevocation(history, options.session);
          const results: Result[] = [];
          for (const plan of plans) {
            if (context.signal.aborted) break;
            results.push(
              options.dryRun
                ? { ...named(plan), outcome: 'planned' }
                : await carryOut(history, plan, options),
            );
          }
          context.output.result({ session: options.session, skills: results }, () =>
            results.length === 0
              ? `nothing of ${options.session} is left in any skill`
              : results.map(describe).join('\n'),
          );
          return results.every(({ outcome }) => ['planned', 'committed', 'unchanged'].includes(outcome)) &&
            results.length === plans.length
            ? 0
            : 1;
        }),
      ),
    );
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

function named({ skill, from, to }: Revocation) {
  return { skill, from, to };
}

function describe({ skill, from, to, outcome, sha, why }: Result): string {
  if (why !== undefined) return why;
  if (from === 'none') {
    const commit = sha === undefined ? '' : ` (commit ${sha.slice(0, 10)})`;
    return `${skill}: what retired it is taken back, and it is in the library again as ${to}${commit}`;
  }
  const what = to === 'none' ? 'nothing else is left of it, so it is taken out' : `${from} → ${to}`;
  if (outcome === 'planned') return `${skill}: ${what}`;
  return `${skill}: ${what} (commit ${sha?.slice(0, 10) ?? '-'}; \`knack skills ${to === 'none' ? 'restore' : 'rollback'} ${skill}\` brings it back)`;
}
