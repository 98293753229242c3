import { absorbedNames } from '../gate/absorbed.ts';
import type { GateResult } from '../gate/check.ts';
import type { Draft } from '../gate/draft.ts';
import { trustsOf } from '../gate/evidence/draft-trust.ts';
import { vetoes, vetoing } from '../gate/verdict.ts';
import { namesOut } from '../history/aliases.ts';
import { deletedByHand } from '../history/deleted.ts';
import type { Abstract } from './abstract.ts';
import { isAppliedAlready } from './applied-already.ts';
import { applyChange, proposalOf, whyStaged } from './apply.ts';
import type { AttemptsEnd, LessonRun } from './attempts.ts';
import { buildCandidate, locateTarget, type Target } from './candidate.ts';
import { rejectedBefore } from './earlier-refusals.ts';
import { gateDraft } from './gate-draft.ts';
import { ownPrompts } from './own-prompts.ts';
import { describeTakenOut, locateRetiring, type Retiring, takeOut, whyRetiringStaged } from './retiring.ts';

/** What a draft came to: an end, or reasons for another draft. `moved`: the skill kept changing. */
export type Settled =
  | { readonly kind: 'end'; readonly end: AttemptsEnd }
  | { readonly kind: 'refused' | 'moved'; readonly reasons: readonly string[] };

/** How often a draft is applied anew to a skill that keeps changing, before it is drafted anew. */
const MOST_MOVES = 6;

/** Gates a draft and commits or stages it; when the skill moved meanwhile, does so again on what is there now. */
export async function settle(
  run: LessonRun,
  attempt: number,
  { draft, abstract }: { draft: Draft; abstract: Abstract },
): Promise<Settled> {
  const { parts } = run;
  const { library, history } = parts;
  const about = { skill: draft.skill ?? abstract.skill };
  const trusts = trustsOf(draft, [run.transcript]);
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    const target = await locateTarget(draft, { library, history, skillsDir: parts.workspace.skills });
    if (target.base !== undefined && isAppliedAlready(draft, target.base)) {
      const why = moves === 0 ? 'says this already' : 'was taught the same meanwhile';
      return end({ ...about, outcome: 'nothing', reasons: [`${target.name} ${why}`] });
    }
    const retiring = await locateRetiring(draft, parts);
    const unfit = whyUnfit(draft, target, retiring);
    if (unfit !== undefined) return { kind: 'refused', reasons: [unfit] };
    const candidate = await buildCandidate(draft, target, { history, retiring, trusts });
    const gate = await runGate(run, attempt, { draft, abstract }, { target, retiring, candidate });
    run.attempts.push({ draft, gate });
    await run.log.json(`gate-${attempt}${moves > 0 ? `-${moves + 1}` : ''}.json`, gate);
    run.progress({ type: 'gate-end', attempt, result: gate });
    const exhausted = run.budget.exhausted();
    if (exhausted !== undefined) return end({ ...about, outcome: 'failed', reasons: [exhausted] });
    const broken = vetoing(gate).filter(({ rule }) => rule === 'check-failed');
    // A check that could not decide says nothing about the draft, which no other draft would mend.
    if (broken.length > 0 && broken.length === vetoing(gate).length)
      return end({ ...about, outcome: 'failed', reasons: vetoes(gate) });
    if (gate.verdict === 'reject' || 'faults' in candidate)
      return { kind: moves === 0 ? 'refused' : 'moved', reasons: vetoes(gate) };
    const proposal = { ...proposalOf(draft, abstract.title, run.id, gate), trusts };
    const stage = async (why: string) => {
      const reasons = [why, ...vetoes(gate)];
      const entry = await parts.pending.stage({ ...proposal, target, verdict: gate.verdict, why: reasons });
      return end({ ...about, outcome: 'staged', pending: entry.id, reasons });
    };
    const why =
      whyStaged(draft, target, gate, parts.settings.autonomy) ??
      (retiring && whyRetiringStaged(retiring)) ??
      (draft.decision === 'retire' ? await whyNamesGo(parts, target.name) : undefined) ??
      (await whyAnswered(run));
    if (why !== undefined) return stage(why);
    const outcome = await applyChange(history, target, candidate, proposal);
    switch (outcome.kind) {
      case 'committed': {
        const { version, sha, why: lesson } = outcome.revision;
        const gone =
          retiring &&
          (await takeOut(history, retiring, { ...proposal, into: target.name, why: lesson, draft }));
        await history.settled(() => library.refresh());
        const told = retiring && gone && describeTakenOut(retiring.name, target.name, gone);
        const reasons = [proposal.title, ...(told === undefined ? [] : [told])];
        return end({ ...about, outcome: 'committed', version, sha, reasons });
      }
      case 'unchanged':
        return end({ ...about, outcome: 'nothing', reasons: [`${target.name} says this already`] });
      case 'dirty':
        return stage(
          outcome.deleted === undefined
            ? `${target.name} has uncommitted edits: ${outcome.files.slice(0, 5).join(', ')}`
            : deletedByHand(target.name, outcome.deleted),
        );
      case 'unavailable':
        return stage(outcome.why);
      case 'moved':
        run.progress({ type: 'base-moved', skill: target.name });
        await history.settled(() => library.refresh());
    }
  }
  return { kind: 'moved', reasons: [`${about.skill} kept changing while the draft was applied`] };
}

/** Why what a draft would take out cannot go at all; another draft may do with less. */
function whyUnfit(
  { decision, skill, retires }: Draft,
  target: Target,
  retiring?: Retiring,
): string | undefined {
  if (decision === 'merge' && retiring === undefined)
    return `there is no skill "${retires}" to absorb: patch "${skill}" instead`;
  if (decision !== 'retire' || target.owner === 'learned') return undefined;
  return target.base === undefined
    ? `there is no skill "${skill}" to retire`
    : `"${skill}" was not made by a review, and only such a skill is retired by one: patch it, or decide for nothing`;
}

async function runGate(
  run: LessonRun,
  attempt: number,
  { draft, abstract }: { draft: Draft; abstract: Abstract },
  {
    target,
    retiring,
    candidate,
  }: {
    target: Target;
    retiring: Retiring | undefined;
    candidate: Awaited<ReturnType<typeof buildCandidate>>;
  },
): Promise<GateResult> {
  const { parts } = run;
  const replay = await parts.replay?.((model) => run.budget.meter(model, 'replay'));
  return gateDraft(draft, target, candidate, {
    title: abstract.title,
    evidence: [run.transcript],
    digest: run.digest,
    library: parts.library,
    ...(retiring === undefined ? {} : { retires: retiring.base }),
    ownPrompts: await ownPrompts(parts.prompts),
    ...(run.judge === undefined ? {} : { judge: { model: run.judge, prompts: parts.prompts } }),
    ...(parts.runTests === undefined ? {} : { runTests: parts.runTests }),
    ...(replay === undefined ? {} : { replay }),
    ...(parts.path === undefined ? {} : { path: parts.path }),
    ...(run.signal === undefined ? {} : { signal: run.signal }),
    onCheck: (check, state) => run.progress({ type: 'check-run', attempt, check, state }),
  });
}

/** A person is asked where names of others would be gone with a skill. */
async function whyNamesGo(
  { library, history }: Pick<LessonRun['parts'], 'library' | 'history'>,
  name: string,
): Promise<string | undefined> {
  const gone = await namesOut(history, absorbedNames(library, name));
  return gone.length === 0
    ? undefined
    : `${name} would be retired, and ${gone.join(', ')}, which it answers to, would be gone with it`;
}

/** A person who turned a change of this session down is asked about the next one too. */
async function whyAnswered({ parts, transcript }: LessonRun): Promise<string | undefined> {
  const [latest] = await rejectedBefore(parts, transcript.session.id);
  return latest && `a change that this session taught was turned down before (${latest.id})`;
}

function end(value: AttemptsEnd): Settled {
  return { kind: 'end', end: value };
}
