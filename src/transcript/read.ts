import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { KnackError } from '../errors.ts';
import type { Transcript } from './event.ts';
import { createEventCollector } from './event-collector.ts';
import type { FormatId } from './format.ts';
import { FORMATS } from './formats.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { type OpenedSource, openSource } from './source.ts';

export interface ReadOptions {
  /** Take this format instead of detecting it. */
  readonly format?: string;
  /** @default one that knows no secret values */
  readonly redactor?: Redactor;
  readonly signal?: AbortSignal;
}

/**
 * Reads one transcript: events in the order of the file, every text redacted. Throws `not-found` for a file that is not
 * there, `transcript-unreadable` for one that is empty, no transcript, or of an agent that cannot be read yet, and
 * `usage` for a format that does not exist. Bad lines and unknown records are counted, never an error.
 */
export async function readTranscript(file: string, options: ReadOptions = {}): Promise<Transcript> {
  const path = resolve(file);
  const source = await openSource(path, options.signal);
  const { format: id, confidence } =
    options.format === undefined
      ? await detected(source)
      : { format: checkedFormat(options.format), confidence: 1 };
  const collect = createEventCollector(options.redactor ?? createRedactor());
  const format = FORMATS[id];
  const { facts, events } = await format.read(source, collect);
  const { id: sessionId, agent, ...rest } = facts;
  return {
    file: path,
    events,
    session: {
      ...rest,
      id: sessionId ?? derivedId(path),
      agent: agent ?? format.agent,
      format: id,
      confidence,
      stats: { ...source.counted, unknownRecords: collect.unknownRecords },
    },
  };
}

async function detected(source: OpenedSource): Promise<{ format: FormatId; confidence: number }> {
  const detection = await source.detect();
  const known = Object.keys(FORMATS).join(', ');
  if (detection.kind === 'foreign')
    throw new KnackError(
      'transcript-unreadable',
      `${source.file}: this is a session of ${detection.agent}, which cannot be read yet; readable are ${known}`,
    );
  if (detection.kind === 'unknown')
    throw new KnackError(
      'transcript-unreadable',
      `${source.file}: this is JSON, but no transcript that is known; readable are ${known} (--format names one if it was not recognised)`,
    );
  return detection;
}

function checkedFormat(format: string): FormatId {
  if (Object.hasOwn(FORMATS, format)) return format as FormatId;
  throw new KnackError(
    'usage',
    `there is no format "${format}"; there are ${Object.keys(FORMATS).join(', ')}`,
  );
}

/** For files that do not name their session: the file's name, and a hash of its path so that two of a name differ. */
function derivedId(path: string): string {
  return `${basename(path).replace(/\.[^.]*$/, '')}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`;
}
