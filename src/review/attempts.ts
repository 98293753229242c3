import type { Draft } from '../gate/draft.ts';
import type { Model } from '../model/model.ts';
import type { Signal, Transcript } from '../transcript/event.ts';
import type { Abstract, Decided } from './abstract.ts';
import { draftRequest } from './draft-request.ts';
import { type DraftRequest, decideLessons, type Refusal, writeDraft } from './drafter.ts';
import { withTriggersToKeep } from './kept-triggers.ts';
import type { ReviewAttempt, ReviewEvent, ReviewOutcome } from './outcome.ts';
import type { ReviewParts } from './parts.ts';
import type { ReviewLog } from './review-log.ts';
import { settle } from './settle.ts';
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

/** One lesson of a review under way; `id` and `log` are the lesson's own. */
export interface LessonRun extends ReviewRun {
  /** What was decided; undefined for the first of a session, with which all are decided. */
  readonly decided?: Abstract;
  /** The other lessons of the session, where they are known. */
  readonly settled: readonly Abstract[];
  /** Told once, before anything is drafted, what the session teaches. */
  readonly onDecided: (lessons: readonly Abstract[]) => Promise<void>;
}

/** The end of all attempts, without what every outcome has. */
export type AttemptsEnd = Pick<
  ReviewOutcome,
  'outcome' | 'reasons' | 'skill' | 'version' | 'sha' | 'pending' | 'lesson' | 'lessons'
>;

type Step =
  | { readonly kind: 'end'; readonly end: AttemptsEnd }
  | { readonly kind: 'malformed'; readonly reason: string; readonly abstract?: Abstract }
  | { readonly kind: 'draft'; readonly abstract: Abstract; readonly draft: Draft };

/**
 * Drafts and gates one lesson until a draft is committed or staged, there is nothing to learn, or the attempts are used
 * up. The reasons of each refusal go to the next draft; the judge never learns of them.
 */
export async function runAttempts(run: LessonRun): Promise<AttemptsEnd> {
  const refusals: Refusal[] = [];
  const task = { decided: run.decided, settled: run.settled, isSplit: run.decided !== undefined };
  let last: Refusal | undefined;
  let gated = false;
  let redrafted = false;
  let limit = run.parts.settings.attempts;
  for (let attempt = 1; attempt <= limit; attempt += 1) {
    run.progress({ type: 'attempt-start', attempt });
    const step = await draft(run, attempt, refusals, task);
    if (step.kind === 'end') return step.end;
    if (step.kind === 'malformed') {
      last = refusalOf(step.abstract, [step.reason]);
    } else {
      const settled = await settle(run, attempt, step);
      if (settled.kind === 'end') return { lesson: step.draft.lesson, ...settled.end };
      gated = true;
      last = refusalOf(step.abstract, settled.reasons, step.draft);
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

/** What is known of the lesson between attempts: `isSplit` once the session's lessons were told apart. */
interface Task {
  decided: Abstract | undefined;
  settled: readonly Abstract[];
  isSplit: boolean;
}

async function draft(
  run: LessonRun,
  attempt: number,
  refusals: readonly Refusal[],
  task: Task,
): Promise<Step> {
  const request = await draftRequest(run, refusals, task.settled);
  const first = attempt === 1 ? task.decided : undefined;
  const abstract = first ?? (await decide(run, request, task));
  if ('kind' in abstract) return abstract;
  run.progress({ type: 'abstract-end', attempt, abstract });
  await run.log.json(`abstract-${attempt}.json`, abstract);
  const written = await writeDraft(request, abstract);
  if (written.kind === 'cut') return { kind: 'end', end: { outcome: 'failed', reasons: [written.reason] } };
  if (written.kind === 'malformed') return { kind: 'malformed', abstract, reason: written.reason };
  run.progress({ type: 'draft-end', attempt, draft: written.draft });
  await run.log.json(`draft-${attempt}.json`, written.draft);
  return { kind: 'draft', abstract, draft: written.draft };
}

const NO_REASON = 'the reviewer found nothing to learn and gave no reason, also when it was asked for one';

/** The lesson to write down; the others of the session are told, the first time, to whoever runs them. */
async function decide(run: LessonRun, request: DraftRequest, task: Task): Promise<Abstract | Step> {
  const answer = await decideLessons(request);
  if (answer.kind === 'cut') return { kind: 'end', end: { outcome: 'failed', reasons: [answer.reason] } };
  if (answer.kind === 'malformed') return answer;
  const { lessons, reason } = answer.decided;
  const lesson = lessonFor(task.decided, answer.decided);
  if (lesson === undefined)
    return {
      kind: 'end',
      end: { outcome: 'nothing', reasons: [reason.trim() === '' ? NO_REASON : reason] },
    };
  if (!task.isSplit) {
    task.isSplit = true;
    task.settled = lessons.filter((each) => each !== lesson);
    await run.onDecided(lessons);
  }
  task.decided = lesson;
  return lesson;
}

/** Asked again for one lesson, a model may give others beside it. */
function lessonFor(before: Abstract | undefined, { lessons }: Decided): Abstract | undefined {
  return lessons.find(({ skill }) => skill === before?.skill) ?? lessons[0];
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
