import type { LibraryChange } from './library.ts';

/**
 * Looks one after the other: the later one sees what the earlier one took up. Who asks while another look waits for its
 * turn shares it, and gets no change of it, so that each is told once.
 */
export function createRefreshing(look: () => Promise<LibraryChange[]>): () => Promise<LibraryChange[]> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<LibraryChange[]> | undefined;
  return () => {
    if (waiting !== undefined) return waiting.then(() => []);
    const next = last.then(() => {
      waiting = undefined;
      return look();
    });
    waiting = next;
    last = next.catch(() => undefined);
    return next;
  };
}
