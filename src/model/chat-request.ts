import { messageOf } from '../errors.ts';
import { faultOfChunk, faultOfResponse, RequestFault } from './request-fault.ts';
import { type Assembled, createAssembler } from './stream.ts';

export interface ChatEndpoint {
  readonly baseUrl: string;
  /** A server of one's own needs none. */
  readonly apiKey: string | undefined;
  /** Milliseconds without a piece of the stream after which it counts as dead; the first may take three times as long. */
  readonly idleMs: number;
}

/**
 * Sends one request and reads its answer to the end, once. Rejects with a `RequestFault` where no whole answer comes:
 * an error status, an error in the stream, a stream that stalls, breaks off or has no finish reason. Where `signal`
 * aborts it rejects with anything; ask the signal.
 */
export async function requestChat(
  endpoint: ChatEndpoint,
  body: Record<string, unknown>,
  { signal, onText }: { signal: AbortSignal | undefined; onText: ((piece: string) => void) | undefined },
): Promise<Assembled> {
  const { OpenAI } = await import('openai');
  const idle = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wakeUntil = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(), milliseconds);
  };
  let refused: RequestFault | undefined;
  // Everything is said here: the client would read the environment, print, and try again out of our sight.
  const client = new OpenAI({
    apiKey: endpoint.apiKey || 'none',
    baseURL: endpoint.baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (response.ok) return asStream(response);
      const text = await response.text();
      refused = faultOfResponse(response.status, text, response.headers);
      return new Response(text, { status: response.status });
    },
  });
  const assembler = createAssembler(onText ?? (() => undefined));
  const stalled = () => new RequestFault(`nothing came for ${endpoint.idleMs / 1000} s`, { passing: true });
  try {
    wakeUntil(endpoint.idleMs * 3);
    const stream = await client.chat.completions.create(
      body as unknown as Parameters<typeof client.chat.completions.create>[0] & { stream: true },
      { signal: signal === undefined ? idle.signal : AbortSignal.any([idle.signal, signal]) },
    );
    for await (const chunk of stream) {
      wakeUntil(endpoint.idleMs);
      assembler.add(chunk);
    }
  } catch (error) {
    if (idle.signal.aborted) throw stalled();
    if (refused !== undefined) throw refused;
    if (error instanceof OpenAI.APIConnectionError) throw broken(error);
    if (error instanceof OpenAI.APIError && error.error !== undefined) throw faultOfChunk(error.error);
    if (error instanceof SyntaxError)
      throw new RequestFault(`a piece of the stream is not JSON (${error.message})`, { passing: true });
    if (isBrokenConnection(error)) throw broken(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
  // An aborted stream ends like a whole one.
  signal?.throwIfAborted();
  if (idle.signal.aborted) throw stalled();
  const whole = assembler.result();
  if (whole.finish === undefined)
    throw new RequestFault('the stream ended without a finish reason, so the answer is not whole', {
      passing: true,
    });
  if (/error|insufficient_system_resource/.test(whole.finish))
    throw new RequestFault(`the server ended the answer with "${whole.finish}"`, { passing: true });
  return whole;
}

/** Some servers answer with the whole completion although a stream was asked for: it is made a stream of one piece. */
async function asStream(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('text/html')) {
    await response.body?.cancel();
    return errorStream(
      'it sent a web page; OPENAI_BASE_URL has to name the API, which most often ends in /v1',
      404,
    );
  }
  if (!type.includes('application/json')) return response;
  return eventStream(JSON.stringify(JSON.parse(await response.text())));
}

function errorStream(message: string, code: number): Response {
  return eventStream(JSON.stringify({ error: { message, code } }));
}

function eventStream(data: string): Response {
  return new Response(`data: ${data}\n\ndata: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}

/** A connection that breaks off shows as a bare `TypeError: terminated`, or with the code of the socket. */
function isBrokenConnection(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(?:UND_ERR_|ECONN|EPIPE|ETIMEDOUT)/.test(code) ||
    (error instanceof TypeError && /terminated|fetch failed|network/i.test(error.message))
  );
}

function broken(error: Error): RequestFault {
  const causes: string[] = [];
  for (let cause: unknown = error; cause instanceof Error && causes.length < 4; cause = cause.cause) {
    const words = messageOf(cause).replace(/\.$/, '');
    if (words !== '' && !causes.includes(words)) causes.push(words);
  }
  return new RequestFault(causes.join(': '), { passing: true }, { cause: error });
}
