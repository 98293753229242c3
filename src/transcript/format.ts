import type { TranscriptEvent, TranscriptSession } from './event.ts';
import type { EventCollector } from './event-collector.ts';

/** The transcript formats that knack reads. */
export type FormatId = 'knack' | 'pi' | 'claude-code' | 'codex' | 'swe-agent' | 'openai-chat';

/** One line of a JSON Lines file that is JSON; lines count from 1 as they stand in the file. */
export interface SourceRecord {
  readonly line: number;
  readonly value: unknown;
}

/** A transcript file, opened: a format asks for its lines or for the whole document. */
export interface TranscriptSource {
  /** Absolute path. */
  readonly file: string;
  /** Whether the file is JSON Lines rather than one JSON document. */
  readonly isLines: boolean;
  /** The lines that are JSON, streamed; bad ones are counted and left out. */
  records(): AsyncIterable<SourceRecord>;
  /** The whole file as one JSON value. */
  document(): Promise<unknown>;
  /** Between the parts of a document: lets others run from time to time, and throws once the reading is aborted. */
  pause(): Promise<void>;
}

/** What a format finds out beside the events; `id` where the file names its session. */
export type SessionFacts = Omit<TranscriptSession, 'id' | 'agent' | 'format' | 'confidence' | 'stats'> & {
  readonly id?: string;
  /** Where the file names the agent; else the format's. */
  readonly agent?: string;
};

/** What every format answers. Texts are redacted by the collector; events stand in the order of the file. */
export interface ReadResult {
  readonly facts: SessionFacts;
  readonly events: readonly TranscriptEvent[];
}

/** One way of writing a session down. `read` never throws for odd content: it counts what it does not know. */
export interface TranscriptFormat {
  readonly id: FormatId;
  readonly agent: string;
  read(source: TranscriptSource, collect: EventCollector): Promise<ReadResult>;
}
