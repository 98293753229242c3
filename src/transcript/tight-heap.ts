import { setFlagsFromString } from 'node:v8';

/** How much of what lives may lie about as garbage beside it, in percent. */
const GROWTH = 20;

let running = 0;

/**
 * Runs `work` with a heap that is collected before it has grown by a fifth. A line of some megabytes leaves several
 * copies of itself behind, and V8 would let three times as much as lives pile up before it looks: a long file would take
 * most of a gigabyte, of which a tenth is in use. Holds for the whole process meanwhile; V8's own measure is back when
 * the last such work ends.
 */
export async function withTightHeap<T>(work: () => Promise<T>): Promise<T> {
  running += 1;
  if (running === 1) setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  try {
    return await work();
  } finally {
    running -= 1;
    if (running === 0) setFlagsFromString('--heap-growing-percent=0');
  }
}
