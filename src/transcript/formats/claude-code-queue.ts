import type { EventCollector } from '../event-collector.ts';
import { asFields, asText, type Fields } from '../fields.ts';

/** What the events of one line share, by part. */
export type Common = (part: number) => {
  readonly id: string;
  readonly ref: string;
  readonly sidechain?: boolean;
};

/** The queue of what the user typed while the assistant was busy. */
export interface Queue {
  take(record: Fields, common: Common): void;
  /** The queued text was sent: the line that sends it counts, not the one that queued it. */
  arrived(text: string): void;
  /** Ids of queued texts that stand in the session once more. */
  readonly sent: ReadonlySet<string>;
}

/** What the user typed while the assistant was busy; taken back, it was never said. */
export function createQueue(collect: EventCollector): Queue {
  const waiting = new Map<string, string[]>();
  const sent = new Set<string>();
  const arrived = (text: string) => {
    const id = waiting.get(text.trim())?.shift();
    if (id !== undefined) sent.add(id);
  };
  return {
    sent,
    arrived,
    take(record, common) {
      const text = asText(record['content'])?.trim();
      if (record['operation'] === 'popAll') {
        for (const id of [...waiting.values()].flat()) sent.add(id);
        waiting.clear();
      } else if (record['operation'] === 'remove' && text) arrived(text);
      else if (record['operation'] === 'enqueue' && text) {
        pushSpeech(text, common(1), undefined, collect);
        const same = waiting.get(text);
        if (same) same.push(common(1).id);
        else waiting.set(text, [common(1).id]);
      }
    },
  };
}

/** Text of a user's turn; with a reason if a program put it there. */
export function pushSpeech(
  text: string,
  base: ReturnType<Common>,
  injected: string | undefined,
  collect: EventCollector,
): void {
  const mark = injected === undefined ? {} : { injected };
  collect.events.push({ ...base, role: 'user', kind: 'text', text: collect.speech(text), ...mark });
}

/** Later versions say where a turn came from: a person, a task, another session. What no person began is the host's. */
export function isOfHost(origin: unknown): boolean {
  const kind = asText(asFields(origin)?.['kind']);
  return kind !== undefined && !['human', 'user', 'cli'].includes(kind);
}
