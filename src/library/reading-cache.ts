import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasSystemCode } from '../errors.ts';
import type { SkillReading } from '../skill/skill.ts';
import { knackPackage } from '../workspace.ts';

/** A file as it was read before, by this process or another one. */
export interface KnownReading {
  /** Size, times and inode of the files that make the skill. */
  readonly signature: string;
  readonly reading: SkillReading;
}

type Entry = readonly [path: string, known: KnownReading];

/** Milliseconds in which a file can change again without its times telling. */
const TICK = 2000;
/** Milliseconds. */
const LONGEST_WRITE = 60_000;
const NOT_WRITABLE = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EISDIR',
  'EEXIST',
  'ENOTDIR',
  'ENOENT',
];

/**
 * What an earlier process read, by path. Empty where there is nothing, where another version of knack wrote it, or where
 * a byte of it is not as it was written: then everything is read anew.
 */
export async function loadReadings(file: string): Promise<ReadonlyMap<string, KnownReading>> {
  try {
    const bytes = await readFile(file);
    const end = bytes.indexOf('\n');
    const body = bytes.subarray(end + 1);
    const isOurs = bytes.toString('utf8', 0, Math.max(0, end)) === headerOf(body);
    return isOurs ? new Map(JSON.parse(body.toString('utf8')) as Entry[]) : new Map();
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ERR_STRING_TOO_LONG'))
      return new Map();
    throw error;
  }
}

/**
 * Keeps what was read for the next process, for its owner alone, whole or not at all; of two that do so at once one is
 * kept. A file that changed a moment before `now` (milliseconds) is left out, as it could change again and look the same.
 * A folder that cannot be written costs the next start its time and nothing else.
 */
export async function saveReadings(
  file: string,
  readings: ReadonlyMap<string, KnownReading>,
  now: number,
): Promise<void> {
  const text = JSON.stringify(
    [...readings]
      .filter(([, { signature }]) => isSettled(signature, now))
      .map(([path, { signature, reading }]): Entry => [path, { signature, reading }]),
  );
  const body = Buffer.from(text);
  const fresh = `${file}.new`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // Another process writes at this moment, or was killed while it did.
    if (existsSync(fresh) && statSync(fresh).ctimeMs < now - LONGEST_WRITE) await rm(fresh, { force: true });
    await writeFile(fresh, Buffer.concat([Buffer.from(`${headerOf(body)}\n`), body]), {
      mode: 0o600,
      flag: 'wx',
    });
    await rename(fresh, file);
  } catch (error) {
    if (!hasSystemCode(error, ...NOT_WRITABLE)) throw error;
  }
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

/** Another version may read the same bytes differently, and so may another build of this one. */
function headerOf(body: Uint8Array): string {
  const { size, mtimeMs } = statSync(fileURLToPath(import.meta.url));
  const digest = createHash('sha256').update(body).digest('hex');
  return JSON.stringify({ knack: knackPackage.version, build: [size, mtimeMs], digest });
}
