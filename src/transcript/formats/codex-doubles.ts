import type { TranscriptEvent } from '../event.ts';
import { injectedAs } from '../injected.ts';

type TextEvent = Extract<TranscriptEvent, { kind: 'text' | 'thinking' | 'summary' | 'error' | 'interrupt' }>;
type ResultEvent = Extract<TranscriptEvent, { kind: 'tool-result' }>;
type Log = 'protocol' | 'display';

/** Puts events into the list of the collector and, at the end, takes out what the two logs of one file both tell. */
export interface Doubles {
  /** What went to or came from the model. */
  protocol(event: TextEvent): void;
  /** What the user saw or typed. */
  display(event: TextEvent): void;
  result(event: ResultEvent, log: Log): void;
  /** The last `turns` things that the user said, and what followed, were taken back. */
  rolledBack(turns: number): void;
  /** The events without doubles, in order. */
  resolved(): TranscriptEvent[];
}

/**
 * What the user typed counts from the display; the same text in the protocol is its double, and other text of the user
 * in the protocol was put there by a program. Answers and thoughts count from the protocol, from the display only in a
 * file whose protocol has none. Of a call's results the protocol's counts, with the exit code of either.
 */
export function createDoubles(events: TranscriptEvent[]): Doubles {
  const logs = new Map<TranscriptEvent, Log>();
  const rollbacks: { at: number; turns: number }[] = [];
  const add = (event: TranscriptEvent, log: Log) => {
    events.push(event);
    logs.set(event, log);
  };

  const isUser = (event: TranscriptEvent) => event.kind === 'text' && event.role === 'user';
  const has = (log: Log, kind: string, role: string) =>
    events.some((event) => logs.get(event) === log && event.kind === kind && event.role === role);

  function resolved(): TranscriptEvent[] {
    const typed = has('display', 'text', 'user');
    const answered = has('protocol', 'text', 'assistant');
    const thought = has('protocol', 'thinking', 'assistant');
    const results = mergedResults(events, logs);
    const left = rolledBackEvents();
    return events.flatMap((given): TranscriptEvent[] => {
      const log = logs.get(given);
      const event = results.get(given) ?? given;
      if (results.has(given) && results.get(given) === undefined) return [];
      const isLeft = left.has(given);
      const branch = isLeft ? { branch: 'abandoned' as const } : {};
      if (log === 'display' && event.kind === 'text' && event.role === 'assistant' && answered) return [];
      if (log === 'display' && event.kind === 'thinking' && thought) return [];
      if (log === 'protocol' && event.kind === 'text' && event.role === 'user' && typed) {
        if (shown().has(event.text.trim())) return [];
        return [{ ...event, ...branch, injected: injectedAs(event.text) ?? 'harness' }];
      }
      return [isLeft ? { ...event, ...branch } : event];
    });
  }

  let texts: Set<string> | undefined;
  function shown(): Set<string> {
    texts ??= new Set(
      events.flatMap((event) =>
        logs.get(event) === 'display' && event.kind === 'text' && event.role === 'user'
          ? [event.text.trim()]
          : [],
      ),
    );
    return texts;
  }

  function rolledBackEvents(): Set<TranscriptEvent> {
    const left = new Set<TranscriptEvent>();
    const source: Log = has('display', 'text', 'user') ? 'display' : 'protocol';
    for (const { at, turns } of rollbacks) {
      let rest = turns;
      for (let index = at - 1; index >= 0 && rest > 0; index -= 1) {
        const event = events[index];
        if (event === undefined || left.has(event)) continue;
        left.add(event);
        const isSaid = isUser(event) && logs.get(event) === source && event.injected === undefined;
        if (isSaid && (event.kind !== 'text' || injectedAs(event.text) === undefined)) rest -= 1;
      }
    }
    return left;
  }

  return {
    protocol: (event) => add(event, 'protocol'),
    display: (event) => add(event, 'display'),
    result: add,
    rolledBack: (turns) => rollbacks.push({ at: events.length, turns }),
    resolved,
  };
}

/** Results that change: `undefined` for a double, else with the exit code that the other log gave. */
function mergedResults(
  events: readonly TranscriptEvent[],
  logs: ReadonlyMap<TranscriptEvent, Log>,
): Map<TranscriptEvent, TranscriptEvent | undefined> {
  const protocol = new Map<string, ResultEvent>();
  for (const event of events)
    if (event.kind === 'tool-result' && logs.get(event) === 'protocol') protocol.set(event.callId, event);
  const changed = new Map<TranscriptEvent, TranscriptEvent | undefined>();
  for (const event of events) {
    if (event.kind !== 'tool-result' || logs.get(event) !== 'display') continue;
    const other = protocol.get(event.callId);
    if (other === undefined) continue;
    const { exitCode, isError } = event;
    changed.set(event, undefined);
    changed.set(other, {
      ...other,
      ...(exitCode !== undefined && other.exitCode === undefined ? { exitCode } : {}),
      ...(isError !== undefined && other.isError === undefined ? { isError } : {}),
    });
  }
  return changed;
}
