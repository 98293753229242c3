import { setTimeout as pause } from 'node:timers/promises';
import { KnackError } from '../errors.ts';
import { requestChat } from './chat-request.ts';
import { requestBody, type Wire } from './chat-wire.ts';
import type { Model, ModelReply, ModelRequest } from './model.ts';
import { type ProviderQuirks, quirksOf } from './provider-quirks.ts';
import { toReply } from './reply.ts';
import { explainFault, RequestFault } from './request-fault.ts';
import { loadTokenizer } from './tokens.ts';
import { fallbackFor } from './wire-fallbacks.ts';

export interface OpenAiModelOptions {
  /** Absent: the OpenAI API. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Takes precedence over the table of providers. */
  readonly quirks?: Partial<ProviderQuirks>;
  /** Milliseconds without a piece of the stream after which it counts as dead. @default 120000 */
  readonly idleMs?: number;
  /** New tries after a passing fault. @default 2 */
  readonly retries?: number;
  /** Milliseconds before the first new try, doubled with each, where the server asks for no other wait. @default 500 */
  readonly retryDelayMs?: number;
}

/** A server that asks to wait longer is not waited for. */
const LONGEST_WAIT_MS = 60_000;

/**
 * A model behind an endpoint that speaks the OpenAI chat protocol. Always streams. What the server refuses (a JSON
 * schema, native tools, usage in the stream) is left out from then on. Throws `model-missing` where neither a key nor
 * a base URL is set, `config-invalid` where the base URL is none.
 */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  const { model, idleMs = 120_000, retries = 2, retryDelayMs = 500 } = options;
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
    const { signal, onText } = request;
    let learned: Partial<Wire> = {};
    for (let failures = 0; ; ) {
      try {
        signal?.throwIfAborted();
        const form = { ...wire, ...learned };
        const body = requestBody(request, model, quirks, form);
        const [whole] = await Promise.all([requestChat(endpoint, body, { signal, onText }), loadTokenizer()]);
        // Remembered only now: it was the reason, since without it the request went through.
        wire = { ...wire, ...learned };
        return withNews(toReply(request, form, quirks, whole), learned);
      } catch (error) {
        if (signal?.aborted)
          throw new KnackError('aborted', 'stopped while the model answered', { cause: error });
        if (!(error instanceof RequestFault)) throw error;
        const change = fallbackFor(error, { ...wire, ...learned }, request);
        if (change !== undefined) {
          learned = { ...learned, ...change };
          continue;
        }
        const wait = error.retryAfterMs ?? retryDelayMs * 2 ** failures;
        if (!error.passing || failures >= retries || wait > LONGEST_WAIT_MS)
          throw explainFault(error, { baseUrl, apiKey: options.apiKey, model });
        failures += 1;
        request.onRetry?.(error.message);
        await waitFor(wait, signal);
      }
    }
  }

  return { id: model, complete };
}

/** A base URL as it was given. Throws `config-invalid`, without the password that may stand in it. */
export function checkedUrl(baseUrl: string): string {
  if (!/^https?:\/\/[^/]/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new KnackError(
      'config-invalid',
      `the base URL "${withoutUser(baseUrl)}" (OPENAI_BASE_URL, or model.baseUrl in knack.json) is not a URL that begins with http:// or https://`,
    );
  const { username, password } = new URL(baseUrl);
  if (username !== '' || password !== '')
    throw new KnackError(
      'config-invalid',
      `the base URL "${withoutUser(baseUrl)}" (OPENAI_BASE_URL, or model.baseUrl in knack.json) holds a user or a password, which is not sent; leave it out, and give the key as OPENAI_API_KEY`,
    );
  return baseUrl;
}

/** The URL as it may be shown: whatever stands before the last `@` may hold a password. */
function withoutUser(url: string): string {
  return url.replace(/^(\w+:\/\/)?.*@/s, '$1…@');
}

/** A model that has to write its calls as text works less well: the person should know, once. */
function withNews(reply: ModelReply, learned: Partial<Wire>): ModelReply {
  if (learned.tools !== 'text') return reply;
  const news = 'the server refuses native tool calls, so the model writes them as text from now on';
  return { ...reply, warning: reply.warning === undefined ? news : `${news}; ${reply.warning}` };
}

async function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw new KnackError('aborted', 'stopped while waiting to ask the model again', { cause: error });
  }
}
