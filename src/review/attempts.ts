import type { GateResult } from '../gate/check.ts';
import type { Draft } from '../gate/draft.ts';
import { vetoes, vetoing } from '../gate/verdict.ts';
import type { Model } from '../model/model.ts';
import type { Signal, Transcript } from '../transcript/event.ts';
import type { Abstract } from './abstract.ts';
import { isAppliedAlready } from './applied-already.ts';
import { applyChange, proposalOf, whyStaged } from './apply.ts';
import { buildCandidate, locateTarget, type Target } from './candidate.ts';
import { type DraftOutcome, draftChange, type Refusal } from './drafter.ts';
import { createFence } from './fence.ts';
import { gateDraft } from './gate-draft.ts';
import { withTriggersToKeep } from './kept-triggers.ts';
import { nearestSkills, skillText, targetSkill } from './nearest-skills.ts';
import type { ReviewAttempt, ReviewEvent, ReviewOutcome } from './outcome.ts';
import { ownPrompts } from './own-prompts.ts';
import type { ReviewParts } from './parts.ts';
import type { ReviewLog } from './review-log.ts';
import type { TokenBudget } from './token-budget.ts';

/** One review under way. */
export interface ReviewRun {
  readonly id: string;
  readonly parts: ReviewParts;
  readonly transcript: Transcript;
  readonly signals: readonly Signal[];
  readonly digest: string;
  readonly reviewer: Model;
  readonly judge: Model | undefined;
  readonly budget: TokenBudget;
  readonly log: ReviewLog;
  /** Grows with each draft that the gate saw, so that a failure later does not lose them. */
  readonly attempts: ReviewAttempt[];
  readonly signal: AbortSignal | undefined;
  readonly progress: (event: ReviewEvent) => void;
}

/** The end of all attempts, without what every outcome has. */
export type AttemptsEnd = Pick<
  ReviewOutcome,
  'outcome' | 'reasons' | 'skill' | 'version' | 'sha' | 'pending' | 'lesson'
>;

type Settled =
  | { readonly kind: 'end'; readonly end: AttemptsEnd }
  | { readonly kind: 'refused' | 'moved'; readonly reasons: readonly string[] };

/** How often a draft is applied anew to a skill that keeps changing, before it is drafted anew. */
const MOST_MOVES = 6;

/**
 * Drafts and gates until a draft is committed or staged, there is nothing to learn, or the attempts are used up. The
 * reasons of each refusal go to the next draft; the judge never learns of them.
 */
export async function runAttempts(run: ReviewRun): Promise<AttemptsEnd> {
  const refusals: Refusal[] = await earlierRejections(run);
  let last: Refusal | undefined;
  let gated = false;
  let redrafted = false;
  let limit = run.parts.settings.attempts;
  for (let attempt = 1; attempt <= limit; attempt += 1) {
    run.progress({ type: 'attempt-start', attempt });
    const drafted = await draft(run, attempt, refusals);
    if (drafted.kind === 'cut') return { outcome: 'failed', reasons: [drafted.reason] };
    if (drafted.kind === 'nothing')
      return {
        outcome: 'nothing',
        reasons: [drafted.abstract.reason || 'the reviewer found nothing to learn'],
      };
    if (drafted.kind === 'malformed') {
      last = refusalOf(drafted.abstract, [drafted.reason]);
    } else {
      const settled = await settle(run, attempt, drafted);
      if (settled.kind === 'end') return { lesson: drafted.draft.lesson, ...settled.end };
      gated = true;
      last = refusalOf(drafted.abstract, settled.reasons, drafted.draft);
      if (settled.kind === 'moved' && !redrafted) {
        redrafted = true;
        limit += 1;
      }
    }
    refusals.push(last);
  }
  return {
    outcome: gated ? 'rejected' : 'failed',
    reasons: [`given up after ${limit} attempts`, ...(last?.reasons ?? [])],
    ...(last?.skill === undefined ? {} : { skill: last.skill }),
    ...(last === undefined || last.lesson === '' ? {} : { lesson: last.lesson }),
  };
}

async function draft(run: ReviewRun, attempt: number, refusals: readonly Refusal[]): Promise<DraftOutcome> {
  const { parts, transcript, signals, digest } = run;
  const { library, history } = parts;
  const drafted = await draftChange({
    model: run.reviewer,
    prompts: parts.prompts,
    guidance: parts.guidance,
    session: transcript.session,
    digest,
    facts: {
      events: new Set(transcript.events.map((event) => event.id)),
      find: (name) => {
        const found = library.find(name);
        return found && { name: found.name, isTarget: targetSkill(library, name) !== undefined };
      },
    },
    skills: await history.settled(() => nearestSkills(library, transcript, signals)),
    textOf: async (name) => {
      const skill = targetSkill(library, name);
      return skill === undefined ? undefined : history.settled(() => skillText(skill));
    },
    refusals,
    fence: createFence(parts.newId()),
    ...(run.signal === undefined ? {} : { signal: run.signal }),
    onAbstract: (abstract) => run.progress({ type: 'abstract-end', attempt, abstract }),
  });
  if ('abstract' in drafted) await run.log.json(`abstract-${attempt}.json`, drafted.abstract);
  if (drafted.kind === 'draft') {
    run.progress({ type: 'draft-end', attempt, draft: drafted.draft });
    await run.log.json(`draft-${attempt}.json`, drafted.draft);
  }
  return drafted;
}

/** Gates a draft and commits or stages it; when the skill moved meanwhile, does so again on what is there now. */
async function settle(
  run: ReviewRun,
  attempt: number,
  { draft, abstract }: { draft: Draft; abstract: Abstract },
): Promise<Settled> {
  const { parts } = run;
  const { library, history } = parts;
  const about = { skill: draft.skill ?? abstract.skill };
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    const target = await locateTarget(draft, { library, history, skillsDir: parts.workspace.skills });
    if (target.base !== undefined && isAppliedAlready(draft, target.base)) {
      const why = moves === 0 ? 'says this already' : 'was taught the same meanwhile';
      return end({ ...about, outcome: 'nothing', reasons: [`${target.name} ${why}`] });
    }
    const candidate = await buildCandidate(draft, target, history);
    const gate = await runGate(run, attempt, { draft, abstract }, target, candidate);
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
    const proposal = proposalOf(draft, abstract.title, run.id, gate);
    const stage = async (why: string) => {
      const reasons = [why, ...vetoes(gate)];
      const entry = await parts.pending.stage({ ...proposal, target, verdict: gate.verdict, why: reasons });
      return end({ ...about, outcome: 'staged', pending: entry.id, reasons });
    };
    const why = whyStaged(target, gate, parts.settings.autonomy) ?? (await whyAnswered(run));
    if (why !== undefined) return stage(why);
    const outcome = await applyChange(history, target, candidate, proposal);
    switch (outcome.kind) {
      case 'committed': {
        await history.settled(() => library.refresh());
        const { version, sha } = outcome.revision;
        return end({ ...about, outcome: 'committed', version, sha, reasons: [proposal.title] });
      }
      case 'unchanged':
        return end({ ...about, outcome: 'nothing', reasons: [`${target.name} says this already`] });
      case 'dirty':
        return stage(`${target.name} has uncommitted edits: ${outcome.files.slice(0, 5).join(', ')}`);
      case 'unavailable':
        return stage(outcome.why);
      case 'moved':
        run.progress({ type: 'base-moved', skill: target.name });
        await history.settled(() => library.refresh());
    }
  }
  return { kind: 'moved', reasons: [`${about.skill} kept changing while the draft was applied`] };
}

async function runGate(
  run: ReviewRun,
  attempt: number,
  { draft, abstract }: { draft: Draft; abstract: Abstract },
  target: Target,
  candidate: Awaited<ReturnType<typeof buildCandidate>>,
): Promise<GateResult> {
  const { parts } = run;
  return gateDraft(draft, target, candidate, {
    title: abstract.title,
    evidence: [run.transcript],
    digest: run.digest,
    library: parts.library,
    ownPrompts: await ownPrompts(parts.prompts),
    ...(run.judge === undefined ? {} : { judge: { model: run.judge, prompts: parts.prompts } }),
    ...(parts.runTests === undefined ? {} : { runTests: parts.runTests }),
    ...(parts.path === undefined ? {} : { path: parts.path }),
    ...(run.signal === undefined ? {} : { signal: run.signal }),
    onCheck: (check, state) => run.progress({ type: 'check-run', attempt, check, state }),
  });
}

/** What a person turned down before for this session, so that it is not offered again. */
async function earlierRejections(run: ReviewRun): Promise<Refusal[]> {
  return (await turnedDown(run)).map(({ skill, lesson, answer }) => ({
    skill,
    lesson,
    reasons: [`a person turned it down${answer ? `: ${answer}` : ''}`],
  }));
}

/** A person who turned a change of this session down is asked about the next one too. */
async function whyAnswered(run: ReviewRun): Promise<string | undefined> {
  const [latest] = await turnedDown(run);
  return latest && `a change that this session taught was turned down before (${latest.id})`;
}

async function turnedDown(run: ReviewRun) {
  const entries = await run.parts.pending.list({ all: true });
  return entries.filter(
    ({ state, sessions }) => state === 'rejected' && sessions.includes(run.transcript.session.id),
  );
}

function end(value: AttemptsEnd): Settled {
  return { kind: 'end', end: value };
}

function refusalOf(abstract: Abstract | undefined, reasons: readonly string[], draft?: Draft): Refusal {
  return {
    lesson: abstract?.lesson ?? '',
    ...(abstract?.skill ? { skill: abstract.skill } : {}),
    ...(draft === undefined
      ? {}
      : {
          draft: withTriggersToKeep(
            draft,
            reasons.some((reason) => reason.startsWith('retrieval/')),
          ),
        }),
    reasons,
  };
}
