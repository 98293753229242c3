import type { Pause } from '../../pause.ts';
import { type Discovery, discoverySteps } from './discover.ts';
import type { KnownFolder } from './reading-cache.ts';

/** As `discoverSkills`, waiting for `pause` after each folder, which may end it. */
export async function discoverPausing(
  root: string,
  pause: Pause,
  known?: (path: string) => KnownFolder | undefined,
): Promise<Discovery> {
  const walk = discoverySteps(root, {}, known);
  for (;;) {
    const step = walk.next();
    if (step.done === true) return step.value;
    await pause();
  }
}
