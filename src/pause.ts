import { setImmediate } from 'node:timers/promises';
import { KnackError } from './errors.ts';

/** To be awaited between the steps of long work. Throws `aborted` once a signal came. */
export type Pause = () => Promise<void> | undefined;

/** Milliseconds of work after which a signal is listened for. */
const MOST_DEAF = 50;

/** For work that nothing stops. */
export const NO_PAUSE: Pause = () => undefined;

/** Signals are heard between two tasks alone: listens for them where the last time was a while ago, so that it costs little. */
export function createPause(signal: AbortSignal, what: string): Pause {
  let last = performance.now();
  return () => {
    if (!signal.aborted && performance.now() - last < MOST_DEAF) return undefined;
    return hearSignals(signal, what).finally(() => {
      last = performance.now();
    });
  };
}

/** Listens now: throws `aborted` if a signal came until here. `what` is the work, as in `reading the library`. */
export async function hearSignals(signal: AbortSignal, what: string): Promise<void> {
  await setImmediate();
  if (signal.aborted) throw new KnackError('aborted', `${what}: stopped`);
}
