import { KnackError, messageOf } from '../errors.ts';
import { requestBody, type Wire } from './chat-wire.ts';
import type { Model, ModelReply, ModelRequest } from './model.ts';
import { quirksOf } from './provider-quirks.ts';
import { type Assembled, createAssembler } from './stream.ts';
import { looksLikePrintedCall, readTextCalls } from './text-tool-calls.ts';
import { countTokens, loadTokenizer } from './tokens.ts';

export interface OpenAiModelOptions {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Milliseconds without a piece of the stream after which it counts as dead. @default 120000 */
  readonly idleMs?: number;
  /** New tries after a passing fault. @default 2 */
  readonly retries?: number;
}

/** A fault that another try may not meet. */
class PassingFault extends Error {}

/** The form of a request that this server was found not to take, in the order in which it is given up. */
const FALLBACKS: readonly { readonly fits: RegExp; readonly change: (wire: Wire) => Wire | undefined }[] = [
  {
    fits: /stream_options|include_usage/i,
    change: (wire) => (wire.usage ? { ...wire, usage: false } : undefined),
  },
  {
    fits: /max_completion_tokens|max_tokens/i,
    change: (wire) => (wire.otherTokenLimit ? undefined : { ...wire, otherTokenLimit: true }),
  },
  {
    fits: /response_format|json_schema|json_object|structured|grammar|schema/i,
    change: (wire) =>
      wire.json === 'schema'
        ? { ...wire, json: 'object' }
        : wire.json === 'object'
          ? { ...wire, json: 'prompt' }
          : undefined,
  },
  {
    fits: /\btools?\b|function.?call/i,
    change: (wire) => (wire.tools === 'native' ? { ...wire, tools: 'text' } : undefined),
  },
];

/**
 * A model behind an endpoint that speaks the OpenAI chat protocol. Always streams. What the server refuses (a JSON
 * schema, native tools, usage in the stream) is left out from then on. Throws `model-missing` where neither a key nor
 * a base URL is set.
 */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  const { baseUrl, model } = options;
  if (!options.apiKey && !baseUrl) {
    throw new KnackError(
      'model-missing',
      'no model is set: give OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint (such as http://127.0.0.1:11434/v1), and KNACK_MODEL',
    );
  }
  const quirks = quirksOf(baseUrl);
  let wire: Wire = { usage: true, otherTokenLimit: false, json: 'schema', tools: 'native' };

  async function complete(request: ModelRequest): Promise<ModelReply> {
    await loadTokenizer();
    let failures = 0;
    for (;;) {
      try {
        const used = wire;
        return toReply(
          request,
          used,
          await streamOnce(options, requestBody(request, model, quirks, used), request),
        );
      } catch (error) {
        if (request.signal?.aborted)
          throw new KnackError('aborted', 'stopped while the model answered', { cause: error });
        const changed = isBadRequest(error)
          ? FALLBACKS.find(({ fits, change }) => fits.test(messageOf(error)) && change(wire))?.change(wire)
          : undefined;
        if (changed !== undefined) {
          wire = changed;
          continue;
        }
        if (!isPassing(error) || failures >= (options.retries ?? 2)) throw explain(error, options);
        failures += 1;
      }
    }
  }

  function toReply(request: ModelRequest, used: Wire, whole: Assembled): ModelReply {
    const textual =
      used.tools === 'text' && request.tools?.length
        ? readTextCalls(whole.content, request.tools)
        : { text: whole.content, calls: [] };
    const toolCalls = whole.toolCalls.length > 0 ? whole.toolCalls : textual.calls;
    const kept = Object.fromEntries(
      Object.entries(whole.extra).filter(([key]) => quirks.echoes.includes(key)),
    );
    const promptText = request.messages.map((message) => message.content).join('\n');
    const estimate = countTokens(promptText);
    const promptTokens = whole.usage?.prompt_tokens ?? estimate;
    const cut = estimate > 2000 && promptTokens < estimate / 2;
    const printed = toolCalls.length === 0 && looksLikePrintedCall(whole.content, request.tools ?? []);
    const warning = cut
      ? `the server counted ${promptTokens} tokens where about ${estimate} were sent: it cuts the prompt; raise ${quirks.contextSetting}`
      : printed
        ? 'the model printed a tool call as text instead of making it'
        : undefined;
    return {
      message: {
        role: 'assistant',
        content: textual.text,
        ...(toolCalls.length > 0 ? { toolCalls } : {}),
        ...(Object.keys(kept).length > 0 ? { native: { provider: quirks.provider, fields: kept } } : {}),
      },
      finish:
        whole.finish === 'length'
          ? 'length'
          : whole.finish === 'content_filter'
            ? 'filtered'
            : toolCalls.length > 0
              ? 'tool-calls'
              : 'stop',
      usage: { promptTokens, completionTokens: whole.usage?.completion_tokens ?? countTokens(whole.content) },
      ...(warning === undefined ? {} : { warning }),
    };
  }

  return { id: model, complete };
}

/** One request to its end. A stream that stalls, breaks off or ends without a finish reason is a passing fault. */
async function streamOnce(
  options: OpenAiModelOptions,
  body: Record<string, unknown>,
  request: ModelRequest,
): Promise<Assembled> {
  const { OpenAI } = await import('openai');
  const client = new OpenAI({
    apiKey: options.apiKey ?? 'none',
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    maxRetries: options.retries ?? 2,
  });
  const idleMs = options.idleMs ?? 120_000;
  const idle = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const awake = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(), milliseconds);
  };
  const assembler = createAssembler(request.onText ?? (() => undefined));
  try {
    // The first piece may wait for a long prompt to be read.
    awake(idleMs * 3);
    const signal =
      request.signal === undefined ? idle.signal : AbortSignal.any([idle.signal, request.signal]);
    const stream = await client.chat.completions.create(
      body as unknown as Parameters<typeof client.chat.completions.create>[0] & { stream: true },
      { signal },
    );
    for await (const chunk of stream) {
      awake(idleMs);
      throwErrorChunk(chunk);
      assembler.add(chunk);
    }
  } catch (error) {
    if (idle.signal.aborted) throw new PassingFault(`nothing came for ${idleMs / 1000} s`, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const whole = assembler.result();
  if (request.signal?.aborted) throw new KnackError('aborted', 'stopped while the model answered');
  if (idle.signal.aborted) throw new PassingFault(`nothing came for ${idleMs / 1000} s`);
  if (whole.finish === undefined)
    throw new PassingFault('the stream ended without a finish reason, so the answer is not whole');
  return whole;
}

/** Some servers answer 200 and send the error as a chunk. */
function throwErrorChunk(chunk: unknown): void {
  if (typeof chunk !== 'object' || chunk === null || !('error' in chunk) || !chunk.error) return;
  const { message, code } = (typeof chunk.error === 'object' ? chunk.error : { message: chunk.error }) as {
    message?: unknown;
    code?: unknown;
  };
  const words = typeof message === 'string' ? message : JSON.stringify(chunk.error);
  if (Number(code) >= 500) throw new PassingFault(words);
  throw new KnackError('model-failed', words);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? error.status
    : undefined;
}

function isBadRequest(error: unknown): boolean {
  const status = statusOf(error);
  return status === 400 || status === 404 || status === 422 || status === 501;
}

/** A broken connection shows as a bare `TypeError: terminated`; statuses were already tried again by the client. */
function isPassing(error: unknown): boolean {
  if (error instanceof PassingFault) return true;
  return error instanceof TypeError && /terminated|fetch failed|network/i.test(error.message);
}

function explain(error: unknown, options: OpenAiModelOptions): KnackError {
  if (error instanceof KnackError) return error;
  const where = options.baseUrl ?? 'the OpenAI API (OPENAI_BASE_URL is not set)';
  const status = statusOf(error);
  const words = `${messageOf(error)}${error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''}`;
  const remedy =
    status === 401 || status === 403
      ? ' Check OPENAI_API_KEY.'
      : status === 404
        ? ` Check OPENAI_BASE_URL and KNACK_MODEL ("${options.model}").`
        : status === undefined
          ? ' Check OPENAI_BASE_URL and that the server runs.'
          : '';
  return new KnackError(
    'model-failed',
    `the model "${options.model}" at ${where} failed: ${words}.${remedy}`,
    { cause: error },
  );
}
