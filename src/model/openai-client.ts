import type { OpenAI } from 'openai';
import type { Agent } from 'undici';
import { messageOf } from '../errors.ts';
import { boundedBody } from './bounded-body.ts';
import { faultOfChunk, faultOfResponse, RequestFault } from './request-fault.ts';

export interface OpenAiEndpoint {
  readonly baseUrl: string;
  /** A server of one's own needs none. */
  readonly apiKey: string | undefined;
}

export interface OpenAiClient {
  readonly client: OpenAI;
  /** What an error of this client's request comes to; errors that are none of the endpoint's come back as they are. */
  faultOf(error: unknown): unknown;
}

/** Bytes of an answer that says what went wrong. */
const LONGEST_ERROR = 1024 * 1024;

/**
 * A client for one request. It tries once and prints nothing. `adapt` sees an answer of success before the client
 * reads it.
 */
export async function openClient(
  endpoint: OpenAiEndpoint,
  adapt: (response: Response) => Promise<Response> = async (response) => response,
): Promise<OpenAiClient> {
  const [{ OpenAI }, fetch] = await Promise.all([import('openai'), patientFetch()]);
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
      if (response.ok)
        return adapt(response).catch((error: unknown) => {
          // The client would take it for a broken connection.
          if (error instanceof RequestFault) refused = error;
          throw error;
        });
      const text = (await boundedBody(response, LONGEST_ERROR))?.toString() ?? '';
      refused = faultOfResponse(response.status, text, response.headers);
      return new Response(text, { status: response.status });
    },
  });
  return {
    client,
    faultOf(error) {
      if (refused !== undefined) return refused;
      if (error instanceof OpenAI.APIConnectionError) return broken(error);
      if (error instanceof OpenAI.APIError && error.error !== undefined) return faultOfChunk(error.error);
      return isBrokenConnection(error) ? broken(error) : error;
    },
  };
}

/** Node's own fetch gives up after 300 s without a first byte; how long to wait is for the caller's signal to say. */
async function patientFetch(): Promise<typeof globalThis.fetch> {
  const { Agent, fetch } = await import('undici');
  agent ??= new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const dispatcher = agent;
  return ((url: string, init: object) =>
    fetch(url, { ...init, dispatcher })) as unknown as typeof globalThis.fetch;
}

/** One for the process, so that connections are used again. */
let agent: Agent | undefined;

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
