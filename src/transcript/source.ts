import { open, readFile, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { type Detection, detectDocument, detectLines } from './detect.ts';
import { headAndTail } from './event-collector.ts';
import type { TranscriptSource } from './format.ts';
import { readLines } from './lines.ts';

/** JSON documents are held whole; a longer one is refused with its size. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
/** Parts of a document that are read in one go. */
const PARTS = 100;
const SAMPLE_LINES = 400;
/** Of longer lines the sample keeps the shape: a picture or an output tells nothing of the format. */
const SAMPLE_LINE = 50_000;
const SAMPLE_TEXT = 1_000;
const SAMPLE_DEPTH = 20;

/** An opened transcript with what it looks like. */
export interface OpenedSource extends TranscriptSource {
  /** Once: the lines that it judges by are let go. */
  detect(): Promise<Detection>;
  /** Lines seen, and the numbers of those that are no JSON; complete when the format has read the file. */
  readonly counted: { lines: number; badLines: number[] };
}

/**
 * Opens a transcript. Throws `not-found` where there is no file, and `transcript-unreadable`, each case with its
 * own message, for a folder, a file that may not be read, an empty, compressed or database file, and for text
 * that is no JSON at all.
 */
export async function openSource(file: string, signal?: AbortSignal): Promise<OpenedSource> {
  const { size, head } = await checkFile(file);
  const sample = await readSample(file, signal);
  // A power cut leaves runs of NULs in a log; without a line of JSON they are what a binary file is made of.
  if (sample.values.length === 0 && head.includes(0)) throw unreadable(file, 'is binary and no transcript');
  const counted = { lines: 0, badLines: [] as number[] };
  let whole: { value: unknown } | undefined;

  async function* records() {
    Object.assign(counted, { lines: 0, badLines: [] });
    for await (const { number, isBlank, parsed } of readLines(file, lineOf, signal)) {
      counted.lines = number;
      if (isBlank) continue;
      if (parsed) yield { line: number, value: parsed.value };
      else counted.badLines.push(number);
    }
  }

  async function document(): Promise<unknown> {
    if (whole) return whole.value;
    if (size > MAX_DOCUMENT_BYTES)
      throw unreadable(
        file,
        `is one JSON document of ${Math.round(size / 2 ** 20)} MB, more than the 256 MB that are read at once; split it or export it as JSON Lines`,
      );
    const text = (await readFile(file, { encoding: 'utf8', ...(signal ? { signal } : {}) })).replace(
      /^\uFEFF/,
      '',
    );
    const parsed = parseJson(text);
    if (!parsed)
      throw unreadable(
        file,
        /^\s*[[{]/.test(text)
          ? 'starts like JSON and is not: it was cut or damaged; nothing was read'
          : 'is not a transcript: neither JSON nor JSON Lines',
      );
    counted.lines = text.split('\n').length;
    whole = parsed;
    return parsed.value;
  }

  let parts = 0;
  async function pause(): Promise<void> {
    parts += 1;
    if (parts % PARTS === 0) await setImmediate();
    signal?.throwIfAborted();
  }

  // One line alone may be either: a log that has just begun, or a document written without line breaks.
  const isSingle = !sample.many && sample.values.length === 1;
  const isLines =
    sample.many || (isSingle && (/\.(?:jsonl|ndjson)$/i.test(file) || isHeader(sample.values[0])));
  async function detect(): Promise<Detection> {
    const { values } = sample;
    // Some of them are pictures and long outputs, and the rest of the file is read after them.
    sample.values = [];
    const detection = isLines ? detectLines(values) : detectDocument(await document());
    if (detection.kind !== 'unknown' || !isSingle) return detection;
    const other = isLines ? detectDocument(values[0]) : detectLines(values);
    return other.kind === 'foreign' ? other : detection;
  }
  return { file, isLines, counted, records, document, pause, detect };
}

const unreadable = (file: string, why: string, cause?: unknown) =>
  new KnackError('transcript-unreadable', `${file} ${why}.`, cause === undefined ? undefined : { cause });

/** The size of a file that can be read and is no other kind, and how it begins. */
async function checkFile(file: string): Promise<{ size: number; head: Buffer }> {
  let head: Buffer;
  try {
    const status = await stat(file);
    if (status.isDirectory()) throw unreadable(file, 'is a folder; name the transcript files in it');
    if (!status.isFile()) throw unreadable(file, 'is no regular file');
    if (status.size === 0)
      throw unreadable(file, 'is empty: the session was never written, there is nothing to read');
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
      if (buffer[0] === 0x1f && buffer[1] === 0x8b)
        throw unreadable(file, 'is compressed; unpack it with gunzip first');
      if (buffer.toString('latin1').startsWith('SQLite format 3'))
        throw unreadable(
          file,
          'is a database (Cursor, OpenCode and Hermes Agent keep such); export the session to JSON first',
        );
      head = buffer.subarray(0, bytesRead);
      if (isUtf16(head))
        throw unreadable(
          file,
          'is UTF-16 text, of which nothing was read; save it as UTF-8 first, as with iconv -f UTF-16 -t UTF-8',
        );
    } finally {
      await handle.close();
    }
    return { size: status.size, head };
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR'))
      throw new KnackError('not-found', `there is no file ${file}; check the path.`, { cause: error });
    if (hasSystemCode(error, 'EACCES', 'EPERM', 'ELOOP', 'EIO'))
      throw unreadable(file, `cannot be read: ${messageOf(error)}`, error);
    throw error;
  }
}

/** By its mark, or by a NUL in every other place of what begins as ASCII does. */
function isUtf16(head: Buffer): boolean {
  const [first, second, third, fourth] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const isLittle = second === 0 && fourth === 0 && first !== 0 && third !== 0;
  return isLittle || (first === 0 && third === 0 && second !== 0 && fourth !== 0);
}

/** The objects among the first lines; `many`: the file is JSON Lines, with bad lines or without. */
async function readSample(file: string, signal?: AbortSignal): Promise<{ many: boolean; values: unknown[] }> {
  const values: unknown[] = [];
  let filled = 0;
  let bytes = 0;
  for await (const { number, isBlank, length, parsed } of readLines(file, lineOf, signal)) {
    if (isBlank) continue;
    filled += 1;
    bytes += length;
    if (parsed && typeof parsed.value === 'object' && parsed.value !== null)
      values.push(length > SAMPLE_LINE ? shapeOf(parsed.value, 0) : parsed.value);
    // A document over several lines has no object on its first ones; a log may have a bad line there.
    if (number >= SAMPLE_LINES || bytes > 2 ** 25 || (filled >= 50 && values.length === 0)) break;
  }
  // Of a log most lines are objects of their own; of a document over several lines hardly any is.
  return { many: filled > 1 && values.length * 2 >= filled, values };
}

/** The value with its long texts cut. */
function shapeOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return headAndTail(value, SAMPLE_TEXT);
  if (typeof value !== 'object' || value === null || depth > SAMPLE_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => shapeOf(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item, depth + 1)]));
}

/** What is known of a line without its text, which is half of the memory that a long one takes. */
function lineOf(number: number, text: string | undefined) {
  return {
    number,
    length: text?.length ?? 0,
    isBlank: text?.trim() === '',
    parsed: text === undefined ? undefined : parseJson(text),
  };
}

function isHeader(value: unknown): boolean {
  return (value as { type?: unknown }).type === 'session';
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
