import { afterEach, describe, expect, test } from 'vitest';
import type { ModelReply, ModelRequest } from '../../src/model/model.ts';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { chunk, type ScriptedModel, type Step, startScriptedModel } from '../support/scripted-model.ts';

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

async function modelOf(steps: Step[], options: { idleMs?: number; retries?: number } = {}) {
  server = await startScriptedModel(steps);
  return createOpenAiModel({ baseUrl: server.url, apiKey: 'k', model: 'm', retries: 0, ...options });
}

async function answer(step: Step): Promise<ModelReply> {
  return (await modelOf([step])).complete(asking);
}

test('without a key and a base URL the message says how to set one', () => {
  expect(() => createOpenAiModel({ baseUrl: undefined, apiKey: undefined, model: 'm' })).toThrow(
    /OPENAI_API_KEY.*OPENAI_BASE_URL.*KNACK_MODEL/,
  );
});

test('a text streams, is whole and is counted', async () => {
  const pieces: string[] = [];
  const model = await modelOf([{ text: 'a'.repeat(120), promptTokens: 9 }]);
  const reply = await model.complete({ ...asking, onText: (piece) => pieces.push(piece) });
  expect(reply).toEqual({
    message: { role: 'assistant', content: 'a'.repeat(120) },
    finish: 'stop',
    usage: { promptTokens: 9, completionTokens: 30 },
  });
  expect(pieces.length).toBe(3);
});

test('an answer that was cut says so', async () => {
  expect((await answer({ text: 'half', finish: 'length' })).finish).toBe('length');
});

const done = `${chunk({}, 'tool_calls')}data: [DONE]\n\n`;
const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: string) =>
  chunk({
    tool_calls: [
      {
        ...(index === undefined ? {} : { index }),
        ...(id === undefined ? {} : { id }),
        function: { ...(name === undefined ? {} : { name }), arguments: args },
      },
    ],
  });

const CALLS: [title: string, raw: string[], calls: [string, string, string][]][] = [
  [
    'two calls, interleaved',
    [
      call(0, 'x', 'add', '{"a"'),
      call(1, 'y', 'add', '{"a":2'),
      call(0, undefined, undefined, ':1}'),
      call(1, undefined, undefined, '}'),
    ],
    [
      ['x', 'add', '{"a":1}'],
      ['y', 'add', '{"a":2}'],
    ],
  ],
  [
    'two calls, both with index 0',
    [call(0, 'x', 'add', '{"a":1}'), call(0, 'y', 'add', '{"a":2}')],
    [
      ['x', 'add', '{"a":1}'],
      ['y', 'add', '{"a":2}'],
    ],
  ],
  [
    'two calls without index and id',
    [call(undefined, undefined, 'add', '{"a":1}'), call(undefined, undefined, 'add', '{"a":2}')],
    [
      ['call_1', 'add', '{"a":1}'],
      ['call_2', 'add', '{"a":2}'],
    ],
  ],
  ['malformed arguments, kept as they are', [call(0, 'x', 'add', '{"a":')], [['x', 'add', '{"a":']]],
];

test.each(CALLS)('%s', async (_, raw, calls) => {
  const reply = await answer({ raw: [...raw, done] });
  expect(reply.message.toolCalls?.map(({ id, name, arguments: args }) => [id, name, args])).toEqual(calls);
});

test('chunks without choices or delta are passed over, their usage is read', async () => {
  const reply = await answer({
    raw: [
      'data: {}\n\n',
      'data: {"choices":[]}\n\n',
      'data: {"choices":[{}]}\n\n',
      chunk({ content: 'x' }),
      chunk({}, 'stop'),
      'data: {"usage":{"prompt_tokens":5,"completion_tokens":6}}\n\n',
    ],
  });
  expect([reply.message.content, reply.usage]).toEqual(['x', { promptTokens: 5, completionTokens: 6 }]);
});

const FAULTS: [title: string, step: Step, message: RegExp][] = [
  [
    'an error chunk after 200',
    { raw: ['data: {"error":{"message":"quota is used up","code":400}}\n\n'] },
    /quota is used up/,
  ],
  ['a stream without a finish reason', { raw: [chunk({ content: 'x' }), 'data: [DONE]\n\n'] }, /not whole/],
  ['a stream that breaks off', { raw: [chunk({ content: 'x' })], ending: 'destroy' }, /terminated/],
  ['a wrong key', { status: 401, error: { error: { message: 'bad key' } } }, /bad key.*OPENAI_API_KEY/],
  [
    'an unknown model',
    { status: 404, error: { error: { message: 'no such model' } } },
    /no such model.*KNACK_MODEL \("m"\)/,
  ],
];

test.each(FAULTS)('%s fails with the words of the server', async (_, step, message) => {
  await expect(answer(step)).rejects.toMatchObject({
    code: 'model-failed',
    message: expect.stringMatching(message) as string,
  });
});

test('a server that is not there is named', async () => {
  const model = createOpenAiModel({
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: undefined,
    model: 'm',
    retries: 0,
  });
  await expect(model.complete(asking)).rejects.toMatchObject({
    code: 'model-failed',
    message: expect.stringContaining('OPENAI_BASE_URL') as string,
  });
});

test('a stream that breaks off or stalls is tried again', async () => {
  const model = await modelOf(
    [
      { raw: [chunk({ content: 'x' })], ending: 'destroy' },
      { raw: [chunk({ content: 'x' })], ending: 'hang' },
      { text: 'whole' },
    ],
    { retries: 2, idleMs: 100 },
  );
  expect((await model.complete(asking)).message.content).toBe('whole');
});

test('an abort ends it as aborted', async () => {
  const controller = new AbortController();
  const model = await modelOf([{ raw: [chunk({ content: 'x' })], ending: 'hang' }]);
  const running = model.complete({ ...asking, signal: controller.signal, onText: () => controller.abort() });
  await expect(running).rejects.toMatchObject({ code: 'aborted' });
});

describe('what a server refuses', () => {
  const json = { name: 'answer', schema: { type: 'object' } };

  test('is left out from then on: JSON schema, then JSON object', async () => {
    const refusal: Step = { status: 400, error: { error: { message: 'response_format is not supported' } } };
    const model = await modelOf([refusal, refusal, { text: '{}' }, { text: '{}' }]);
    await model.complete({ messages: asking.messages, json });
    await model.complete({ messages: asking.messages, json });
    expect(server?.requests.map((body) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
      undefined,
    ]);
    expect(server?.requests.at(-1)?.messages[0]?.content).toContain('one JSON object');
  });

  test('native tools become the text protocol', async () => {
    const model = await modelOf([
      { status: 400, error: { error: { message: 'm does not support tools' } } },
      { text: 'I add.\ntool: add({"a": 1})' },
    ]);
    expect((await model.complete(asking)).message).toEqual({
      role: 'assistant',
      content: 'I add.',
      toolCalls: [{ id: 'text_1', name: 'add', arguments: '{"a": 1}' }],
    });
  });
});

test('the text key is always there, and opaque reasoning goes back to the same provider alone', async () => {
  const model = await modelOf([{ text: 'x' }]);
  const native = { provider: 'deepseek', fields: { reasoning_content: 'secret' } };
  await model.complete({
    messages: [
      { role: 'assistant', content: '', toolCalls: [{ id: 'x', name: 'add', arguments: '{}' }], native },
      { role: 'tool', callId: 'x', name: 'add', content: '1' },
    ],
  });
  expect(server?.requests[0]?.messages[0]).toEqual({
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'x', type: 'function', function: { name: 'add', arguments: '{}' } }],
  });
});

test('a prompt that the server cut and a call that was printed are warned of', async () => {
  const model = await modelOf([
    { text: 'x', promptTokens: 100 },
    { text: '<tool_call>{"name":"add"}</tool_call>' },
  ]);
  const cut = await model.complete({ messages: [{ role: 'user', content: 'word '.repeat(5000) }] });
  expect([cut.warning, (await model.complete(asking)).warning]).toEqual([
    expect.stringContaining('cuts the prompt'),
    expect.stringContaining('printed a tool call'),
  ]);
});
