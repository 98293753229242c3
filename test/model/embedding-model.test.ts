import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmbeddingModel, type EmbeddingModelOptions } from '../../src/model/embedding-model.ts';
import {
  answerOf,
  type EmbeddingServer,
  type Fault,
  startEmbeddingServer,
} from '../support/embedding-server.ts';

let server: EmbeddingServer;
const { signal } = new AbortController();

beforeEach(async () => {
  server = await startEmbeddingServer();
});
afterEach(() => server.close());

const open = (options: Partial<EmbeddingModelOptions> = {}) =>
  createEmbeddingModel({
    baseUrl: server.url,
    apiKey: 'key-of-the-test',
    model: 'double',
    retryDelayMs: 1,
    ...options,
  });

test('texts come back as vectors in their order, whatever the order of the answer', async () => {
  const [plain] = await open().embed(['the first'], signal);
  server.answerWith((_, vectors) => {
    const { data, ...rest } = answerOf(vectors) as { data: unknown[] };
    return { body: { ...rest, data: data.toReversed() } };
  });
  const [first, second] = await open().embed(['the first', 'another'], signal);
  expect(first).toEqual(plain);
  expect(second).not.toEqual(plain);
  expect(first).toBeInstanceOf(Float32Array);
});

test('the request holds what every server knows, the dimensions only where they are set', async () => {
  await open().embed(['a text'], signal);
  await open({ dimensions: 8 }).embed(['a text'], signal);
  expect(server.requests).toEqual([
    { model: 'double', input: ['a text'] },
    { model: 'double', input: ['a text'], dimensions: 8 },
  ]);
  expect(server.keys).toEqual(['Bearer key-of-the-test', 'Bearer key-of-the-test']);
});

test('what vectors depend on is in the id', () => {
  const ids = [
    open(),
    open({ model: 'other' }),
    open({ dimensions: 8 }),
    open({ baseUrl: 'http://127.0.0.1:1/v1' }),
  ].map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(ids.join()).not.toContain('key-of-the-test');
});

describe('an answer that cannot be used is refused by name', () => {
  const list = (...vectors: unknown[]): Fault => ({ body: answerOf(vectors) });
  test.each<readonly [string, Fault, string]>([
    ['fewer vectors', list([1, 2]), 'it was sent 2 texts and answered with 1 vectors'],
    ['no vectors', list(), 'it was sent 2 texts and answered with 0 vectors'],
    ['an empty vector', list([1, 2], []), 'it sent a vector of 0 numbers'],
    ['zeros', list([1, 2], [0, 0]), 'it sent a vector of zeros alone'],
    ['null among the numbers', list([1, 2], [1, null]), 'something else than finite numbers'],
    ['numbers too large', list([1, 2], [1, 1e300]), 'something else than finite numbers'],
    ['base64', list([1, 2], 'AACAPw=='), 'it sent a vector that is no list of numbers'],
    ['vectors of two lengths', list([1, 2], [1, 2, 3]), 'vectors of 2 and of 3 numbers'],
    [
      'one index twice',
      {
        body: {
          data: [
            { index: 0, embedding: [1] },
            { index: 0, embedding: [1] },
          ],
        },
      },
      'it answered with the index 0 to 2 texts',
    ],
    [
      'an index out of range',
      {
        body: {
          data: [
            { index: 0, embedding: [1] },
            { index: 7, embedding: [1] },
          ],
        },
      },
      'it answered with the index 7 to 2 texts',
    ],
    ['another object', { body: { vectors: [] } }, 'its answer holds no list of vectors ("data")'],
    ['null', { body: 'null' }, 'its answer holds no list of vectors ("data")'],
    [
      'a web page',
      { body: '<!doctype html><p>Welcome', type: 'text/html' },
      'it sent a web page instead of vectors. Check search.embeddings.baseUrl (most end in /v1)',
    ],
    ['half of its JSON', { body: '{"data": [' }, 'its answer is not JSON'],
    ['plain words', { body: 'ready', type: 'text/plain' }, 'its answer is not JSON'],
    ['an error with status 200', { body: { error: { message: 'no such model' } } }, 'no such model'],
    [
      'status 401',
      { status: 401, body: { error: { message: 'bad key' } } },
      'bad key. Check OPENAI_API_KEY.',
    ],
    [
      'status 404',
      { status: 404, body: { error: { message: 'model not found' } } },
      'model not found. Check search.embeddings.baseUrl (most end in /v1) and search.embeddings.model ("double").',
    ],
    [
      'status 429 with a long wait',
      { status: 429, body: { error: { message: 'too many' } }, headers: { 'retry-after': '600' } },
      'too many. It asks to wait 600 s.',
    ],
    ['a broken connection', 'break', 'Check search.embeddings.baseUrl and that the server runs.'],
  ])('%s', async (_, fault, message) => {
    server.answerWith(() => fault);
    await expect(open().embed(['one', 'two'], signal)).rejects.toMatchObject({
      code: 'model-failed',
      message: expect.stringContaining(message) as string,
    });
    await expect(open().embed(['one', 'two'], signal)).rejects.toThrow(
      `the model "double" at ${server.url} failed`,
    );
  });

  test('vectors of other dimensions than are set', async () => {
    server.answerWith(() => list([1, 2, 3]));
    await expect(open({ dimensions: 2 }).embed(['one'], signal)).rejects.toThrow(
      'vectors of 3 numbers where search.embeddings.dimensions is 2',
    );
  });

  test('the key does not stand in the message', async () => {
    server.answerWith(() => ({ status: 401, body: { error: 'key-of-the-test is no key' } }));
    await expect(open().embed(['one'], signal)).rejects.toThrow('[key] is no key');
  });
});

test('a passing fault is tried again', async () => {
  server.answerWith(() => {
    server.answerWith(undefined);
    return { status: 429, body: { error: 'slowly' }, headers: { 'retry-after': '0' } };
  });
  expect(await open().embed(['one'], signal)).toHaveLength(1);
  expect(server.requests).toHaveLength(2);
});

test('an abort ends it while nothing comes', async () => {
  const stop = new AbortController();
  server.answerWith(() => {
    stop.abort();
    return 'hang';
  });
  await expect(open().embed(['one'], stop.signal)).rejects.toMatchObject({ code: 'aborted' });
});

test('a server that never answers is given up', async () => {
  server.answerWith(() => 'hang');
  await expect(open({ requestMs: 20, retries: 1 }).embed(['one'], signal)).rejects.toThrow(
    'no answer in 0.02 s',
  );
  expect(server.requests.length).toBeLessThanOrEqual(2);
});

test('no endpoint, and one that is none, are named with their settings', () => {
  expect(() => open({ baseUrl: undefined, apiKey: undefined })).toThrow('search.embeddings.baseUrl');
  expect(() => open({ baseUrl: 'localhost:11434' })).toThrow('search.embeddings.baseUrl or model.baseUrl');
});

test.each([
  [200, 'its answer is larger than 64 MiB'],
  [401, 'status 401 without a message'],
])('an answer without end, packed, is not read to its end: status %i', async (status, message) => {
  const packed = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '));
  const endless = createServer((_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(packed),
  );
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  try {
    const baseUrl = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/v1`;
    await expect(open({ baseUrl, retries: 0 }).embed(['one'], signal)).rejects.toThrow(message);
  } finally {
    endless.closeAllConnections();
    endless.close();
  }
});
