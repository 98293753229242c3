import { equalFolders, type Folder } from '../../files/folder.ts';
import type { Usage } from '../../model/model.ts';
import type { Check, CheckableTask, CheckContext, CheckFinding, CheckOutcome, Replay } from '../check.ts';
import { findCheckableTask } from '../checkable.ts';

/** Sessions that are tried until one can be done again. */
const MOST_TRIED = 3;
const LONGEST_SHOWN = 120;
const OFF =
  'tasks are not done again unless `review.replay` is true in knack.json, or with --replay, and a model is set';
const TESTED = 'what tests.yaml says is run by the check `tests`';

/**
 * Whether an agent does better with the change than without: a session's task is done twice, by an agent that has the
 * candidate loaded and by one that has what was there before (for a new skill, none). Then the session's own command
 * has to pass for the first and to fail for the second. The first session of those with a checkable outcome that can
 * be done again decides; if none can, nothing is vetoed.
 */
export const replay: Check = {
  id: 'replay',
  kind: 'costly',
  knowsOld: false,
  async run(context) {
    const { evidence = [], draft, skill, base, candidate } = context;
    const notRun = (...why: string[]): CheckOutcome => ({
      findings: [],
      notRun: [...new Set([...why, ...(skill !== undefined && skill.tests.length > 0 ? [TESTED] : [])])],
    });
    if (draft?.decision === 'retire') return notRun('a skill that goes has nothing to show');
    if (base !== undefined && equalFolders(base, candidate)) return notRun('nothing changed');
    // A wish or a fact need have nothing to do with what else was done in its session.
    const needed =
      draft?.operations.every(({ claim }) => claim === 'preference' || claim === 'fact') === true;
    const found = evidence.map((transcript) =>
      findCheckableTask(transcript, { cited: citedIn(context, transcript.session.id), needed }),
    );
    const tasks = found.flatMap((task) => ('why' in task ? [] : [task]));
    if (tasks.length === 0)
      return notRun(
        ...(found.length === 0
          ? ['no session was given']
          : found.flatMap((task) => ('why' in task ? [task.why] : []))),
      );
    if (context.replay === undefined) return notRun(OFF);
    const reasons: string[] = [];
    let usage: Usage = { promptTokens: 0, completionTokens: 0 };
    for (const task of tasks.slice(0, MOST_TRIED)) {
      const outcome = await compare(context, context.replay, task);
      usage = sum(usage, outcome.usage);
      if ('findings' in outcome) return { findings: outcome.findings, usage };
      reasons.push(outcome.why);
    }
    return { ...notRun(...reasons), usage };
  },
};

type Compared =
  | { readonly findings: readonly CheckFinding[]; readonly usage: Usage }
  | { readonly why: string; readonly usage: Usage };

async function compare(
  { dir, base, candidate, signal }: CheckContext,
  run: Replay,
  task: CheckableTask,
): Promise<Compared> {
  const running = (folder: Folder | undefined) =>
    run({
      ...task,
      ...(folder === undefined ? {} : { skill: { dir, folder } }),
      ...(signal === undefined ? {} : { signal }),
    });
  const without = await running(base);
  if (without.kind === 'impossible') return { why: without.why, usage: without.usage };
  const having = await running(candidate);
  const usage = sum(without.usage, having.usage);
  if (having.kind === 'impossible') return { why: having.why, usage };
  if (having.kind === 'passed' && without.kind === 'failed') return { findings: [], usage };
  const before = base === undefined ? 'without it' : 'with the skill as it was';
  const what = `the task of the session ${task.session} was done again, and then ${shown(task.command)}`;
  const why = `${having.why}; ${before}: ${without.why}`;
  if (having.kind === without.kind)
    return {
      findings: [
        refuse(
          'replay-tie',
          `${what} ${having.kind} with the change and ${before} as well, so it shows no difference (${why})`,
        ),
      ],
      usage,
    };
  return {
    findings: [refuse('replay-worse', `${what} failed with the change and passed ${before} (${why})`)],
    usage,
  };
}

function refuse(rule: string, message: string): CheckFinding {
  return { rule, severity: 'refuse', message };
}

function citedIn({ draft }: CheckContext, session: string): ReadonlySet<string> {
  const evidence = draft?.operations.flatMap((operation) => operation.evidence) ?? [];
  return new Set(evidence.flatMap((each) => (each.session === session ? [each.event] : [])));
}

function shown(command: string): string {
  return JSON.stringify(
    command.length > LONGEST_SHOWN ? `${command.slice(0, LONGEST_SHOWN - 3)}...` : command,
  );
}

function sum(left: Usage, right: Usage): Usage {
  return {
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
  };
}
