import { KnackError } from '../errors.ts';
import { checkedUrl } from './base-url.ts';
import { requestChat } from './chat-request.ts';
import { requestBody, type Wire } from './chat-wire.ts';
import type { Model, ModelReply, ModelRequest } from './model.ts';
import { type ProviderQuirks, quirksOf } from './provider-quirks.ts';
import { toReply } from './reply.ts';
import { explainFault, RequestFault } from './request-fault.ts';
import { mostTries, type RetryOptions, waitAfter, waitFor } from './retry.ts';
import { loadTokenizer } from './tokens.ts';
import { fallbackFor } from './wire-fallbacks.ts';

export interface OpenAiModelOptions extends RetryOptions {
  /** Absent: the OpenAI API. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Takes precedence over the table of providers. */
  readonly quirks?: Partial<ProviderQuirks>;
  /** Milliseconds without a piece of the stream after which it counts as dead. @default 120000 */
  readonly idleMs?: number;
}

/**
 * A model behind an endpoint that speaks the OpenAI chat protocol. Always streams. What the server refuses (a JSON
 * schema, native tools, usage in the stream) is left out from then on. Throws `model-missing` where neither a key nor
 * a base URL is set, `config-invalid` where the base URL is none.
 */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  const { model, idleMs = 120_000 } = options;
  if (!options.apiKey && !options.baseUrl) {
    throw new KnackError(
      'model-missing',
      'no model is set: give OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint (such as http://127.0.0.1:11434/v1), and KNACK_MODEL',
    );
  }
  const baseUrl = checkedUrl(options.baseUrl || 'https://api.openai.com/v1');
  const quirks = { ...quirksOf(baseUrl), ...options.quirks };
  const endpoint = { baseUrl, apiKey: options.apiKey, idleMs };
  let wire: Wire = { usage: true, otherTokenLimit: false, json: 'schema', tools: 'native' };

  async function complete(request: ModelRequest): Promise<ModelReply> {
    const { signal } = request;
    let learned: Partial<Wire> = {};
    for (let failures = 0; ; ) {
      try {
        signal?.throwIfAborted();
        const form = { ...wire, ...learned };
        const body = requestBody(request, model, quirks, form);
        const [whole] = await Promise.all([requestChat(endpoint, body, request), loadTokenizer()]);
        // Remembered only now: it was the reason, since without it the request went through.
        wire = { ...wire, ...learned };
        return withNews(
          toReply(request, form, quirks, { ...whole, sentBytes: Buffer.byteLength(JSON.stringify(body)) }),
          learned,
        );
      } catch (error) {
        if (signal?.aborted)
          throw new KnackError('aborted', 'stopped while the model answered', { cause: error });
        if (!(error instanceof RequestFault)) throw error;
        const change = fallbackFor(error, { ...wire, ...learned }, request);
        if (change !== undefined) {
          learned = { ...learned, ...change };
          continue;
        }
        const wait = waitAfter(error, failures, options);
        if (wait === undefined) throw explainFault(error, { baseUrl, apiKey: options.apiKey, model });
        failures += 1;
        request.onRetry?.(error.message, { attempt: failures + 1, of: mostTries(options) });
        await waitFor(wait, signal);
      }
    }
  }

  return { id: model, complete };
}

/** A model that has to write its calls as text works less well: the person should know, once. */
function withNews(reply: ModelReply, learned: Partial<Wire>): ModelReply {
  if (learned.tools !== 'text') return reply;
  const news = 'the server refuses native tool calls, so the model writes them as text from now on';
  return { ...reply, warning: reply.warning === undefined ? news : `${news}; ${reply.warning}` };
}
