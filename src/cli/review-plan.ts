import { KnackError } from '../errors.ts';
import type { PlannedItem } from '../review/plan.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { counted } from '../text/counted.ts';
import type { Transcript } from '../transcript/event.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { showReview } from './review-view.ts';

interface Planned {
  readonly files: readonly string[];
  readonly read: (file: string) => Promise<Transcript>;
  readonly again: boolean;
  /** What is said where there are no files. */
  readonly nothing: string | undefined;
}

/** Shows what a review of these files would begin with, a file at a time; answers with 1 if one cannot be read. */
export async function showPlan(
  { output, signal }: CommandContext,
  runtime: Runtime,
  { files, read, again, nothing }: Planned,
): Promise<ExitCode> {
  const { leastTokens, planReview } = await import('../review/plan.ts');
  const parts = { settings: runtime.config.review, ledger: await runtime.ledger() };
  const items: PlannedItem[] = [];
  for (const [index, file] of files.entries()) {
    if (signal.aborted)
      throw new KnackError('aborted', `stopped after ${index} of ${files.length} transcripts`);
    output.print(output.style('bold', `[${index + 1}/${files.length}] ${file}`));
    const item = await planReview(parts, file, { read, again });
    items.push(item);
    output.emit(publicItem(item));
    if (item.kind !== 'review') {
      output.print(
        item.kind === 'unreadable' ? output.style('red', `unreadable: ${item.reason}`) : `  ${item.reason}`,
      );
      continue;
    }
    showReview({ type: 'signals-found', signals: item.signals }, output);
    showReview({ type: 'digest-built', tokens: item.digestTokens }, output);
  }
  const plan = {
    items: items.length,
    toReview: items.filter(({ kind }) => kind === 'review').length,
    unreadable: items.filter(({ kind }) => kind === 'unreadable').map(({ file }) => file),
    leastTokens: leastTokens(items),
  };
  output.result({ plan }, () => nothing ?? describePlan(plan));
  return plan.unreadable.length === 0 ? 0 : 1;
}

function describePlan(plan: { items: number; toReview: number; leastTokens: number }): string {
  const { items, toReview, leastTokens } = plan;
  const cost =
    toReview === 0
      ? ''
      : `, for at least ${counted(leastTokens, 'token')}: each digest is read four times, and prompts, skills and further attempts add to that`;
  return `${counted(items, 'transcript')}: ${toReview} would be reviewed${cost}. Nothing was asked or written`;
}

function publicItem(item: PlannedItem) {
  if (item.kind === 'unreadable')
    return { id: item.file, file: item.file, plan: item.kind, reasons: [item.reason] };
  const { session: id, file, kind: plan } = item;
  if (item.kind === 'nothing') return { id, file, plan, reasons: [item.reason] };
  const signals = item.signals.map(({ kind, event, quote }) => ({ kind, event, quote }));
  return { id, file, plan, reasons: [], signals, digestTokens: item.digestTokens };
}
