import { crc32 } from 'node:zlib';
import { hasSystemCode } from '../../errors.ts';
import { isRegularFile } from '../../files/folder.ts';
import type { SkillReading } from '../../skill/skill.ts';
import { cacheHeader, HEADER_BYTES, NOT_READABLE, writeCacheFile } from './cache-file.ts';
import { type KeptText, type OpenFile, openFile } from './kept-bodies.ts';
import { readingsOf, rowsOf } from './reading-rows.ts';
import { isSameStamp, isSettled, type Stamp } from './stamps.ts';

/** A file as it was read before, by this process or another one. */
export interface KnownReading {
  /** Size, times and inode of the files that make the skill. */
  readonly signature: Stamp;
  readonly reading: SkillReading;
  /** The folder of a file that is no link; undefined for one that changed a moment before it was looked into. */
  readonly folder?: KnownFolder | undefined;
}

/** A folder with a skill as it was looked into before. */
export interface KnownFolder {
  /** Times, inode and device: other ones once something came into it or went. */
  readonly stamp: Stamp;
  /** Names of what lies in it that belongs to the skill, in lower case. */
  readonly beside: readonly string[];
}

/** Texts written at once. */
const TOGETHER = 512;
/** Kept anew if more than one folder of so many was looked into. */
const WORTH_KEEPING = 50;
/** Bytes that say how long numbers, texts and problems are. */
const LENGTH_BYTES = 24;

/**
 * What an earlier process read, by path; bodies stay in the file until they are asked for. Empty where there is nothing,
 * where another version of knack wrote it, or where a byte of it is not as it was written: then everything is read anew.
 */
export function loadReadings(file: string): ReadonlyMap<string, KnownReading> {
  try {
    return isRegularFile(file) ? readingsIn(openFile(file)) : new Map();
  } catch (error) {
    if (hasSystemCode(error, ...NOT_READABLE, 'ERR_STRING_TOO_LONG')) return new Map();
    throw error;
  }
}

function readingsIn(file: OpenFile): ReadonlyMap<string, KnownReading> {
  const start = HEADER_BYTES + LENGTH_BYTES;
  const header = Buffer.alloc(start);
  if (!file.read(header, 0)) return new Map();
  const lengths = [0, 8, 16].map((at) => header.readDoubleLE(HEADER_BYTES + at));
  const length = lengths.reduce((sum, each) => (isLength(each) ? sum + each : Number.NaN), 0);
  if (!(start + length <= file.size)) return new Map();
  const kept = Buffer.allocUnsafeSlow(length);
  if (!file.read(kept, start)) return new Map();
  const checksum = crc32(kept, crc32(header.subarray(HEADER_BYTES)));
  const isOurs = header.toString('utf8', 0, HEADER_BYTES) === cacheHeader(checksum, file.size - HEADER_BYTES);
  if (!isOurs) return new Map();
  const [numbers = 0, texts = 0] = lengths;
  const from = {
    file,
    numbers: new Float64Array(kept.buffer, 0, numbers / Float64Array.BYTES_PER_ELEMENT),
    problems: kept.subarray(numbers + texts),
  };
  return readingsOf(JSON.parse(kept.toString('latin1', numbers, numbers + texts)), from, start + length);
}

function isLength(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

/**
 * Keeps what was read for the next process. A file that changed a moment before `now` (milliseconds) is left out, as it
 * could change again and look the same. Where nothing can be written, nothing is kept.
 */
export function saveReadings(file: string, readings: ReadonlyMap<string, KnownReading>, now: number): void {
  const texts: Buffer[] = [];
  const problems: Buffer[] = [];
  const keepText = (text: string): KeptText => {
    const bytes = Buffer.from(text);
    texts.push(bytes);
    return { length: bytes.length, checksum: crc32(bytes) };
  };
  const keepProblems = (json: string): number => {
    const bytes = Buffer.from(json);
    problems.push(bytes);
    return bytes.length;
  };
  const settled = [...readings].filter(([, { signature }]) => isSettled(signature, now));
  const rows = rowsOf(settled, keepProblems, keepText);
  const pieces = [
    new Uint8Array(Float64Array.from(rows.numbers).buffer),
    Buffer.from(asciiJson(rows.texts), 'latin1'),
    Buffer.concat(problems),
  ];
  const lengths = Buffer.alloc(LENGTH_BYTES);
  for (const [index, { length }] of pieces.entries()) lengths.writeDoubleLE(length, index * 8);
  writeCacheFile(file, [lengths, ...pieces], now, inPieces(texts));
}

/** With all other characters escaped: bytes that are characters are read several times as fast. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A piece for many texts: each written for itself would take longer. */
function inPieces(texts: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < texts.length; start += TOGETHER)
    pieces.push(Buffer.concat(texts.slice(start, start + TOGETHER)));
  return pieces;
}

/**
 * Whether what was read is worth keeping: something that was not there before, fewer files than there were, or more than
 * a few folders that had to be looked into.
 */
export function isOutdated(
  kept: ReadonlyMap<string, KnownReading>,
  readings: ReadonlyMap<string, KnownReading>,
  now: number,
): boolean {
  let met = 0;
  let lookedInto = 0;
  for (const [path, { signature, folder }] of readings) {
    const before = kept.get(path);
    if (before !== undefined) met += 1;
    // What was kept was settled.
    if (before !== undefined && isSameStamp(before.signature, signature)) {
      if (folder !== undefined && folder.stamp !== before.folder?.stamp) lookedInto += 1;
    } else if (isSettled(signature, now)) return true;
  }
  return met < kept.size || lookedInto * WORTH_KEEPING > readings.size;
}
