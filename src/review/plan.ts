import { KnackError, messageOf } from '../errors.ts';
import { loadTokenizer } from '../model/tokens.ts';
import { counted } from '../text/counted.ts';
import type { Signal, Transcript } from '../transcript/event.ts';
import { buildDigest } from './digest.ts';
import type { ReviewParts } from './parts.ts';
import { outcomeOf } from './resume.ts';
import { signalsFrom, whyExcluded } from './review.ts';

/** What a review of one transcript would begin with. */
export type PlannedItem = { readonly file: string } & (
  | {
      readonly kind: 'review';
      readonly session: string;
      readonly signals: readonly Signal[];
      readonly digestTokens: number;
    }
  | { readonly kind: 'nothing'; readonly session: string; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly reason: string }
);

/** A review with one lesson and one attempt gives the digest to the abstract, the draft and both judges. */
const READINGS = 4;

/** The least that drafting and judging cost, without prompts, skills and answers. */
export function leastTokens(items: readonly PlannedItem[]): number {
  return items.reduce((sum, item) => sum + (item.kind === 'review' ? READINGS * item.digestTokens : 0), 0);
}

/**
 * What `knack review` would do with a transcript, without a model and without writing anything. Of a session that grew
 * only the events since its last review count. One that cannot be read is an item; only `aborted` throws.
 */
export async function planReview(
  parts: Pick<ReviewParts, 'settings' | 'ledger'>,
  file: string,
  { read, again }: { readonly read: (file: string) => Promise<Transcript>; readonly again: boolean },
): Promise<PlannedItem> {
  let transcript: Transcript;
  try {
    transcript = await read(file);
  } catch (error) {
    if (error instanceof KnackError && error.code === 'aborted') throw error;
    return { file, kind: 'unreadable', reason: messageOf(error) };
  }
  const session = transcript.session.id;
  const excluded = await whyExcluded(parts, transcript);
  if (excluded !== undefined) return { file, kind: 'nothing', session, reason: excluded };
  const last = again ? undefined : await parts.ledger.lastReview(transcript);
  const total = transcript.events.length;
  if (last?.events === total)
    return { file, kind: 'nothing', session, reason: `reviewed already: ended as ${outcomeOf(last)}` };
  const from = last?.events ?? 0;
  const signals = signalsFrom(transcript, from);
  if (signals.length === 0)
    return {
      file,
      kind: 'nothing',
      session,
      reason:
        from === 0
          ? `no signal in ${counted(total, 'event')}`
          : `no signal in the ${counted(total - from, 'event')} since the last review`,
    };
  await loadTokenizer();
  const { tokens } = buildDigest(transcript, signals, { tokens: parts.settings.digestTokens });
  return { file, kind: 'review', session, signals, digestTokens: tokens };
}
