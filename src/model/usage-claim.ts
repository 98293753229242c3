import type { Usage } from './model.ts';
import type { Assembled } from './stream.ts';

interface Measure {
  /** Of the request as it was sent, and of everything that came back. A token is a byte at least. */
  readonly sentBytes: number;
  readonly answeredBytes: number;
  /** Our own counts. */
  readonly sentTokens: () => number;
  readonly answeredTokens: () => number;
  readonly maxTokens: number | undefined;
}

/** What a server may put before a prompt of its own accord. */
const OWN_PROMPT = 16_384;
/** Thoughts that a server counts and does not send, where no limit was asked for. */
const HIDDEN_THOUGHTS = 262_144;

/**
 * The tokens of one exchange: as the server counted them; by our own count where it did not, or where its numbers cannot
 * be. `doubt` says the latter to the person.
 */
export function countedUsage(
  claim: Pick<Assembled, 'promptTokens' | 'completionTokens'>,
  measure: Measure,
): { readonly usage: Usage; readonly doubt?: string } {
  const prompt = judged(claim.promptTokens, measure.sentBytes + OWN_PROMPT);
  const completion = judged(
    claim.completionTokens,
    measure.answeredBytes + (measure.maxTokens ?? HIDDEN_THOUGHTS),
  );
  const usage = {
    promptTokens: prompt ?? measure.sentTokens(),
    completionTokens: completion ?? measure.answeredTokens(),
  };
  const doubts = [
    ...(claim.promptTokens !== undefined && prompt === undefined
      ? [`${claim.promptTokens} tokens for a prompt of ${measure.sentBytes} bytes`]
      : []),
    ...(claim.completionTokens !== undefined && completion === undefined
      ? [`${claim.completionTokens} tokens for an answer of ${measure.answeredBytes} bytes`]
      : []),
  ];
  if (doubts.length === 0) return { usage };
  return {
    usage,
    doubt: `the server claims ${doubts.join(' and ')}, which cannot be; they were counted here as ${usage.promptTokens} and ${usage.completionTokens}`,
  };
}

function judged(tokens: number | undefined, most: number): number | undefined {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= most
    ? tokens
    : undefined;
}
