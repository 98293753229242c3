import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { hasSystemCode } from '../../errors.ts';
import { isRegularFile } from '../../files/folder.ts';
import { cacheHeader, HEADER_BYTES, NOT_READABLE, writeCacheFile } from './cache-file.ts';

/**
 * What `keepValue` wrote into a file, as JSON reads it; undefined where there is nothing, or what another version or
 * build wrote, or damage.
 */
export function keptValue(file: string): unknown {
  try {
    if (!isRegularFile(file)) return undefined;
    const bytes = readFileSync(file);
    const content = bytes.subarray(HEADER_BYTES);
    const header = bytes.toString('utf8', 0, HEADER_BYTES);
    return header === cacheHeader(crc32(content), content.length)
      ? JSON.parse(content.toString('utf8'))
      : undefined;
  } catch (error) {
    if (hasSystemCode(error, ...NOT_READABLE, 'ERR_FS_FILE_TOO_LARGE', 'ERR_STRING_TOO_LONG'))
      return undefined;
    throw error;
  }
}

/** Keeps a value for the next process, as `writeCacheFile` does. `now` is in milliseconds. */
export function keepValue(file: string, value: unknown, now: number): void {
  writeCacheFile(file, [Buffer.from(JSON.stringify(value))], now);
}
