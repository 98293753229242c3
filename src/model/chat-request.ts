import { type OpenAiEndpoint, openClient } from './openai-client.ts';
import { RequestFault } from './request-fault.ts';
import { type Assembled, createAssembler } from './stream.ts';

export interface ChatEndpoint extends OpenAiEndpoint {
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
  const { client, faultOf } = await openClient(endpoint, asStream);
  const idle = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wakeUntil = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(), milliseconds);
  };
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
    if (error instanceof SyntaxError)
      throw new RequestFault(`a piece of the stream is not JSON (${error.message})`, { passing: true });
    throw faultOf(error);
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
