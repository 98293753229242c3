import { createHash } from 'node:crypto';
import { keepValue, keptValue } from '../library/reading/kept-value.ts';
import { countTokens } from '../model/tokens.ts';

/** Counts tokens with what an earlier process counted at hand. */
export interface KeptCounts {
  /** As `countTokens`. */
  count(text: string): number;
  /** Writes what was counted, and nothing else, for the next process. `now` is in milliseconds. */
  keep(now: number): void;
}

/** A shorter text is counted as fast as it is looked up. */
const SHORT = 64;

/** Counts that go by a hash of the text are right whatever became of the skill. Needs `loadTokenizer`. */
export function openKeptCounts(file: string): KeptCounts {
  const kept = new Map((keptValue(file) as [string, number][] | undefined) ?? []);
  const used = new Map<string, number>();
  let isNew = false;
  return {
    count(text) {
      if (text.length < SHORT) return countTokens(text);
      const key = createHash('sha1').update(text).digest('base64');
      const known = used.get(key) ?? kept.get(key);
      const count = known ?? countTokens(text);
      isNew ||= known === undefined;
      used.set(key, count);
      return count;
    },
    keep(now) {
      if (isNew || used.size < kept.size) keepValue(file, [...used], now);
    },
  };
}
