import { statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { hasSystemCode } from '../../errors.ts';
import { isRegularFile } from '../../folder.ts';
import type { SkillReading } from '../../skill/skill.ts';
import { cacheHeader, HEADER_BYTES, NOT_READABLE, writeCacheFile } from './cache-file.ts';
import { type KeptText, type OpenFile, openFile } from './kept-bodies.ts';
import { type ReadingRow, readingsOf, rowOf } from './reading-rows.ts';

/** A file as it was read before, by this process or another one. */
export interface KnownReading {
  /** Size, times and inode of the files that make the skill. */
  readonly signature: string;
  readonly reading: SkillReading;
  /** The folder of a file that is no link; undefined for one that changed a moment before it was looked into. */
  readonly folder?: KnownFolder | undefined;
}

/** A folder with a skill as it was looked into before. */
export interface KnownFolder {
  /** Times, inode and device: other ones once something came into it or went. */
  readonly stamp: string;
  /** Names of what lies in it that belongs to the skill, in lower case. */
  readonly beside: readonly string[];
}

/** Milliseconds in which a file can change again without its times telling. */
const TICK = 2000;
/** Texts written at once. */
const TOGETHER = 512;
/** Kept anew if more than one folder of so many was looked into. */
const WORTH_KEEPING = 50;
/** Bytes that say how long the rows are, and how long the problems behind them. */
const LENGTH_BYTES = 16;

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
  const [length, behind] = [header.readDoubleLE(HEADER_BYTES), header.readDoubleLE(HEADER_BYTES + 8)];
  if (!(isLength(length) && isLength(behind)) || start + length + behind > file.size) return new Map();
  const [rows, problems] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(behind)];
  if (!file.read(rows, start) || !file.read(problems, start + length)) return new Map();
  const checksum = crc32(problems, crc32(rows, crc32(header.subarray(HEADER_BYTES))));
  const isOurs = header.toString('utf8', 0, HEADER_BYTES) === cacheHeader(checksum, file.size - HEADER_BYTES);
  if (!isOurs) return new Map();
  const kept: readonly ReadingRow[] = JSON.parse(rows.toString('latin1'));
  return readingsOf(kept, { problems, file, start: start + length + behind });
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
  const rows = [...readings]
    .filter(([, { signature }]) => isSettled(signature, now))
    .map(([path, known]) => rowOf(path, known, keepProblems, keepText));
  const [text, behind] = [Buffer.from(asciiJson(rows), 'latin1'), Buffer.concat(problems)];
  const lengths = Buffer.alloc(LENGTH_BYTES);
  lengths.writeDoubleLE(text.length);
  lengths.writeDoubleLE(behind.length, 8);
  writeCacheFile(file, [lengths, text, behind], now, inPieces(texts));
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
  for (const path of kept.keys()) if (!readings.has(path)) return true;
  let lookedInto = 0;
  for (const [path, { signature, folder }] of readings) {
    const before = kept.get(path);
    // What was kept was settled.
    if (before?.signature === signature) {
      if (folder !== undefined && folder.stamp !== before.folder?.stamp) lookedInto += 1;
    } else if (isSettled(signature, now)) return true;
  }
  return lookedInto * WORTH_KEEPING > readings.size;
}

/** Where size, times and inode of one file stand in a signature, or a mark for one that is not there. */
export function stampOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? '-' : `${found.size} ${found.mtimeMs} ${found.ctimeMs} ${found.ino}`;
  } catch (error) {
    if (hasSystemCode(error, 'EACCES', 'ENOTDIR', 'ELOOP')) return '-';
    throw error;
  }
}

/** What tells that nothing came into a folder or went; empty for one that cannot be looked at. */
export function folderStampOf(path: string): string {
  try {
    const { mtimeMs, ctimeMs, ino, dev } = statSync(path);
    return `${dev} ${mtimeMs} ${ctimeMs} ${ino}`;
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP')) return '';
    throw error;
  }
}

/**
 * Whether all that is stamped last changed well before `now` (milliseconds). By the time that nobody sets at will: with
 * one that lies ahead of the clock nothing is settled.
 */
export function isSettled(signature: string, now: number): boolean {
  return signature.split('|').every((stamp) => stamp === '-' || Number(stamp.split(' ')[2]) < now - TICK);
}
