import { KnackError } from '../errors.ts';
import type { Model, ModelRequest, Usage } from '../model/model.ts';
import { countTokens, loadTokenizer } from '../model/tokens.ts';

/** Who spends tokens in a review. */
export type ReviewRole = 'reviewer' | 'judge' | 'replay';

/** Tokens of one review, prompts and completions together. */
export interface ReviewTokens {
  readonly reviewer: number;
  readonly judge: number;
  /** Of agents that did the session's task again, where any did. */
  readonly replay?: number;
  readonly total: number;
}

/** The ceiling of one review, over all its models. */
export interface TokenBudget {
  spent(): ReviewTokens;
  /** Why no more may be spent, once a request was refused for it. */
  exhausted(): string | undefined;
  /**
   * The model under this ceiling. A request that would pass it rejects with `refused` and is not sent. A try that failed
   * amid its answer, or was stopped there, counts by our own count.
   */
  meter(model: Model, role: ReviewRole): Model;
}

/** Room below which a completion would only be cut. */
const LEAST_COMPLETION = 256;

/** Starts a budget of `limit` tokens; `setting` names where the limit is set, and `work` what for, for the message. */
export function createTokenBudget(limit: number, setting: string, work = 'one review'): TokenBudget {
  const spent: Record<ReviewRole, number> = { reviewer: 0, judge: 0, replay: 0 };
  const total = () => spent.reviewer + spent.judge + spent.replay;
  let reason: string | undefined;

  async function complete(model: Model, role: ReviewRole, request: ModelRequest) {
    await loadTokenizer();
    const prompt = countTokens(request.messages.map((message) => message.content).join('\n'));
    const room = limit - total() - prompt;
    if (room < LEAST_COMPLETION) {
      reason = `the ceiling of ${limit} tokens for ${work} (${setting}) is reached: ${limit - room - prompt} are spent and the next request has ${prompt}`;
      throw new KnackError('refused', reason);
    }
    let answered = '';
    // A try that broke off was answered, if only in part, and is paid for.
    const countBroken = () => {
      if (answered !== '') spent[role] += prompt + countTokens(answered);
      answered = '';
    };
    try {
      const reply = await model.complete({
        ...request,
        maxTokens: Math.min(room, request.maxTokens ?? room),
        onText(text) {
          answered += text;
          request.onText?.(text);
        },
        onRetry(...told) {
          countBroken();
          request.onRetry?.(...told);
        },
      });
      spent[role] += usedTokens(reply.usage);
      return reply;
    } catch (error) {
      countBroken();
      throw error;
    }
  }

  return {
    spent: () => {
      const { replay, ...others } = spent;
      return { ...others, ...(replay > 0 ? { replay } : {}), total: total() };
    },
    exhausted: () => reason,
    meter: (model, role) => ({ id: model.id, complete: (request) => complete(model, role, request) }),
  };
}

function usedTokens(usage: Usage): number {
  return usage.promptTokens + usage.completionTokens;
}
