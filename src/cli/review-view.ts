import type { ReviewEvent, ReviewOutcome } from '../review/outcome.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { counted } from '../text/counted.ts';
import type { Transcript } from '../transcript/event.ts';
import { renderGate } from './commands/gate.ts';
import { describeDraft } from './draft-view.ts';
import { clip, type Output } from './output.ts';
import { inOneLine } from './project-notes.ts';

/** A finished review for a person. */
export function describeOutcome(review: ReviewOutcome, output: Output): string {
  const colour = {
    committed: 'green',
    staged: 'yellow',
    nothing: 'dim',
    rejected: 'red',
    failed: 'red',
  } as const;
  const what =
    review.skill === undefined
      ? ''
      : ` ${review.skill}${review.version === undefined ? '' : ` ${review.version}`}`;
  if (review.before !== undefined) return `reviewed already (ended as ${review.before})`;
  if (review.undrafted === true) return output.style('yellow', 'worth drafting: no model is set');
  return [
    `${output.style(colour[review.outcome], review.outcome)}${what} (${counted(review.tokens.total, 'token')})`,
    // Of several the reasons name each.
    ...(review.lesson === undefined || review.lessons !== undefined
      ? []
      : [`  lesson: ${inOneLine(review.lesson)}`]),
    ...review.reasons.map((reason) => `  ${inOneLine(reason)}`),
    ...(review.lessons ?? [review]).flatMap(({ pending }) =>
      pending === undefined ? [] : [`  waits for you: knack skills pending ${pending}`],
    ),
  ].join('\n');
}

/** Shows a review as it happens. */
export function showReview(event: ReviewEvent, output: Output): void {
  switch (event.type) {
    case 'signals-found':
      for (const { kind, event: id, quote } of event.signals)
        output.print(`  ${output.style('cyan', kind)} at ${id}: ${clip(quote, 120)}`);
      return;
    case 'digest-built':
      return output.print(output.style('dim', `  digest: ${counted(event.tokens, 'token')}`));
    case 'lesson-start':
      return output.print(`  lesson ${event.index} of ${event.total}: ${inOneLine(event.abstract.title)}`);
    case 'attempt-start':
      return output.progress(`attempt ${event.attempt}: drafting …`);
    case 'abstract-end':
      if (event.abstract.decision !== 'nothing')
        output.print(`  lesson: ${inOneLine(event.abstract.lesson)}`);
      return;
    case 'draft-end':
      return output.print(describeDraft(event.draft, event.attempt, output));
    case 'check-run':
      return output.progress(`attempt ${event.attempt}: ${event.check} ${event.state}`);
    case 'gate-end':
      return output.print(renderGate(event.result, output));
    case 'base-moved':
      return output.print(
        `  ${event.skill} changed meanwhile; the operations are applied to what is there now`,
      );
    case 'review-end':
      return;
  }
}

/** Reviews a session while a person looks on: what is reviewed, each stage, and what came of it. */
export async function reviewAloud(
  runtime: Pick<Runtime, 'review'>,
  transcript: Transcript,
  { output, signal }: { readonly output: Output; readonly signal: AbortSignal },
): Promise<void> {
  // A line that is overwritten would overwrite what is being typed.
  const lines = { ...output, progress: () => undefined };
  const outcome = await runtime.review(transcript, {
    signal,
    onProgress: (event) => {
      if (event.type === 'signals-found' && event.signals.length > 0)
        output.print(`reviewing: ${counted(event.signals.length, 'signal')} …`);
      if (event.type === 'attempt-start')
        output.print(output.style('dim', `  attempt ${event.attempt}: drafting …`));
      showReview(event, lines);
    },
  });
  output.print(describeOutcome(outcome, output));
}
