import { setTimeout as pause } from 'node:timers/promises';
import { KnackError } from '../errors.ts';
import type { RequestFault } from './request-fault.ts';

export interface RetryOptions {
  /** New tries after a passing fault. @default 2 */
  readonly retries?: number;
  /** Milliseconds before the first new try, doubled with each, where the server asks for no other wait. @default 500 */
  readonly retryDelayMs?: number;
}

const RETRIES = 2;
/** A server that asks to wait longer is not waited for. */
const LONGEST_WAIT_MS = 60_000;

/** Milliseconds until a request that failed `failures` times before is worth another try; undefined if it is not. */
export function waitAfter(
  fault: RequestFault,
  failures: number,
  { retries = RETRIES, retryDelayMs = 500 }: RetryOptions,
): number | undefined {
  const wait = fault.retryAfterMs ?? retryDelayMs * 2 ** failures;
  return fault.passing && failures < retries && wait <= LONGEST_WAIT_MS ? wait : undefined;
}

/** Tries of a request, the first among them. */
export function mostTries({ retries = RETRIES }: RetryOptions): number {
  return retries + 1;
}

/** Waits these milliseconds. Throws `aborted`. */
export async function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw new KnackError('aborted', 'stopped while waiting to ask the model again', { cause: error });
  }
}
