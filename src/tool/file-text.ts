import { extname } from 'node:path';
import { hasSystemCode, KnackError } from '../errors.ts';
import { openReal } from '../files/open-real.ts';

/** The largest file that is read as a whole. */
const LARGEST_BYTES = 10 * 1024 * 1024;

/** A file's content: text with its line ends and byte-order mark, or a description of what is not text. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly mode: number }
  | { readonly kind: 'binary'; readonly size: number; readonly type: string };

const TYPES: Readonly<Record<string, string>> = {
  '.gif': 'GIF image',
  '.gz': 'gzip archive',
  '.jpeg': 'JPEG image',
  '.jpg': 'JPEG image',
  '.pdf': 'PDF document',
  '.png': 'PNG image',
  '.sqlite': 'SQLite database',
  '.tar': 'tar archive',
  '.webp': 'WebP image',
  '.zip': 'ZIP archive',
};

/**
 * Reads a regular file by its real path. Throws `not-found`, or `refused` for a folder, a device, a link or a file
 * over 10 MiB.
 */
export async function readFileContent(path: string): Promise<FileContent> {
  const handle = await openFile(path);
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw new KnackError('refused', `${path} is a folder; list it with list_files`);
    if (!found.isFile()) throw new KnackError('refused', `${path} is not a regular file`);
    if (found.size > LARGEST_BYTES)
      throw new KnackError(
        'refused',
        `${path} has ${found.size} bytes; at most ${LARGEST_BYTES} are read. Take a part of it with run_command`,
      );
    const bytes = await handle.readFile();
    const text = decoded(bytes);
    if (text === undefined)
      return {
        kind: 'binary',
        size: bytes.length,
        type: TYPES[extname(path).toLowerCase()] ?? 'binary file',
      };
    return { kind: 'text', text, mode: found.mode & 0o777 };
  } finally {
    await handle.close();
  }
}

function openFile(path: string) {
  return openReal(path).catch((error: unknown) => {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR'))
      throw new KnackError('not-found', `${path} does not exist`, { cause: error });
    throw error;
  });
}

function decoded(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8192).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
