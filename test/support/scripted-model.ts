import { createServer, type ServerResponse } from 'node:http';

/** A request body as an endpoint receives it. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_calls?: readonly unknown[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly name: string } };
  readonly stream?: boolean;
  readonly [key: string]: unknown;
}

interface StepBase {
  /** The step answers only requests that fit; steps without it are taken in order. */
  readonly when?: (body: ChatBody) => boolean;
  /** It answers any number of requests, also none. @default false: one */
  readonly always?: true;
}

/** One answer of the endpoint. */
export type Step = StepBase &
  (
    | { readonly text: string; readonly finish?: 'stop' | 'length'; readonly promptTokens?: number }
    | { readonly json: unknown }
    | {
        readonly toolCalls: readonly {
          readonly name: string;
          readonly arguments: unknown;
          readonly id?: string;
        }[];
        readonly text?: string;
      }
    | { readonly status: number; readonly error: unknown; readonly headers?: Record<string, string> }
    /** Raw bytes; with `hang` the connection stays open after them, with `destroy` it breaks off. */
    | {
        readonly raw: readonly (string | Buffer)[];
        readonly ending?: 'end' | 'destroy' | 'hang';
        /** @default text/event-stream */
        readonly type?: string;
        /** @default 200 */
        readonly status?: number;
      }
    /** Sends `raw`, then this piece for as long as it is read, as fast as it is. */
    | { readonly raw: readonly string[]; readonly endless: string; readonly type?: string }
    | { readonly answer: (body: ChatBody) => Step }
  );

export interface ScriptedModel {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly requests: readonly ChatBody[];
  /** The same as they came in, to the byte. */
  readonly bodies: readonly string[];
  /** Throws unless every step was used and every request was expected. */
  assertDone(): void;
  /** Stops the server and asserts as `assertDone` does. */
  close(): Promise<void>;
}

/** A real HTTP endpoint that answers by script: the one double of the tests, in place of a hosted model. */
export async function startScriptedModel(steps: readonly Step[]): Promise<ScriptedModel> {
  const open = [...steps];
  const requests: ChatBody[] = [];
  const bodies: string[] = [];
  const unexpected: string[] = [];

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/models') return sendJson(response, 200, { data: [{ id: 'scripted' }] });
      const text = Buffer.concat(chunks).toString();
      const body = readBody(text);
      if (request.url !== '/v1/chat/completions' || body === undefined) {
        unexpected.push(`${request.method} ${request.url} is no chat completion with a JSON body`);
        return sendJson(response, 500, { error: { message: 'the scripted model knows no such request' } });
      }
      requests.push(body);
      bodies.push(text);
      const index = open.findIndex((step) => step.when === undefined || step.when(body));
      const step = open[index];
      if (step !== undefined && step.always !== true) open.splice(index, 1);
      if (step === undefined) {
        unexpected.push(JSON.stringify(body.messages.at(-1)).slice(0, 300));
        return sendJson(response, 500, { error: { message: 'the script has no step for this request' } });
      }
      send(response, step, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const assertDone = () => {
    if (unexpected.length > 0) throw new Error(`unexpected requests:\n${unexpected.join('\n')}`);
    const unused = open.filter(({ always }) => always !== true);
    if (unused.length > 0)
      throw new Error(
        `${unused.length} steps were not used, the first: ${JSON.stringify(unused[0]).slice(0, 300)}`,
      );
  };
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    bodies,
    assertDone,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      assertDone();
    },
  };
}

/** One server-sent event of a stream. */
export function chunk(delta: unknown, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'scripted', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

function send(response: ServerResponse, step: Step, body: ChatBody): void {
  if ('answer' in step) return send(response, step.answer(body), body);
  if ('error' in step) return sendJson(response, step.status, step.error, step.headers);
  if ('raw' in step) {
    response.writeHead('status' in step && step.status !== undefined ? step.status : 200, {
      'content-type': step.type ?? 'text/event-stream',
    });
    for (const piece of step.raw) response.write(piece);
    if ('endless' in step) return repeat(response, step.endless);
    if (step.ending === 'destroy') setImmediate(() => response.destroy());
    else if (step.ending !== 'hang') response.end();
    return;
  }
  const text = 'json' in step ? JSON.stringify(step.json) : (step.text ?? '');
  const calls = ('toolCalls' in step ? step.toolCalls : []).map((call, index) => ({
    index,
    id: call.id ?? `call_${index}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
  const finish = calls.length > 0 ? 'tool_calls' : 'finish' in step && step.finish ? step.finish : 'stop';
  const usage = {
    prompt_tokens:
      'promptTokens' in step && step.promptTokens !== undefined
        ? step.promptTokens
        : Math.ceil(JSON.stringify(body.messages).length / 4),
    completion_tokens: Math.ceil(text.length / 4),
  };
  if (body.stream !== true) {
    const message = { role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    return sendJson(response, 200, {
      id: 'c',
      object: 'chat.completion',
      created: 0,
      model: 'scripted',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', content: '' }));
  for (const piece of text.match(/[\s\S]{1,50}/g) ?? []) response.write(chunk({ content: piece }));
  for (const call of calls) response.write(chunk({ tool_calls: [call] }));
  response.write(chunk({}, finish));
  response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
}

function repeat(response: ServerResponse, piece: string): void {
  if (response.destroyed) return;
  if (response.write(piece)) setImmediate(() => repeat(response, piece));
  else response.once('drain', () => repeat(response, piece));
}

function readBody(text: string): ChatBody | undefined {
  try {
    const body = JSON.parse(text) as ChatBody;
    return Array.isArray(body.messages) ? body : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}
