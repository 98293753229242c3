import type { TranscriptEvent } from '../event.ts';

/** A line of a session, and which of the events came from it (`first` up to before `end`). */
export interface TreeRecord {
  /** Which of the lines before it it answers; one that stands later or nowhere was lost. */
  readonly parent: number | undefined;
  /** Of the model's answer, which may take several lines. */
  readonly messageId: string | undefined;
  /** A line of the conversation itself, not of a sub-agent and no note of the host. */
  readonly isTalk: boolean;
  readonly first: number;
  readonly end: number;
}

/**
 * Marks the events that a rewind left. Off the path from the last line of the talk to the root stand also results of
 * parallel calls; a stretch counts as left only if something was said in it that the path has not.
 */
export function markAbandoned(
  events: readonly TranscriptEvent[],
  records: readonly TreeRecord[],
): TranscriptEvent[] {
  const live = livePath(records);
  const liveMessages = new Set([...live].map((index) => records[index]?.messageId));
  const isSaid = (index: number) => {
    const record = records[index];
    if (record === undefined || !record.isTalk) return false;
    if (record.messageId !== undefined) return !liveMessages.has(record.messageId);
    return events
      .slice(record.first, record.end)
      .some(({ kind, role, injected }) => kind === 'text' && role === 'user' && injected === undefined);
  };
  // A stretch is named by the line where it leaves the path.
  const stretchOf = new Map<number, number>();
  const left = new Set<number>();
  for (const [index, { isTalk, parent }] of records.entries()) {
    // A line whose parent was lost belongs to no stretch.
    if (live.has(index) || !isTalk || parent === undefined) continue;
    const stretch = stretchOf.get(parent) ?? index;
    stretchOf.set(index, stretch);
    if (isSaid(index)) left.add(stretch);
  }
  const abandoned = new Set<TranscriptEvent>();
  for (const [index, stretch] of stretchOf) {
    const { first = 0, end = 0 } = records[index] ?? {};
    if (left.has(stretch)) for (const event of events.slice(first, end)) abandoned.add(event);
  }
  return events.map((event) => (abandoned.has(event) ? { ...event, branch: 'abandoned' } : event));
}

/** From the last line of the talk up; where a parent is missing, on with the line of the talk before. */
function livePath(records: readonly TreeRecord[]): Set<number> {
  const live = new Set<number>();
  const before = (end: number) => {
    let index = end - 1;
    while (index >= 0 && records[index]?.isTalk !== true) index -= 1;
    return index;
  };
  let at = before(records.length);
  while (at >= 0 && !live.has(at)) {
    live.add(at);
    at = records[at]?.parent ?? before(at);
  }
  return live;
}
