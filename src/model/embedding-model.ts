import { KnackError, messageOf } from '../errors.ts';
import { checkedUrl } from './base-url.ts';
import { boundedBody } from './bounded-body.ts';
import { openClient } from './openai-client.ts';
import { explainFault, faultOfChunk, RequestFault } from './request-fault.ts';
import { type RetryOptions, waitAfter, waitFor } from './retry.ts';

/** Turns texts into vectors that lie near each other where the texts mean the same. */
export interface Embedder {
  /** Names everything that the vectors depend on: those of two ids are never compared. */
  readonly id: string;
  /**
   * One vector a text, in their order, all of one length, every number finite and not all of them 0. Throws
   * `EmbeddingFault`, and `aborted` where the signal is.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** Why texts got no vectors; the message says what to do. */
export class EmbeddingFault extends KnackError {
  /** The server would not take these texts; with others it may. */
  readonly ofTexts: boolean;

  constructor(message: string, ofTexts: boolean, options?: { cause?: unknown }) {
    super('model-failed', message, options);
    this.ofTexts = ofTexts;
  }
}

export interface EmbeddingModelOptions extends RetryOptions {
  /** Absent: the OpenAI API. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Numbers of a vector, asked of the server and checked in what it sends. @default the model's own */
  readonly dimensions?: number | undefined;
  /** Milliseconds for one request. @default 60000 */
  readonly requestMs?: number;
}

const SETTINGS = { baseUrl: 'search.embeddings.baseUrl', model: 'search.embeddings.model' };
/** What servers answer when a text is too long, or is none that they take; some do so with a 500. */
const REFUSALS = [400, 413, 422, 500];

/**
 * A model behind an OpenAI-compatible `/embeddings` endpoint. Throws `model-missing` where neither a key nor a base URL
 * is set, `config-invalid` where the base URL is none.
 */
export function createEmbeddingModel(options: EmbeddingModelOptions): Embedder {
  const { apiKey, model, dimensions, requestMs = 60_000 } = options;
  if (!apiKey && !options.baseUrl)
    throw new KnackError(
      'model-missing',
      `there is no endpoint for the embedding model "${model}": give OPENAI_API_KEY, or ${SETTINGS.baseUrl} in knack.json`,
    );
  const baseUrl = checkedUrl(
    options.baseUrl || 'https://api.openai.com/v1',
    `${SETTINGS.baseUrl} or model.baseUrl in knack.json, or OPENAI_BASE_URL`,
  );

  async function request(input: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { client, faultOf } = await openClient({ baseUrl, apiKey }, bounded);
    const deadline = AbortSignal.timeout(requestMs);
    try {
      // The client's own method would ask for base64, which many servers pass over, and would misread their answer.
      const answer = await client.post<unknown>('/embeddings', {
        body: { model, input, ...(dimensions === undefined ? {} : { dimensions }) },
        signal: AbortSignal.any([signal, deadline]),
      });
      return readVectors(answer, input.length, dimensions);
    } catch (error) {
      if (signal.aborted) throw error;
      if (deadline.aborted) throw new RequestFault(`no answer in ${requestMs / 1000} s`, { passing: true });
      if (error instanceof RequestFault) throw error;
      if (error instanceof SyntaxError)
        throw new RequestFault(`its answer is not JSON (${error.message})`, { passing: true });
      throw faultOf(error);
    }
  }

  return {
    id: JSON.stringify([baseUrl, model, dimensions ?? null]),
    async embed(texts, signal) {
      let before = '';
      for (let failures = 0; ; failures += 1) {
        try {
          signal.throwIfAborted();
          return await request(texts, signal);
        } catch (error) {
          if (signal.aborted)
            throw new KnackError('aborted', `stopped while texts were embedded${before}`, { cause: error });
          if (!(error instanceof RequestFault)) throw error;
          const wait = waitAfter(error, failures, options);
          if (wait === undefined) {
            const { message } = explainFault(error, { baseUrl, apiKey, model, settings: SETTINGS });
            throw new EmbeddingFault(message, REFUSALS.includes(error.status ?? 0), { cause: error });
          }
          before = `; the last answer was: ${error.message}`;
          await waitFor(wait, signal).catch((aborted: unknown) => {
            throw new KnackError('aborted', `stopped while texts were embedded${before}`, { cause: aborted });
          });
        }
      }
    },
  };
}

/** More than any batch of vectors takes. */
const MOST_MEBIBYTES = 64;

async function bounded(response: Response): Promise<Response> {
  const body = await boundedBody(response, MOST_MEBIBYTES * 1024 * 1024);
  if (body === undefined) throw wrong(`its answer is larger than ${MOST_MEBIBYTES} MiB`);
  const type = response.headers.get('content-type');
  return new Response(new Uint8Array(body), {
    status: response.status,
    headers: type === null ? {} : { 'content-type': type },
  });
}

/** The vectors of an answer, in the order of the texts. Throws a `RequestFault` that says what is wrong with them. */
function readVectors(answer: unknown, count: number, dimensions: number | undefined): Float32Array[] {
  const { data, error } = record(typeof answer === 'string' ? parsed(answer) : answer);
  if (error !== undefined && error !== null) throw faultOfChunk(error);
  if (!Array.isArray(data)) throw wrong('its answer holds no list of vectors ("data")');
  if (data.length !== count)
    throw wrong(`it was sent ${count} texts and answered with ${data.length} vectors`);
  const vectors = new Map<number, Float32Array>();
  for (const [position, item] of data.entries()) {
    const { index, embedding } = record(item);
    const at = index === undefined || index === null ? position : Number(index);
    if (!(at in data) || vectors.has(at))
      throw wrong(`it answered with the index ${JSON.stringify(index)} to ${count} texts`);
    vectors.set(at, readVector(embedding));
  }
  const whole = data.flatMap((_, position) => vectors.get(position) ?? []);
  const wanted = dimensions ?? whole[0]?.length;
  const other = whole.find((vector) => vector.length !== wanted);
  if (other !== undefined)
    throw wrong(
      dimensions === undefined
        ? `it answered with vectors of ${wanted} and of ${other.length} numbers`
        : `it answered with vectors of ${other.length} numbers where search.embeddings.dimensions is ${dimensions}`,
    );
  return whole;
}

/** Servers that name no content type are read all the same. */
function parsed(text: string): unknown {
  // Most often the site of the provider: what it is asked for stands under another path.
  if (/^\s*</.test(text)) throw new RequestFault('it sent a web page instead of vectors', { status: 404 });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RequestFault(
      `its answer is not JSON (${messageOf(error)})`,
      { passing: true },
      { cause: error },
    );
  }
}

/** More than any model sends. */
const MOST_NUMBERS = 65_536;

function readVector(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding)) throw wrong('it sent a vector that is no list of numbers');
  if (embedding.length === 0 || embedding.length > MOST_NUMBERS)
    throw wrong(`it sent a vector of ${embedding.length} numbers`);
  if (!embedding.every((value) => typeof value === 'number' && Number.isFinite(Math.fround(value))))
    throw wrong('it sent a vector that holds something else than finite numbers');
  const vector = Float32Array.from(embedding);
  if (vector.every((value) => value === 0)) throw wrong('it sent a vector of zeros alone');
  return vector;
}

/** The fault of an answer that came whole and cannot be used; another try would bring the same. */
function wrong(message: string): RequestFault {
  return new RequestFault(message, { status: 200 });
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
