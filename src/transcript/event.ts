/** What every format is normalised to (DESIGN 9). Ids are stable across re-imports and importer changes. */
interface EventBase {
  /** The record's own id where the format has one, else `e<record>.<part>`. */
  readonly id: string;
  readonly parentId?: string;
  /** ISO 8601. */
  readonly ts?: string;
  readonly role: 'user' | 'assistant' | 'tool' | 'system';
  /** Why this text is not the person's own words though it stands in a user turn; absent = the person wrote it. */
  readonly injected?: string;
  /** Of a sub-agent. */
  readonly sidechain?: boolean;
  readonly branch?: 'live' | 'abandoned' | 'archived';
  /** Which of several unrelated conversations in one file, from 1; absent where the file holds one. */
  readonly conversation?: number;
  /** Line number or JSON path in the file. */
  readonly ref: string;
}

export type TranscriptEvent =
  | (EventBase & {
      readonly kind: 'text' | 'thinking' | 'summary' | 'error' | 'interrupt';
      readonly text: string;
    })
  | (EventBase & {
      readonly kind: 'tool-call';
      readonly toolName: string;
      readonly callId: string;
      readonly args: unknown;
    })
  | (EventBase & {
      readonly kind: 'tool-result';
      readonly toolName?: string;
      readonly callId: string;
      readonly text: string;
      /** Absent where the format has no mark for failed calls; signals then judge by the text. */
      readonly isError?: boolean;
      readonly exitCode?: number;
    })
  | (EventBase & {
      readonly kind: 'skill-load';
      readonly skill: string;
      readonly version?: string;
      readonly contentHash: string;
      /** Who wanted it: a suggestion of the runtime is no use. */
      readonly by: 'model' | 'user';
    });

export interface TranscriptSession {
  readonly id: string;
  readonly agent: string;
  readonly format: string;
  /** 0–1, of the detection. */
  readonly confidence: number;
  readonly cwd?: string;
  readonly model?: string;
  readonly started?: string;
  readonly title?: string;
  readonly parentId?: string;
  /** Recorded outcome (reward, exit_status, completed), not the assistant's claim. */
  readonly outcome?: 'success' | 'failure' | 'unknown';
  /** Set on knack's own sessions that are reviews: these are never reviewed. */
  readonly purpose?: 'chat' | 'review';
  readonly stats: {
    readonly lines: number;
    readonly badLines: readonly number[];
    readonly unknownRecords: Readonly<Record<string, number>>;
  };
}

/** A whole transcript, its events in order. */
export interface Transcript {
  /** Absolute path of the file that it was read from. */
  readonly file: string;
  readonly session: TranscriptSession;
  readonly events: readonly TranscriptEvent[];
}

export const SIGNAL_KINDS = [
  'correction',
  'interrupt',
  'standing-wish',
  'error-then-success',
  'retry',
  'course-change',
  'abandoned-branch',
  'empty-search',
  'contradicted-skill',
] as const;

export type SignalKind = (typeof SIGNAL_KINDS)[number];

/** A deterministic finding in a transcript: `event` is the event that shows it, `quote` its (redacted) words. */
export interface Signal {
  readonly kind: SignalKind;
  readonly event: string;
  readonly quote: string;
  /** Other events that belong to it, such as the failing call before the working one. */
  readonly related: readonly string[];
}

/** The text of an event as a quote may cite it: text, tool output, or the JSON of a call's arguments. */
export function eventText(event: TranscriptEvent): string {
  switch (event.kind) {
    case 'tool-call':
      return typeof event.args === 'string' ? event.args : JSON.stringify(event.args);
    case 'skill-load':
      return `${event.skill}${event.version ? `@${event.version}` : ''}`;
    default:
      return event.text;
  }
}
