import { statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { hasSystemCode } from '../errors.ts';
import { isRegularFile } from '../folder.ts';
import type { Skill, SkillReading } from '../skill/skill.ts';
import { cacheHeader, HEADER_BYTES, NOT_READABLE, writeCacheFile } from './cache-file.ts';
import { type OpenFile, openFile, withKeptBody } from './kept-bodies.ts';

/** A file as it was read before, by this process or another one. */
export interface KnownReading {
  /** Size, times and inode of the files that make the skill. */
  readonly signature: string;
  readonly reading: SkillReading;
}

/** The bodies lie behind the entries, one after the other. */
type Entry = readonly [
  path: string,
  signature: string,
  reading: Exclude<SkillReading, { kind: 'loaded' }> | { kind: 'loaded'; skill: Omit<Skill, 'body'> },
  bodyBytes: number,
  bodyChecksum: number,
];

/** Milliseconds in which a file can change again without its times telling. */
const TICK = 2000;
/** Bytes read at once. */
const PIECE = 1 << 22;
/** Bodies written at once. */
const TOGETHER = 256;
/** Bytes that say how long the entries are. */
const LENGTH_BYTES = 8;

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
  if (file.size < start) return new Map();
  const header = Buffer.alloc(start);
  file.read(header, 0);
  const length = file.size - HEADER_BYTES;
  if (header.toString('utf8', 0, HEADER_BYTES) !== cacheHeader(checksumOf(file), length)) return new Map();
  const text = Buffer.allocUnsafe(header.readDoubleLE(HEADER_BYTES));
  file.read(text, start);
  let body = start + text.length;
  return new Map(
    (JSON.parse(text.toString('utf8')) as Entry[]).map(
      ([path, signature, reading, bytes, checksum]): [string, KnownReading] => {
        if (reading.kind === 'refused') return [path, { signature, reading }];
        const skill = withKeptBody(reading.skill, { file, start: body, length: bytes, checksum });
        body += bytes;
        return [path, { signature, reading: { kind: 'loaded', skill } }];
      },
    ),
  );
}

function checksumOf(file: OpenFile): number {
  let checksum = 0;
  const piece = Buffer.allocUnsafe(Math.min(PIECE, file.size));
  for (let at = HEADER_BYTES; at < file.size; at += PIECE) {
    const part = piece.subarray(0, Math.min(PIECE, file.size - at));
    file.read(part, at);
    checksum = crc32(part, checksum);
  }
  return checksum;
}

/**
 * Keeps what was read for the next process. A file that changed a moment before `now` (milliseconds) is left out, as it
 * could change again and look the same. Where nothing can be written, nothing is kept.
 */
export function saveReadings(file: string, readings: ReadonlyMap<string, KnownReading>, now: number): void {
  const bodies: Buffer[] = [];
  const entries = [...readings]
    .filter(([, { signature }]) => isSettled(signature, now))
    .map(([path, { signature, reading }]): Entry => {
      if (reading.kind === 'refused') return [path, signature, reading, 0, 0];
      const body = Buffer.from(reading.skill.body);
      bodies.push(body);
      const { body: _, ...skill } = reading.skill;
      return [path, signature, { kind: 'loaded', skill }, body.length, crc32(body)];
    });
  const text = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeDoubleLE(text.length);
  writeCacheFile(file, [length, text, ...inPieces(bodies)], now);
}

/** A piece for many bodies: each written for itself would take longer. */
function inPieces(bodies: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < bodies.length; start += TOGETHER)
    pieces.push(Buffer.concat(bodies.slice(start, start + TOGETHER)));
  return pieces;
}

/** Whether what was read is worth keeping: something that was not there before, or fewer files than there were. */
export function isOutdated(
  kept: ReadonlyMap<string, KnownReading>,
  readings: ReadonlyMap<string, KnownReading>,
  now: number,
): boolean {
  for (const path of kept.keys()) if (!readings.has(path)) return true;
  for (const [path, { signature }] of readings)
    if (kept.get(path)?.signature !== signature && isSettled(signature, now)) return true;
  return false;
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

/** By the time of the last change, which nobody sets at will. */
function isSettled(signature: string, now: number): boolean {
  return signature.split('|').every((stamp) => stamp === '-' || Number(stamp.split(' ')[2]) < now - TICK);
}
