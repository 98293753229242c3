import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { KnackError } from '../errors.ts';

/** Bytes of a file of knack's own that are read: years of use make a small part of it. */
const LARGEST = 256 * 1024 * 1024;
/** Without the second a pipe would wait for a writer for ever. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Reads a file that knack keeps, such as a log or a record, as UTF-8. Throws what the system says, `ENOENT` where there
 * is none, and `io` for a pipe or a device, whose end never comes, and for what is too large to be one of knack's.
 */
export async function readOwnFile(file: string): Promise<string> {
  const handle = await open(file, FLAGS);
  try {
    checkOwnFile(file, await handle.stat());
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** The same without waiting in between. */
export function readOwnFileSync(file: string): string {
  const descriptor = openSync(file, FLAGS);
  try {
    checkOwnFile(file, fstatSync(descriptor));
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Throws `io` for an open file that is none to read or to add to. Of a folder the system says so itself. */
export function checkOwnFile(file: string, found: Stats): void {
  if (!found.isFile() && !found.isDirectory())
    throw new KnackError(
      'io',
      `${file} is a pipe or a device; expected a file. Remove it and run this again.`,
    );
  if (found.size > LARGEST)
    throw new KnackError(
      'io',
      `${file} has ${found.size} bytes, and at most ${LARGEST} are read; move it away and run this again`,
    );
}
