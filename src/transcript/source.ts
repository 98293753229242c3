import { open, readFile, stat } from 'node:fs/promises';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { type Detection, detectDocument, detectLines } from './detect.ts';
import type { TranscriptSource } from './format.ts';
import { readLines } from './lines.ts';

/** JSON documents are held whole; a longer one is refused with its size. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
const SAMPLE_LINES = 400;

/** An opened transcript with what it looks like and what could not be read of it so far. */
export interface OpenedSource extends TranscriptSource {
  detect(): Promise<Detection>;
  /** Lines seen, and the numbers of those that are no JSON; complete after `records()` or `document()`. */
  readonly counted: { lines: number; badLines: number[] };
}

const unreadable = (file: string, why: string, cause?: unknown) =>
  new KnackError('transcript-unreadable', `${file}: ${why}`, cause === undefined ? undefined : { cause });

/**
 * Opens a transcript. Throws `not-found` where there is no file, and `transcript-unreadable`, each with its own
 * message, for a folder, a file that may not be read, an empty, compressed or database file, and text that is no JSON.
 */
export async function openSource(file: string, signal?: AbortSignal): Promise<OpenedSource> {
  await checkFile(file);
  const sample = await readSample(file, signal);
  const isLines = sample.isLines;
  const counted = { lines: 0, badLines: [] as number[] };
  let document: { value: unknown } | undefined;

  async function* records() {
    counted.lines = 0;
    counted.badLines = [];
    for await (const { number, text } of readLines(file, signal)) {
      counted.lines = number;
      if (text === undefined || text.trim() === '') {
        if (text === undefined) counted.badLines.push(number);
        continue;
      }
      const parsed = parseJson(text);
      if (parsed) yield { line: number, value: parsed.value };
      else counted.badLines.push(number);
    }
  }

  async function readDocument(): Promise<unknown> {
    document ??= await parseWhole(file, signal);
    counted.lines = 1;
    return document.value;
  }

  return {
    file,
    isLines,
    counted,
    records,
    document: readDocument,
    async detect() {
      if (!isLines) return detectDocument(await readDocument());
      const byLines = detectLines(sample.values);
      // One line alone may as well be a document that was written without line breaks.
      return byLines.kind === 'unknown' && sample.values.length === 1
        ? detectDocument(sample.values[0])
        : byLines;
    },
  };
}

async function checkFile(file: string): Promise<void> {
  const found = await stat(file).catch((error: unknown) => {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR'))
      throw new KnackError('not-found', `${file} does not exist; give the path of a transcript`, {
        cause: error,
      });
    throw unreadable(file, `cannot be read (${messageOf(error)})`, error);
  });
  if (found.isDirectory())
    throw unreadable(file, 'is a folder; give the files in it, such as folder/*.jsonl');
  if (!found.isFile()) throw unreadable(file, 'is no regular file');
  if (found.size === 0) throw unreadable(file, 'is empty: there is no session in it');
}

/** The beginning of a file: whether it is JSON Lines, and the values of its first lines. */
async function readSample(
  file: string,
  signal?: AbortSignal,
): Promise<{ isLines: boolean; values: unknown[] }> {
  const head = await readHead(file);
  if (head[0] === 0x1f && head[1] === 0x8b)
    throw unreadable(file, 'is compressed with gzip; unpack it first (gunzip)');
  if (head.subarray(0, 15).toString('latin1') === 'SQLite format 3')
    throw unreadable(file, 'is a SQLite database, which is not read yet; export the session as JSON');
  if (head.includes(0)) throw unreadable(file, 'is binary and no transcript');
  const values: unknown[] = [];
  let bad = 0;
  for await (const { text } of readLines(file, signal)) {
    if (text === undefined || text.trim() === '' || text.trimStart().startsWith('//')) continue;
    const parsed = parseJson(text);
    if (parsed === undefined) bad += 1;
    else values.push(parsed.value);
    if (values.length + bad >= SAMPLE_LINES) break;
  }
  const records = values.filter((value) => typeof value === 'object' && value !== null);
  // A document with line breaks has lines such as `{` and `"a": 1,`, hardly any of which is JSON alone.
  return { isLines: records.length > 0 && records.length >= bad, values: records };
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, `cannot be read (${messageOf(error)})`, error);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function parseWhole(file: string, signal?: AbortSignal): Promise<{ value: unknown }> {
  const { size } = await stat(file);
  if (size > MAX_DOCUMENT_BYTES)
    throw unreadable(
      file,
      `is one JSON document of ${size} bytes; at most ${MAX_DOCUMENT_BYTES} can be read, so split it or use JSON Lines`,
    );
  const text = await readFile(file, { encoding: 'utf8', ...(signal === undefined ? {} : { signal }) });
  const parsed = parseJson(text.replace(/^\uFEFF/, ''));
  if (parsed === undefined)
    throw unreadable(file, 'is no transcript: neither a JSON document nor JSON Lines');
  return parsed;
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
