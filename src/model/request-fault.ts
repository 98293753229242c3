import { KnackError } from '../errors.ts';
import { isTooDeep, parseForeignJson } from '../text/json.ts';

/** Why one request brought no whole answer; never leaves `model/`, where it becomes a `KnackError`. */
export class RequestFault extends Error {
  /** The HTTP status, or the code of an error that came after status 200. */
  readonly status: number | undefined;
  /** Whether another try may succeed. */
  readonly passing: boolean;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    facts: { status?: number | undefined; passing?: boolean; retryAfterMs?: number | undefined } = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.status = facts.status;
    this.passing = facts.passing ?? isPassingStatus(facts.status);
    this.retryAfterMs = facts.retryAfterMs;
  }
}

function isPassingStatus(status: number | undefined): boolean {
  if (status === undefined || status === 501) return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** The fault of an answer with an error status. A used-up quota is no passing fault, although its status is 429. */
export function faultOfResponse(status: number, body: string, headers: Headers): RequestFault {
  const words = serverWords(body) || `status ${status} without a message`;
  return new RequestFault(words, {
    status,
    retryAfterMs: retryAfter(headers),
    ...(/insufficient_quota/.test(body) ? { passing: false } : {}),
  });
}

/** The fault of an error that came as a piece of the stream, after status 200. */
export function faultOfChunk(error: unknown): RequestFault {
  const { code, status, type } = fieldsOf(error);
  const number = [code, status].map(Number).find((value) => value >= 400 && value < 600);
  return new RequestFault(wordsOf(error), {
    status: number,
    ...(number === undefined
      ? { passing: /server_error|overloaded|rate_limit|timeout/.test(`${code} ${type}`) }
      : {}),
  });
}

interface FaultyEndpoint {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Which settings say where it is and which model it is asked for. @default those of the environment */
  readonly settings?: { readonly baseUrl: string; readonly model: string };
}

/** What the person reads in the end: the server's words, where it is and which setting to look at. */
export function explainFault(fault: RequestFault, endpoint: FaultyEndpoint): KnackError {
  const where = endpoint.baseUrl ?? 'the OpenAI API (OPENAI_BASE_URL is not set)';
  const { apiKey } = endpoint;
  const words = apiKey && apiKey.length >= 8 ? fault.message.replaceAll(apiKey, '[key]') : fault.message;
  return new KnackError(
    'model-failed',
    `the model "${endpoint.model}" at ${where} failed: ${words.replace(/[.\s]+$/, '')}.${remedyOf(fault, endpoint)}`,
    { cause: fault },
  );
}

function remedyOf(fault: RequestFault, { apiKey, model, settings }: FaultyEndpoint): string {
  const { status } = fault;
  const from = settings ?? { baseUrl: 'OPENAI_BASE_URL', model: 'KNACK_MODEL' };
  if (status === 401 || status === 403)
    return apiKey ? ' Check OPENAI_API_KEY.' : ' Set OPENAI_API_KEY: it is not set.';
  if (status === 404) return ` Check ${from.baseUrl} (most end in /v1) and ${from.model} ("${model}").`;
  if (status === 429 && fault.retryAfterMs !== undefined)
    return ` It asks to wait ${Math.ceil(fault.retryAfterMs / 1000)} s.`;
  return status === undefined ? ` Check ${from.baseUrl} and that the server runs.` : '';
}

/** Characters of an error page in which its words are looked for: the pattern takes quadratic time. */
const MOST_WORDS = 8192;

/** The message in an error body, in whichever of the known forms it comes; other text as it is, cut. */
function serverWords(body: string): string {
  try {
    const parsed = parseForeignJson(body);
    const { error, message, detail } = fieldsOf(parsed);
    return wordsOf(error ?? message ?? detail ?? parsed);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return body
      .slice(0, MOST_WORDS)
      .replace(/<[^>]{0,1000}>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 300);
  }
}

function wordsOf(error: unknown): string {
  const { message, metadata } = fieldsOf(error);
  // A gateway says "Provider returned error" and keeps what the provider said in here.
  const { raw } = fieldsOf(metadata);
  const words = typeof error === 'string' ? error : message;
  const whole =
    typeof words === 'string' && words !== ''
      ? words
      : isTooDeep(error)
        ? 'an error that is nested too deeply to be shown'
        : JSON.stringify(error);
  return (typeof raw === 'string' ? `${whole}: ${raw}` : whole).slice(0, 2000);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Seconds or a date (RFC 9110 §10.2.3), or the milliseconds that some servers give. */
function retryAfter(headers: Headers): number | undefined {
  const exact = headers.get('retry-after-ms');
  if (exact !== null && isWait(Number(exact))) return Number(exact);
  const after = headers.get('retry-after');
  if (after === null) return undefined;
  if (isWait(Number(after))) return Number(after) * 1000;
  const sent = Date.parse(headers.get('date') ?? '');
  const wait = Date.parse(after) - sent;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

function isWait(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}
