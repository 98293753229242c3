import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import type { Transcript, TranscriptEvent } from './event.ts';
import { createEventCollector } from './event-collector.ts';
import type { FormatId, ReadResult, TranscriptFormat } from './format.ts';
import { FORMATS } from './formats.ts';
import { injectedAs, splitInjected } from './injected.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { type OpenedSource, openSource } from './source.ts';
import { withTightHeap } from './tight-heap.ts';

/** How a transcript is read; without `format` its content says what it is. */
export interface ReadOptions {
  readonly format?: string;
  /** @default a redactor with the rules alone, without known secret values */
  readonly redactor?: Redactor;
  readonly signal?: AbortSignal;
}

/**
 * Reads a finished or running session into events, redacted. Bad lines are counted and skipped. Throws `not-found`,
 * `usage` (an unknown `format`), `aborted`, or `transcript-unreadable` with a message of its own for each case:
 * unreadable, empty, damaged, nested too deep, another agent's, and no transcript at all.
 */
export async function readTranscript(path: string, options: ReadOptions = {}): Promise<Transcript> {
  return withTightHeap(() => read(path, options));
}

async function read(path: string, options: ReadOptions): Promise<Transcript> {
  const file = resolve(path);
  const { signal } = options;
  const redactor = options.redactor ?? createRedactor();
  const wanted = options.format === undefined ? undefined : formatNamed(options.format);
  try {
    const source = await openSource(file, signal);
    const { format, confidence } = wanted ? { format: wanted, confidence: 1 } : await detectFormat(source);
    const collect = createEventCollector(redactor);
    const result = await format.read(source, collect);
    if (wanted && result.events.length === 0)
      refuseNonsense(source, format, Object.keys(collect.unknownRecords));
    return {
      file,
      session: {
        ...redactor.value(result.facts),
        id: result.facts.id ?? derivedId(file, result),
        agent: result.facts.agent ?? format.agent,
        format: format.id,
        confidence,
        stats: { ...source.counted, unknownRecords: collect.unknownRecords },
      },
      events: withUniqueIds(result.events.flatMap(markInjected)).map((event) =>
        withoutSecretNames(event, redactor),
      ),
    };
  } catch (error) {
    if (signal?.aborted && !(error instanceof KnackError))
      throw new KnackError('aborted', `reading ${file} was stopped.`, { cause: error });
    // How deep a program can follow is no property of the text, so it cannot be counted beforehand.
    if (error instanceof RangeError && /call stack/i.test(error.message))
      throw new KnackError(
        'transcript-unreadable',
        `${file} holds values that are nested too deep to be read.`,
        {
          cause: error,
        },
      );
    if (error instanceof KnackError) throw error;
    // Whatever a hostile file brings about is of this file alone, and stops none of those beside it.
    throw new KnackError('transcript-unreadable', `${file} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

const READABLE = Object.keys(FORMATS).join(', ');

function formatNamed(name: string): TranscriptFormat {
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name as FormatId] : undefined;
  if (!format) throw new KnackError('usage', `there is no transcript format "${name}"; known: ${READABLE}.`);
  return format;
}

async function detectFormat(source: OpenedSource): Promise<{ format: TranscriptFormat; confidence: number }> {
  const detection = await source.detect();
  if (detection.kind === 'known')
    return { format: FORMATS[detection.format], confidence: detection.confidence };
  throw new KnackError(
    'transcript-unreadable',
    detection.kind === 'foreign'
      ? `${source.file} is a session of ${detection.agent}, which is not supported yet; readable: ${READABLE}.`
      : `${source.file} is JSON and no transcript that knack knows; if it is one of ${READABLE}, say which with --format.`,
  );
}

/** With a format forced on a file that is something else there is nothing to read, and that must not look like a quiet session. */
function refuseNonsense(source: OpenedSource, format: TranscriptFormat, unknown: readonly string[]): void {
  const { lines, badLines } = source.counted;
  if (unknown.length === 0 && (badLines.length === 0 || badLines.length < lines)) return;
  throw new KnackError(
    'transcript-unreadable',
    `${source.file} has nothing in it that reads as ${format.id}: ${badLines.length} of ${lines} lines are no JSON, unknown records: ${unknown.join(', ') || 'none'}.`,
  );
}

/** A stable id where the file has none: its name, and a mark of how the talk began, as many files are `trajectory.json`. */
function derivedId(file: string, { events }: ReadResult): string {
  const opening = events.find((event) => event.kind === 'text' && event.role === 'user') ?? events[0];
  const name = basename(file)
    .replace(/\.(?:traj|jsonl?|ndjson)$/gi, '')
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 60);
  const mark = createHash('sha256')
    .update(JSON.stringify(opening ?? file))
    .digest('hex')
    .slice(0, 8);
  return `${name}-${mark}`;
}

/** Ids are what evidence cites: of two events with one id the later gets a number of its own. */
function withUniqueIds(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  const seen = new Set<string>();
  const copies = new Map<string, number>();
  return events.map((event) => {
    let id = event.id;
    for (let copy = (copies.get(event.id) ?? 1) + 1; seen.has(id); copy += 1) {
      id = `${event.id}~${copy}`;
      copies.set(event.id, copy);
    }
    seen.add(id);
    return id === event.id ? event : { ...event, id };
  });
}

/**
 * A format marks what it knows to be put in by a program; what the text itself shows is marked for all of them. Of a text
 * that holds both, the person's words keep the id, so that no quote of the rest can pass for theirs.
 */
function markInjected(event: TranscriptEvent): TranscriptEvent[] {
  if (event.kind !== 'text' || event.role !== 'user' || event.injected !== undefined) return [event];
  const injected = injectedAs(event.text);
  if (injected !== undefined) return [{ ...event, injected }];
  const parts = splitInjected(event.text);
  if (parts === undefined) return [event];
  return [
    { ...event, id: `${event.id}-host`, text: parts.injected, injected: 'harness' },
    { ...event, text: parts.own },
  ];
}

/** Texts are redacted as they are collected; what is left are names that a hostile file chose. */
function withoutSecretNames(event: TranscriptEvent, redactor: Redactor): TranscriptEvent {
  if (!('toolName' in event) || event.toolName === undefined) return event;
  const toolName = redactor.text(event.toolName);
  return toolName === event.toolName ? event : { ...event, toolName };
}
