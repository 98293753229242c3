import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../src/model/model.ts';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { loadTokenizer } from '../../src/model/tokens.ts';
import { chunk, type ScriptedModel, type Step, startScriptedModel } from '../support/scripted-model.ts';

// Loading it blocks for longer than the idle times of these tests.
beforeAll(loadTokenizer);

let server: ScriptedModel | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const asking: ModelRequest = { messages: [{ role: 'user', content: 'hello' }] };

async function ask(steps: Step[], request: Partial<ModelRequest> = {}, idleMs = 20_000) {
  server = await startScriptedModel(steps);
  const model = createOpenAiModel({
    baseUrl: server.url,
    apiKey: '',
    model: 'm',
    retries: 0,
    retryDelayMs: 1,
    idleMs,
  });
  return model.complete({ ...asking, ...request });
}

const usageOf = (usage: string) => [
  chunk({ content: 'hello' }),
  `data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":${usage}}\n\n`,
];
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('an answer without end', () => {
  const call = (args: string) => ({
    tool_calls: [{ index: 0, id: 'c', function: { name: 'add', arguments: args } }],
  });
  const ENDLESS: [title: string, first: string[], endless: string][] = [
    ['of text', [], chunk({ content: 'x'.repeat(4000) })],
    ['of the arguments of a call', [chunk(call('{"a":"'))], chunk(call('y'.repeat(4000)))],
    ['of calls', [], chunk({ tool_calls: [{ function: { name: 'add', arguments: '{"a":1}' } }] })],
    ['of thoughts', [], chunk({ reasoning_content: 'z'.repeat(4000) })],
    ['of lists', [], chunk({ reasoning_details: Array(1000).fill('z') })],
  ];
  test.each(ENDLESS)('%s is cut near the limit that was asked for', async (_, raw, endless) => {
    const reply = await ask([{ raw, endless }], { maxTokens: 1000 });
    const size = JSON.stringify(reply.message).length;
    expect([reply.finish, size > 100_000, size < 400_000]).toEqual(['length', true, true]);
  });

  test('is cut for whoever reads along too, where no limit was asked for', async () => {
    let shown = 0;
    const endless = chunk({ content: 'words of it '.repeat(4000) });
    const reply = await ask([{ raw: [], endless }], {
      onText: (piece) => {
        shown += piece.length;
      },
    });
    expect([reply.finish, shown]).toEqual(['length', 2 * 1024 * 1024]);
  });

  test.each([
    ['of one line', 'text/event-stream', `data: ${'q'.repeat(60_000)}`],
    ['of one event in many lines', 'text/event-stream', `data: ${'q'.repeat(60_000)}\r\n`],
    ['of JSON', 'application/json', `["${'q'.repeat(60_000)}`],
  ])('%s is a fault', async (_, type, endless) => {
    await expect(ask([{ raw: [], endless, type }])).rejects.toMatchObject({
      code: 'model-failed',
      message: expect.stringContaining('has more than 16 MiB, which no answer needs') as string,
    });
  });

  test.each([
    ['empty pieces', chunk({ role: 'assistant', content: '', refusal: null, tool_calls: [] })],
    ['comments', ': still here\n\n'],
  ])('that carries nothing but %s is a silence', async (_, endless) => {
    await expect(ask([{ raw: [chunk({ content: 'x' })], endless }], {}, 150)).rejects.toThrow(
      'nothing came for 0.15 s',
    );
  });
});

describe('what a server counts', () => {
  const ABSURD: [title: string, usage: string, doubt: RegExp][] = [
    ['infinite', '{"prompt_tokens":1e999,"completion_tokens":1e999}', /Infinity tokens for a prompt of \d+/],
    ['negative', '{"prompt_tokens":-5,"completion_tokens":-5}', /-5 tokens for an answer of \d+ bytes/],
    ['a fraction', '{"prompt_tokens":9.5,"completion_tokens":0.5}', /0\.5 tokens for an answer/],
    ['more than bytes', '{"prompt_tokens":1e15,"completion_tokens":5000000}', /5000000 tokens for an answer/],
  ];
  test.each(ABSURD)('is counted here where it is %s, and the person is told', async (_, usage, doubt) => {
    const reply = await ask([{ raw: usageOf(usage) }]);
    expect(reply.usage).toEqual({ promptTokens: 1, completionTokens: 1 });
    expect(reply.warning).toMatch(doubt);
  });

  test('may hold thoughts that it did not send, up to the limit that was asked for', async () => {
    const raw = usageOf('{"prompt_tokens":9,"completion_tokens":4000}');
    const kept = await ask([{ raw }], { maxTokens: 4000 });
    await server?.close();
    const doubted = await ask([{ raw }], { maxTokens: 1000 });
    expect([kept.usage, kept.warning, doubted.usage.completionTokens]).toEqual([
      { promptTokens: 9, completionTokens: 4000 },
      undefined,
      1,
    ]);
  });

  test.each(['{"prompt_tokens":"5","completion_tokens":null}', 'null', '[]', '7'])(
    'is counted here without a word where it is none: %s',
    async (usage) => {
      const reply = await ask([{ raw: usageOf(usage) }]);
      expect([reply.usage, reply.warning]).toEqual([{ promptTokens: 1, completionTokens: 1 }, undefined]);
    },
  );
});

describe('a body that is none', () => {
  test.each([
    ['no content', { raw: [], type: 'text/event-stream', status: 204 }, /status 204 and without a body/],
    ['an empty one', { raw: [] }, /without a finish reason/],
    ['an empty JSON', { raw: [], type: 'application/json' }, /not JSON|finish reason/],
  ] satisfies [string, Step, RegExp][])('%s is asked for again', async (_, step, message) => {
    server = await startScriptedModel([step, { text: 'whole' }]);
    const model = createOpenAiModel({
      baseUrl: server.url,
      apiKey: '',
      model: 'm',
      retries: 1,
      retryDelayMs: 1,
    });
    const reasons: string[] = [];
    const reply = await model.complete({ ...asking, onRetry: (why) => reasons.push(why) });
    expect([reply.message.content, reasons]).toEqual(['whole', [expect.stringMatching(message)]]);
  });

  test('the words of a long error page are found at once', async () => {
    await expect(
      ask([{ raw: [`<h1>out of order</h1>${'<'.repeat(900_000)}`], status: 400, type: 'text/html' }]),
    ).rejects.toThrow('failed: out of order <<<');
  });

  test('a wait that is no number is none', async () => {
    await expect(
      ask([{ status: 429, error: {}, headers: { 'retry-after': 'Infinity' } }]),
    ).rejects.not.toThrow('Infinity');
  });
});

describe('JSON that is nested deeply', () => {
  const call = (args: unknown) => ({
    tool_calls: [{ index: 0, id: 'c', function: { name: 'add', arguments: args } }],
  });
  const deep = nested(100_000);
  const raw = (delta: unknown) => chunk(delta, 'stop').replace('"@"', deep);

  test('is passed over as a field, and is no arguments', async () => {
    const { message } = await ask([
      { raw: [raw({ ...call({ a: '@' }), reasoning_details: '@' }).replace('"@"', deep)] },
    ]);
    expect(message).toEqual({
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c', name: 'add', arguments: 'arguments that are nested too deeply' }],
    });
  });

  test('is no completion and no words of an error, at once as in a stream', async () => {
    await expect(ask([{ raw: [deep], type: 'application/json' }])).rejects.toThrow('finish reason');
    await server?.close();
    await expect(ask([{ raw: [`{"error":${deep}}`], status: 400 }])).rejects.toThrow('failed: {"error"');
    await server?.close();
    await expect(ask([{ raw: [`data: {"error":${deep}}\n\n`] }])).rejects.toThrow('nested too deeply');
  });
});
