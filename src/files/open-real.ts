import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { hasSystemCode, KnackError } from '../errors.ts';

/** Opens the place alone, without a right to read it; Linux has it, Node has no name for it. */
const O_PATH = 0o10000000;
/** A named pipe would wait for a writer for ever. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file by its real path, to read it or only to look at it, and makes sure that it is that file: between the
 * check of a path and its use somebody may put a link in the place of a folder on the way. Throws `refused` where the opened
 * file lies elsewhere, and what `open` throws.
 */
export async function openReal(real: string, use: 'read' | 'look' = 'read'): Promise<FileHandle> {
  const isPlace = use === 'look' && process.platform === 'linux';
  const handle = await open(real, isPlace ? O_PATH | constants.O_NOFOLLOW : READ);
  try {
    if (await isAt(handle, real)) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw new KnackError('refused', `${real} was moved while it was opened, and leads elsewhere; try again`);
}

/** The kernel knows where an opened file lies; where it does not tell, the path is looked at again. */
async function isAt(handle: FileHandle, real: string): Promise<boolean> {
  const place = await placeOf(handle);
  if (place !== undefined) return place === real || place === `${real} (deleted)`;
  const [opened, found] = await Promise.all([handle.stat(), stat(real)]);
  return (await realpath(real)) === real && opened.dev === found.dev && opened.ino === found.ino;
}

async function placeOf({ fd }: FileHandle): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const place = await readlink(`/proc/self/fd/${fd}`);
    return place.startsWith('/') ? place : undefined;
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'EACCES', 'EPERM', 'ENOTDIR')) return undefined;
    throw error;
  }
}
