import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { hasSystemCode, type Problem } from '../errors.ts';
import { isRegularFile } from '../folder.ts';
import type { Skill, SkillReading } from '../skill/skill.ts';
import { cacheHeader, HEADER_BYTES, NOT_READABLE, writeCacheFile } from './cache-file.ts';
import { type KeptText, type OpenFile, openFile, withKeptTexts } from './kept-bodies.ts';

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

/** What is the same in the path, and what lies behind the entries, is left out of them. */
type KeptSkill = Omit<Skill, 'body' | 'headings' | 'dir' | 'path'>;

/** Headings and bodies lie behind the entries, one after the other. */
interface Entry {
  readonly path: string;
  readonly signature: string;
  readonly folder?: KnownFolder | undefined;
  readonly reading:
    | { readonly refused: readonly Problem[] }
    | { readonly skill: KeptSkill; readonly headings: KeptText; readonly body: KeptText };
}

/** Milliseconds in which a file can change again without its times telling. */
const TICK = 2000;
/** Texts written at once. */
const TOGETHER = 512;
/** Kept anew if more than one folder of so many was looked into. */
const WORTH_KEEPING = 50;
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
  const header = Buffer.alloc(start);
  if (!file.read(header, 0)) return new Map();
  const bytes = header.readDoubleLE(HEADER_BYTES);
  if (!Number.isInteger(bytes) || bytes < 0 || start + bytes > file.size) return new Map();
  const text = Buffer.allocUnsafe(bytes);
  if (!file.read(text, start)) return new Map();
  const checksum = crc32(text, crc32(header.subarray(HEADER_BYTES)));
  const isOurs = header.toString('utf8', 0, HEADER_BYTES) === cacheHeader(checksum, file.size - HEADER_BYTES);
  return isOurs ? readingsOf(JSON.parse(text.toString('utf8')), file, start + bytes) : new Map();
}

function readingsOf(entries: readonly Entry[], file: OpenFile, first: number): Map<string, KnownReading> {
  let start = first;
  const readings = new Map<string, KnownReading>();
  for (const { path, signature, folder, reading } of entries)
    if ('refused' in reading)
      readings.set(path, {
        signature,
        reading: { kind: 'refused', path, problems: reading.refused },
        folder,
      });
    else {
      const { headings, body } = reading;
      const placed = Object.assign(reading.skill, { dir: dirname(path), path });
      const skill = withKeptTexts(placed, { file, start, headings, body });
      readings.set(path, { signature, reading: { kind: 'loaded', skill }, folder });
      start += headings.length + body.length;
    }
  return readings;
}

/**
 * Keeps what was read for the next process. A file that changed a moment before `now` (milliseconds) is left out, as it
 * could change again and look the same. Where nothing can be written, nothing is kept.
 */
export function saveReadings(file: string, readings: ReadonlyMap<string, KnownReading>, now: number): void {
  const texts: Buffer[] = [];
  const keep = (text: string): KeptText => {
    const bytes = Buffer.from(text);
    texts.push(bytes);
    return { length: bytes.length, checksum: crc32(bytes) };
  };
  const entries = [...readings]
    .filter(([, { signature }]) => isSettled(signature, now))
    .map(([path, { signature, reading, folder }]): Entry => {
      if (reading.kind === 'refused')
        return { path, signature, folder, reading: { refused: reading.problems } };
      const { body, headings, dir: _, path: __, ...skill } = reading.skill;
      const kept = { skill, headings: keep(JSON.stringify(headings)), body: keep(body) };
      return { path, signature, folder, reading: kept };
    });
  const text = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeDoubleLE(text.length);
  writeCacheFile(file, [length, text], now, inPieces(texts));
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
    if (!isSettled(signature, now)) continue;
    const before = kept.get(path);
    if (before?.signature !== signature) return true;
    if (folder !== undefined && folder.stamp !== before.folder?.stamp) lookedInto += 1;
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
