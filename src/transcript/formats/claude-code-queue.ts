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
  const waiting: { id: string; text: string }[] = [];
  const sent = new Set<string>();
  const arrived = (text: string) => {
    const at = waiting.findIndex((queued) => queued.text === text.trim());
    for (const { id } of at < 0 ? [] : waiting.splice(at, 1)) sent.add(id);
  };
  return {
    sent,
    arrived,
    take(record, common) {
      const text = asText(record['content'])?.trim();
      if (record['operation'] === 'popAll') for (const { id } of waiting.splice(0)) sent.add(id);
      else if (record['operation'] === 'remove' && text) arrived(text);
      else if (record['operation'] === 'enqueue' && text) {
        pushSpeech(text, common(1), undefined, collect);
        waiting.push({ id: common(1).id, text });
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
