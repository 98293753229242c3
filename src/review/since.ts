import { stat } from 'node:fs/promises';
import { KnackError } from '../errors.ts';
import type { Transcript } from '../transcript/event.ts';

/**
 * Those of `files` in which something happened at `since` or later: by the last time that its events tell, and by the
 * time of the file where none does. One that cannot be read is left in, so that the run names it.
 */
export async function filesSince(
  files: readonly string[],
  since: Date,
  read: (file: string) => Promise<Transcript>,
): Promise<string[]> {
  const taken: string[] = [];
  for (const file of files) if (await isSince(file, since.getTime(), read)) taken.push(file);
  return taken;
}

async function isSince(
  file: string,
  since: number,
  read: (file: string) => Promise<Transcript>,
): Promise<boolean> {
  try {
    // What was not written since holds nothing that happened since.
    const { mtimeMs } = await stat(file);
    if (mtimeMs < since) return false;
    const { events } = await read(file);
    const times = events
      .flatMap(({ ts }) => (ts === undefined ? [] : [Date.parse(ts)]))
      .filter(Number.isFinite);
    return times.reduce((latest, time) => Math.max(latest, time), times.length === 0 ? mtimeMs : 0) >= since;
  } catch (error) {
    if (error instanceof KnackError && error.code === 'aborted') throw error;
    return true;
  }
}
