import { join } from 'node:path';
import { KnackError } from '../errors.ts';
import type { Abstract } from './abstract.ts';
import { type AttemptsEnd, type ReviewRun, runAttempts } from './attempts.ts';
import type { Progress } from './lesson-files.ts';
import { keepLessons, lessonId } from './lesson-files.ts';
import type { LessonOutcome, OutcomeKind } from './outcome.ts';
import { createReviewLog } from './review-log.ts';
import type { ReviewTokens } from './token-budget.ts';

/** What may be tried again comes before what came of the rest. */
const WEIGHT: readonly OutcomeKind[] = ['failed', 'committed', 'staged', 'rejected', 'nothing'];

/**
 * Runs the lessons of a session one after the other, each with drafts, attempts and an end of its own: whether one is
 * accepted is nothing to the others. Which there are is on the disk before anything is drafted, and each end before the
 * next begins, so that a review that is cut off or failed goes on with those that are left.
 */
export async function runLessons(run: ReviewRun, progress: Progress): Promise<AttemptsEnd> {
  let lessons = progress.lessons;
  const ends = new Map(progress.ends.map((end) => [end.id, end]));
  const runOne = async (index: number) => {
    const decided = lessons[index - 1];
    const before = run.budget.spent();
    const end = await ending(() =>
      runAttempts({
        ...run,
        id: lessonId(run.id, index),
        log:
          index === 1
            ? run.log
            : createReviewLog(join(run.parts.workspace.reviews, lessonId(run.id, index)), run.parts.redactor),
        ...(decided === undefined ? {} : { decided }),
        settled: lessons.filter((each) => each !== decided),
        async onDecided(all) {
          lessons = all;
          if (all.length < 2) return;
          await keepLessons(run.log, all);
          announce(run, all, 1);
        },
      }),
    );
    if (lessons.length < 2) return end;
    const outcome = lessonOutcome(
      run,
      { end, index, abstract: lessons[index - 1] },
      difference(run.budget.spent(), before),
    );
    ends.set(outcome.id, outcome);
    const { session } = run.transcript;
    const at = run.parts.now().toISOString();
    await run.parts.ledger.append({
      type: 'lesson-end',
      review: run.id,
      at,
      session: session.id,
      ...outcome,
    });
    return end;
  };
  if (lessons.length === 0) {
    const end = await runOne(1);
    if (lessons.length < 2) return end;
  }
  for (let index = 1; index <= lessons.length; index += 1) {
    if (ends.has(lessonId(run.id, index))) continue;
    announce(run, lessons, index);
    await runOne(index);
  }
  return combined(
    lessons,
    lessons.flatMap((_, index) => ends.get(lessonId(run.id, index + 1)) ?? []),
  );
}

/** What a lesson fails with is its end; only a stop is the whole review's. */
async function ending(attempts: () => Promise<AttemptsEnd>): Promise<AttemptsEnd> {
  try {
    return await attempts();
  } catch (error) {
    if (!(error instanceof KnackError) || error.code === 'aborted') throw error;
    return { outcome: 'failed', reasons: [error.message] };
  }
}

function announce(run: ReviewRun, lessons: readonly Abstract[], index: number): void {
  const abstract = lessons[index - 1];
  if (abstract !== undefined) run.progress({ type: 'lesson-start', index, total: lessons.length, abstract });
}

function lessonOutcome(
  run: ReviewRun,
  { end, index, abstract }: { end: AttemptsEnd; index: number; abstract: Abstract | undefined },
  tokens: ReviewTokens,
): LessonOutcome {
  const { lessons: _, ...rest } = end;
  return run.parts.redactor.value({
    id: lessonId(run.id, index),
    ...(abstract === undefined ? {} : { skill: abstract.skill, lesson: abstract.lesson }),
    ...rest,
    tokens,
  });
}

function difference(now: ReviewTokens, before: ReviewTokens): ReviewTokens {
  return {
    reviewer: now.reviewer - before.reviewer,
    judge: now.judge - before.judge,
    total: now.total - before.total,
  };
}

/** The end of the review as a whole, whose reasons name each lesson. */
function combined(lessons: readonly Abstract[], ends: readonly LessonOutcome[]): AttemptsEnd {
  const weightiest = [...ends].sort(
    (left, right) => WEIGHT.indexOf(left.outcome) - WEIGHT.indexOf(right.outcome),
  )[0];
  const { id: _, tokens: __, ...first } = weightiest ?? { id: '', tokens: 0, outcome: 'nothing' as const };
  return {
    ...first,
    reasons: ends.map(({ outcome, skill, version, pending, reasons }, index) => {
      const what = [outcome, skill, version, pending && `(${pending})`].filter(Boolean).join(' ');
      return `lesson ${index + 1} of ${lessons.length}, "${lessons[index]?.title}": ${what}: ${reasons.join('; ')}`;
    }),
    lessons: ends,
  };
}
