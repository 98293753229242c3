import { lock } from 'proper-lockfile';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';

/** A dead owner's lock is taken over after this time. */
const STALE_MS = 2000;
const WAIT_MS = 50;
const MOST_WAITS = 1200;

/**
 * Runs `action` while this process alone holds the lock of `file` (which has to exist). Waits for up to a minute, then
 * throws `lock-held`. A lock whose owner died is taken over.
 */
export async function withLock<T>(file: string, action: () => Promise<T>): Promise<T> {
  let release: () => Promise<void>;
  try {
    release = await lock(file, {
      stale: STALE_MS,
      update: STALE_MS / 2,
      realpath: false,
      retries: { retries: MOST_WAITS, minTimeout: WAIT_MS, maxTimeout: WAIT_MS, randomize: true },
    });
  } catch (error) {
    if (hasSystemCode(error, 'ELOCKED')) {
      throw new KnackError(
        'lock-held',
        `another knack holds ${file}.lock; wait for it to end, or remove the folder if none runs`,
        { cause: error },
      );
    }
    throw new KnackError('io', `cannot lock ${file}: ${messageOf(error)}`, { cause: error });
  }
  try {
    return await action();
  } finally {
    await release();
  }
}
