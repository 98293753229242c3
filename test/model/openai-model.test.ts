import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ModelReply, ModelRequest } from '../../src/model/model.ts';
import { createOpenAiModel, type OpenAiModelOptions } from '../../src/model/openai-model.ts';
import { loadTokenizer } from '../../src/model/tokens.ts';
import { chunk, type ScriptedModel, type Step, startScriptedModel } from '../support/scripted-model.ts';

// Loading it blocks for longer than the idle times of these tests.
beforeAll(loadTokenizer);

let server: ScriptedModel | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const ADD = {
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: { a: { type: 'number' } } },
};
const asking: ModelRequest = { messages: [{ role: 'user', content: 'hello' }], tools: [ADD] };
const JSON_FORM = { name: 'answer', schema: { type: 'object' } };

async function modelOf(steps: Step[], options: Partial<OpenAiModelOptions> = {}) {
  server = await startScriptedModel(steps);
  return createOpenAiModel({
    baseUrl: server.url,
    apiKey: 'key-of-the-test',
    model: 'm',
    retries: 0,
    retryDelayMs: 1,
    ...options,
  });
}

async function answer(step: Step): Promise<ModelReply> {
  return (await modelOf([step])).complete(asking);
}

const refusal = (message: string, status = 400): Step => ({ status, error: { error: { message } } });

describe('setting up', () => {
  test('without a key and a base URL the message says how to set one', () => {
    expect(() => createOpenAiModel({ baseUrl: undefined, apiKey: undefined, model: 'm' })).toThrow(
      /OPENAI_API_KEY.*OPENAI_BASE_URL.*KNACK_MODEL/,
    );
  });

  test.each(['localhost:1234/v1', '/v1', 'ftp://host/v1', 'http://'])(
    'the base URL %s is refused as none',
    (baseUrl) => {
      expect(() => createOpenAiModel({ baseUrl, apiKey: undefined, model: 'm' })).toThrow(
        `the base URL "${baseUrl}" (OPENAI_BASE_URL, or model.baseUrl in knack.json) is not a URL that begins with http:// or https://`,
      );
    },
  );
});

describe('a whole answer', () => {
  test('streams, and is counted by the server', async () => {
    const pieces: string[] = [];
    const model = await modelOf([{ text: 'a'.repeat(120), promptTokens: 9 }]);
    const reply = await model.complete({ ...asking, onText: (piece) => pieces.push(piece) });
    expect(reply).toEqual({
      message: { role: 'assistant', content: 'a'.repeat(120) },
      finish: 'stop',
      usage: { promptTokens: 9, completionTokens: 30 },
    });
    expect(pieces).toEqual(['a'.repeat(50), 'a'.repeat(50), 'a'.repeat(20)]);
  });

  test('may come at once from a server that does not stream', async () => {
    const completion = {
      choices: [
        {
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'x', function: { name: 'add', arguments: '{"a":1}' } },
              { id: 'y', function: { name: 'add', arguments: '{"a":2}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
    };
    expect(await answer({ raw: [JSON.stringify(completion)], type: 'application/json' })).toEqual({
      message: {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'x', name: 'add', arguments: '{"a":1}' },
          { id: 'y', name: 'add', arguments: '{"a":2}' },
        ],
      },
      finish: 'tool-calls',
      usage: { promptTokens: 3, completionTokens: 4 },
    });
  });

  test('is counted here where the server did not', async () => {
    const reply = await answer({ raw: [chunk({ content: 'hello world' }), chunk({}, 'stop')] });
    expect(reply.usage.completionTokens).toBe(2);
    expect(reply.usage.promptTokens).toBeGreaterThan(1);
  });

  test.each([
    ['length', 'length'],
    ['content_filter', 'filtered'],
    ['stop', 'stop'],
    ['end_turn', 'stop'],
  ])('with the finish reason %s it is marked %s', async (reason, finish) => {
    expect((await answer({ raw: [chunk({ content: 'half' }, reason)] })).finish).toBe(finish);
  });

  test('that is a refusal is marked filtered and gives its words', async () => {
    const reply = await answer({
      raw: [chunk({ content: null, refusal: 'I will not.' }), chunk({}, 'stop')],
    });
    expect([reply.message, reply.finish]).toEqual([
      { role: 'assistant', content: 'I will not.' },
      'filtered',
    ]);
  });
});

const FAULTS: [title: string, step: Step, message: RegExp][] = [
  [
    'an error chunk after 200',
    { raw: ['data: {"error":{"message":"quota is used up","code":400}}\n\n'] },
    /quota is used up/,
  ],
  ['an error chunk that is a text', { raw: ['data: {"error":"out of memory"}\n\n'] }, /out of memory/],
  ['a stream without a finish reason', { raw: [chunk({ content: 'x' }), 'data: [DONE]\n\n'] }, /not whole/],
  [
    'a finish reason that is an error',
    { raw: [chunk({ content: 'x' }, 'error')] },
    /ended the answer with "error"/,
  ],
  ['a stream that breaks off', { raw: [chunk({ content: 'x' })], ending: 'destroy' }, /terminated/],
  ['a stream that is not JSON', { raw: ['data: {"choices"\n\n'] }, /is not JSON/],
  ['a web page', { raw: ['<html></html>'], type: 'text/html' }, /web page.*OPENAI_BASE_URL.*\/v1/],
  ['a wrong key', refusal('bad key', 401), /at http:.*bad key\. Check OPENAI_API_KEY/],
  ['an unknown model', refusal('no such model', 404), /no such model.*OPENAI_BASE_URL.*KNACK_MODEL \("m"\)/],
  [
    'a body without an error object',
    { status: 422, error: { detail: [{ loc: ['body'] }] } },
    /\[{"loc":\["body"\]}\]/,
  ],
  ['a bare message', { status: 400, error: { object: 'error', message: 'too long' } }, /failed: too long/],
  [
    'a gateway',
    {
      status: 400,
      error: { error: { message: 'Provider returned error', metadata: { raw: 'bad schema' } } },
    },
    /Provider returned error: bad schema/,
  ],
];

test.each(FAULTS)('%s fails with the words of the server', async (_, step, message) => {
  await expect(answer(step)).rejects.toMatchObject({
    code: 'model-failed',
    message: expect.stringMatching(message) as string,
  });
});

test('a key that the server repeats is not passed on', async () => {
  await expect(answer(refusal('key-of-the-test is wrong', 401))).rejects.toThrow('[key] is wrong');
});

test('without a key a refusal says that none is set', async () => {
  const model = await modelOf([refusal('who are you', 401)], { apiKey: undefined });
  await expect(model.complete(asking)).rejects.toThrow('Set OPENAI_API_KEY: it is not set.');
});

test('a server that is not there is named, with the reason', async () => {
  const model = createOpenAiModel({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: '', model: 'm', retries: 0 });
  await expect(model.complete(asking)).rejects.toMatchObject({
    code: 'model-failed',
    message: expect.stringMatching(/http:\/\/127\.0\.0\.1:9\/v1.*bad port.*OPENAI_BASE_URL/) as string,
  });
});

describe('another try', () => {
  const PASSING: [title: string, step: Step][] = [
    ['a stream that breaks off', { raw: [chunk({ content: 'x' })], ending: 'destroy' }],
    ['a stream that stalls', { raw: [chunk({ content: 'x' })], ending: 'hang' }],
    ['a stream that never begins', { raw: [], ending: 'hang' }],
    ['a stream without a finish reason', { raw: [chunk({ content: 'x' })] }],
    ['a busy server', refusal('busy', 503)],
    ['an error chunk of the 500s', { raw: ['data: {"error":{"message":"m","code":502}}\n\n'] }],
    [
      'an overload without a code',
      { raw: ['data: {"error":{"message":"m","type":"overloaded_error"}}\n\n'] },
    ],
    ['a rate limit', { status: 429, error: {}, headers: { 'retry-after-ms': '2' } }],
    ['a rate limit in seconds', { status: 429, error: {}, headers: { 'retry-after': '0' } }],
  ];
  test.each(PASSING)('follows %s', async (_, step) => {
    const reasons: string[] = [];
    const model = await modelOf([step, { text: 'whole' }], { retries: 1, idleMs: 150 });
    const reply = await model.complete({ ...asking, onRetry: (why) => reasons.push(why) });
    expect([reply.message.content, reasons.length]).toEqual(['whole', 1]);
  });

  const LASTING: [title: string, step: Step, message: RegExp][] = [
    ['a wrong key', refusal('bad key', 401), /bad key/],
    [
      'a used-up quota',
      { status: 429, error: { error: { message: 'pay', code: 'insufficient_quota' } } },
      /pay/,
    ],
    ['a wait of an hour', { status: 429, error: {}, headers: { 'retry-after': '3600' } }, /wait 3600 s/],
    ['an error chunk of the 400s', { raw: ['data: {"error":{"message":"m","code":403}}\n\n'] }, /m/],
  ];
  test.each(LASTING)('does not follow %s', async (_, step, message) => {
    const model = await modelOf([step], { retries: 3 });
    await expect(model.complete(asking)).rejects.toThrow(message);
  });

  test('is made no more often than it may', async () => {
    const model = await modelOf([refusal('a', 500), refusal('b', 500), refusal('c', 500)], { retries: 2 });
    await expect(model.complete(asking)).rejects.toThrow('failed: c.');
  });
});

describe('an abort', () => {
  test('ends a stream', async () => {
    const controller = new AbortController();
    const model = await modelOf([{ raw: [chunk({ content: 'x' })], ending: 'hang' }]);
    const running = model.complete({
      ...asking,
      signal: controller.signal,
      onText: () => controller.abort(),
    });
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
  });

  test('ends the wait before another try', async () => {
    const controller = new AbortController();
    const model = await modelOf([{ status: 429, error: {}, headers: { 'retry-after': '50' } }], {
      retries: 1,
    });
    const running = model.complete({
      ...asking,
      signal: controller.signal,
      onRetry: () => controller.abort(),
    });
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
  });

  test('before the request sends none', async () => {
    const model = await modelOf([]);
    await expect(model.complete({ ...asking, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

test('an error of the listener passes through as it is', async () => {
  const fault = new Error('of the listener');
  const model = await modelOf([{ text: 'x' }], { retries: 2 });
  const running = model.complete({
    ...asking,
    onText: () => {
      throw fault;
    },
  });
  await expect(running).rejects.toBe(fault);
});

describe('what a server refuses', () => {
  test('is left out from then on: JSON schema, then JSON object', async () => {
    const words = refusal('response_format is not supported');
    const model = await modelOf([words, words, { text: '{}' }, { text: '{}' }]);
    await model.complete({ messages: asking.messages, json: JSON_FORM });
    await model.complete({ messages: asking.messages, json: JSON_FORM });
    expect(server?.requests.map((body) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
      undefined,
    ]);
    expect(server?.requests.at(-1)?.messages[0]?.content).toContain('one JSON object');
  });

  test('usage in the stream is left out, and counted here', async () => {
    const model = await modelOf([
      { status: 400, error: { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] } },
      { text: 'x' },
      { text: 'x' },
    ]);
    await model.complete(asking);
    await model.complete(asking);
    expect(server?.requests.map((body) => 'stream_options' in body)).toEqual([true, false, false]);
  });

  test('the name of the token limit is changed for the other', async () => {
    const model = await modelOf([
      refusal("Unsupported parameter: 'max_tokens', use 'max_completion_tokens' instead."),
      { text: 'x' },
    ]);
    await model.complete({ ...asking, maxTokens: 7 });
    expect(server?.requests.map((body) => [body['max_tokens'], body['max_completion_tokens']])).toEqual([
      [7, undefined],
      [undefined, 7],
    ]);
  });

  test('native tools become the text protocol, and the person is told once', async () => {
    const model = await modelOf([
      refusal('m does not support tools'),
      { text: 'I add.\ntool: add({"a": 1})', promptTokens: 5 },
      { text: 'Done.', promptTokens: 5 },
    ]);
    const first = await model.complete(asking);
    expect(first).toEqual({
      message: {
        role: 'assistant',
        content: 'I add.',
        toolCalls: [{ id: 'text_1', name: 'add', arguments: '{"a": 1}' }],
      },
      finish: 'tool-calls',
      usage: { promptTokens: 5, completionTokens: 7 },
      warning: 'the server refuses native tool calls, so the model writes them as text from now on',
    });
    const second = await model.complete({
      tools: [ADD],
      messages: [
        ...asking.messages,
        first.message,
        { role: 'tool', callId: 'text_1', name: 'add', content: '2' },
        { role: 'user', content: 'so?' },
      ],
    });
    expect([second.warning, server?.requests.at(-1)?.messages.slice(1)]).toEqual([
      undefined,
      [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'I add.\ntool: add({"a": 1})' },
        { role: 'user', content: 'Result of add:\n2\n\nso?' },
      ],
    ]);
    expect(server?.requests.map((body) => 'tools' in body)).toEqual([true, false, false]);
  });

  const NOT_A_FORM: [string, ModelRequest][] = [
    ["messages with role 'tool' must follow a message with 'tool_calls'; this is required", asking],
    ['the context is 8192 tokens, reduce the messages or max_tokens; more is not supported', asking],
    ['json_schema is not supported', asking],
    ['this model does not support tools', { messages: asking.messages }],
  ];
  test.each(NOT_A_FORM)('other words change nothing: %s', async (words, request) => {
    const model = await modelOf([refusal(words)]);
    await expect(model.complete(request)).rejects.toThrow(words);
  });

  test('a form that was no help is not remembered', async () => {
    const words = refusal('m does not support tools');
    const model = await modelOf([words, refusal('the prompt is too long'), { text: 'x' }]);
    await expect(model.complete(asking)).rejects.toThrow('the prompt is too long');
    await model.complete(asking);
    expect(server?.requests.map((body) => 'tools' in body)).toEqual([true, false, true]);
  });
});

describe('what goes to the server', () => {
  const native = { provider: 'deepseek', fields: { reasoning_content: 'thought', reasoning: 'other' } };
  const called: ModelRequest = {
    messages: [
      { role: 'system', content: 's' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'x', name: 'add', arguments: '{}' }], native },
      { role: 'tool', callId: 'x', name: 'add', content: '1' },
    ],
  };
  const QUIRKS: [string, OpenAiModelOptions['quirks'], Record<string, unknown>][] = [
    ['another provider gets no reasoning', {}, { content: '' }],
    [
      'the same provider gets the reasoning that it wants',
      { provider: 'deepseek', echoes: ['reasoning_content'] },
      { content: '', reasoning_content: 'thought' },
    ],
    ['the same provider that wants none gets none', { provider: 'deepseek', echoes: [] }, { content: '' }],
    ['the text of a mere call is null where that is wanted', { emptyContent: null }, { content: null }],
  ];
  test.each(QUIRKS)('%s', async (_, quirks, fields) => {
    const model = await modelOf([{ text: 'x' }], { quirks: quirks ?? {} });
    await model.complete(called);
    expect(server?.requests[0]?.messages).toEqual([
      { role: 'system', content: 's' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'add', arguments: '{}' } }],
        ...fields,
      },
      { role: 'tool', tool_call_id: 'x', content: '1' },
    ]);
  });

  test('what else a message held is kept under the name of the provider', async () => {
    const model = await modelOf(
      [
        {
          raw: [
            chunk({ reasoning_content: 'I th' }),
            chunk({ reasoning_content: 'ink', reasoning_details: [1] }),
            chunk({ content: 'x', reasoning_details: [2] }, 'stop'),
          ],
        },
      ],
      { quirks: { provider: 'p' } },
    );
    expect((await model.complete(asking)).message.native).toEqual({
      provider: 'p',
      fields: { reasoning_content: 'I think', reasoning_details: [1, 2] },
    });
  });
});

describe('the person is warned of', () => {
  test('a prompt that the server cut, with the setting to raise', async () => {
    const model = await modelOf([{ text: 'x', promptTokens: 100 }], {
      quirks: { contextSetting: 'OLLAMA_CONTEXT_LENGTH' },
    });
    const reply = await model.complete({ messages: [{ role: 'user', content: 'word '.repeat(5000) }] });
    expect([reply.promptCut, reply.warning]).toEqual([
      true,
      'the server counted 100 tokens where about 5001 were sent, so it cuts the front of the prompt: raise OLLAMA_CONTEXT_LENGTH',
    ]);
  });

  test('a call that was printed', async () => {
    expect((await answer({ text: '<tool_call>{"name":"add"}</tool_call>' })).warning).toBe(
      'the model printed a tool call as text instead of making it',
    );
  });
});
