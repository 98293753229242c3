/** How fully a digest tells: characters of an event's words by its rank, of a one-line event, and which of these there are. */
export interface Detail {
  /** Of evidence in words: what was said. */
  readonly evidence: number;
  /** Of evidence in calls and their results. */
  readonly calls: number;
  /** Of all else that the user said; 0: one line at most. */
  readonly said: number;
  /** Of what stands beside evidence; 0: one line at most. */
  readonly beside: number;
  readonly line: number;
  /** One-line events at most this many events away from evidence. */
  readonly around: number;
  /** What the assistant was doing before the user's words stands only if it was said, not if it was a call. */
  readonly lean?: true;
}

const EVERYWHERE = Number.POSITIVE_INFINITY;
/** From the fullest on; the first that fits is taken. The user's own words are short and tell most, so outputs shrink first and those words go last. */
export const DETAILS: readonly Detail[] = [
  { evidence: 6000, calls: 6000, said: 3000, beside: 3000, line: 200, around: EVERYWHERE },
  { evidence: 3000, calls: 3000, said: 1500, beside: 1500, line: 140, around: EVERYWHERE },
  { evidence: 2000, calls: 2000, said: 800, beside: 800, line: 100, around: EVERYWHERE },
  { evidence: 1500, calls: 1500, said: 800, beside: 600, line: 100, around: 20 },
  { evidence: 1200, calls: 1000, said: 700, beside: 400, line: 80, around: 6 },
  { evidence: 1200, calls: 700, said: 600, beside: 300, line: 80, around: 2 },
  { evidence: 1000, calls: 500, said: 500, beside: 200, line: 0, around: 0 },
  { evidence: 1000, calls: 400, said: 400, beside: 0, line: 80, around: 1 },
  { evidence: 800, calls: 300, said: 300, beside: 0, line: 0, around: 0 },
  { evidence: 700, calls: 240, said: 200, beside: 0, line: 0, around: 0 },
  { evidence: 600, calls: 200, said: 140, beside: 0, line: 0, around: 0, lean: true },
  { evidence: 500, calls: 160, said: 120, beside: 0, line: 0, around: 0, lean: true },
  { evidence: 400, calls: 140, said: 100, beside: 0, line: 0, around: 0, lean: true },
  { evidence: 320, calls: 110, said: 80, beside: 0, line: 0, around: 0, lean: true },
  { evidence: 400, calls: 160, said: 0, beside: 0, line: 0, around: 0, lean: true },
  { evidence: 280, calls: 80, said: 0, beside: 0, line: 0, around: 0, lean: true },
];
/** What is told at any price. */
export const LEAST: Detail = { evidence: 280, calls: 80, said: 0, beside: 0, line: 0, around: 0 };

/** Those that are tried where signals have to be given up. */
export const LEAST_DETAILS = DETAILS.slice(-6);
