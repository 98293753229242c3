import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import { isSkipped, readFolder } from '../files/folder.ts';
import { digestOf } from '../history/tree.ts';

/**
 * What tells a folder from the one that `writeFolder` made of a folder with this digest, in words that name it: an entry
 * that is never written so, or files that differ. Undefined where all is as it was written. Follows no link.
 * Throws `io` for what cannot be read.
 */
export async function changeSinceWritten(dir: string, tree: string): Promise<string | undefined> {
  const foreign = await foreignEntry(dir).catch((error: unknown) => {
    throw new KnackError('io', `cannot look through ${dir}: ${messageOf(error)}`, { cause: error });
  });
  if (foreign !== undefined) return `${foreign} was not put there by knack`;
  return digestOf(await readFolder(dir)) === tree ? undefined : `files in ${dir} were edited`;
}

/**
 * The first entry below a folder that `writeFolder` never makes: a link, a device, an empty folder, or what no skill is
 * read with (`.git`, `node_modules`), which a digest of the files would pass over.
 */
async function foreignEntry(dir: string, below = dir): Promise<string | undefined> {
  if (!(await lstat(below)).isDirectory()) return below;
  const entries = await readdir(below, { withFileTypes: true });
  if (entries.length === 0) return below;
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = join(below, entry.name);
    if (isSkipped(relative(dir, path)) || !(entry.isFile() || entry.isDirectory())) return path;
    const foreign = entry.isDirectory() ? await foreignEntry(dir, path) : undefined;
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}
