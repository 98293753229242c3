import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { endianness } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { hasSystemCode } from '../../errors.ts';
import { knackPackage } from '../../workspace.ts';

/** Bytes at the beginning of a cache file that say whose it is and what it holds. */
export const HEADER_BYTES = 256;
/** Milliseconds. */
const LONGEST_WRITE = 60_000;
/** Nothing can be written there now. */
export const NOT_WRITABLE = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EISDIR',
  'EEXIST',
  'ENOTDIR',
  'ENOENT',
  'ELOOP',
] as const;
/** There is nothing to read. */
export const NOT_READABLE = ['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ELOOP'] as const;

/**
 * The header of a cache file whose content has this length in bytes, and what is read at a start this checksum. Another
 * version may read the same bytes differently, and so may another build of this one. The checksum finds damage; it is no proof against an owner
 * of the workspace, who could write anything there.
 */
export function cacheHeader(checksum: number, length: number): string {
  const { size, mtimeMs } = statSync(fileURLToPath(import.meta.url));
  const fields = {
    knack: knackPackage.version,
    build: [size, mtimeMs],
    order: endianness(),
    checksum,
    length,
  };
  return `${JSON.stringify(fields).padEnd(HEADER_BYTES - 1)}\n`;
}

/**
 * Writes a cache file for the next process, for its owner alone, whole or not at all; of two that do so at once one is
 * kept. A folder that cannot be written costs the next start its time and nothing else. `now` is in milliseconds. The
 * checksum of the header leaves out `later`: what has checksums of its own, for when it is asked for.
 */
export function writeCacheFile(
  file: string,
  pieces: readonly Uint8Array[],
  now: number,
  later: readonly Uint8Array[] = [],
): void {
  const checksum = pieces.reduce((sum, piece) => crc32(piece, sum), 0);
  const length = [...pieces, ...later].reduce((sum, piece) => sum + piece.length, 0);
  const fresh = `${file}.new`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Another process writes at this moment, or was killed while it did.
    if (existsSync(fresh) && statSync(fresh).ctimeMs < now - LONGEST_WRITE) rmSync(fresh, { force: true });
    const descriptor = openSync(fresh, 'wx', 0o600);
    try {
      // One after the other: all in one block would be in memory twice.
      for (const piece of [Buffer.from(cacheHeader(checksum, length)), ...pieces, ...later])
        writeFileSync(descriptor, piece);
    } finally {
      closeSync(descriptor);
    }
    renameSync(fresh, file);
  } catch (error) {
    if (!hasSystemCode(error, ...NOT_WRITABLE)) throw error;
  }
}
