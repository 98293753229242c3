import { bodyAtOnce, boundedEvents, mostCharacters } from './answer-bounds.ts';
import type { ModelRequest } from './model.ts';
import { type OpenAiEndpoint, openClient } from './openai-client.ts';
import { RequestFault } from './request-fault.ts';
import { type Assembled, createAssembler } from './stream.ts';

export interface ChatEndpoint extends OpenAiEndpoint {
  /**
   * Milliseconds without a piece of the stream that carries anything, after which it counts as dead; the first may take
   * three times as long.
   */
  readonly idleMs: number;
}

/**
 * Sends one request and reads its answer to the end, once. Rejects with a `RequestFault` where no whole answer comes:
 * an error status, an error in the stream, a stream that stalls, breaks off or has no finish reason. An answer far longer
 * than `maxTokens` allows, or than any model writes, is read no further and ends as `length`. Where `signal` aborts it
 * rejects with anything; ask the signal.
 */
export async function requestChat(
  endpoint: ChatEndpoint,
  body: Record<string, unknown>,
  { signal, onText, maxTokens }: Pick<ModelRequest, 'signal' | 'onText' | 'maxTokens'>,
): Promise<Assembled> {
  const { client, faultOf } = await openClient(endpoint, asStream);
  const idle = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wakeUntil = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(), milliseconds);
  };
  const assembler = createAssembler(onText ?? (() => undefined), mostCharacters(maxTokens));
  const stalled = () => new RequestFault(`nothing came for ${endpoint.idleMs / 1000} s`, { passing: true });
  try {
    wakeUntil(endpoint.idleMs * 3);
    const stream = await client.chat.completions.create(
      body as unknown as Parameters<typeof client.chat.completions.create>[0] & { stream: true },
      { signal: signal === undefined ? idle.signal : AbortSignal.any([idle.signal, signal]) },
    );
    for await (const chunk of stream) {
      // A server that only says that it lives is as silent as one that says nothing.
      if (assembler.add(chunk)) wakeUntil(endpoint.idleMs);
      if (assembler.isFull()) break;
    }
  } catch (error) {
    if (idle.signal.aborted) throw stalled();
    if (error instanceof SyntaxError)
      throw new RequestFault(`a piece of the stream is not JSON (${error.message})`, { passing: true });
    // The client writes an error down as JSON, which recurses.
    const fault = faultOf(error);
    if (fault instanceof RangeError && fault.message.includes('call stack'))
      throw new RequestFault('a piece of the stream is nested too deeply', { passing: true });
    throw fault;
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
  const { body, status, headers } = response;
  if (body === null)
    throw new RequestFault(`it answered with status ${status} and without a body`, { passing: true });
  const type = headers.get('content-type') ?? '';
  if (type.includes('text/html')) {
    await body.cancel();
    return errorStream(
      'it sent a web page; OPENAI_BASE_URL has to name the API, which most often ends in /v1',
      404,
    );
  }
  if (!type.includes('application/json')) return new Response(boundedEvents(body), { status, headers });
  // A line break in JSON is white space, in a stream the end of a piece.
  return eventStream((await bodyAtOnce(body)).replace(/[\r\n]+/g, ' '));
}

function errorStream(message: string, code: number): Response {
  return eventStream(JSON.stringify({ error: { message, code } }));
}

function eventStream(data: string): Response {
  return new Response(`data: ${data}\n\ndata: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}
