import { existsSync } from 'node:fs';
import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { KnackError, messageOf } from '../errors.ts';

/**
 * Adds roots at the end of those in a `knack.json`, which is made where there is none; every other setting stays as it
 * is. The file has been read as settings before. Throws `io`.
 */
export async function addRoots(file: string, roots: readonly string[]): Promise<void> {
  try {
    const isThere = existsSync(file);
    const given = isThere
      ? (JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')) as { roots?: string[] })
      : {};
    // A file that is kept elsewhere, as among dotfiles, is changed there.
    const target = isThere ? await realpath(file) : file;
    const fresh = `${target}.${process.pid}`;
    try {
      const settings = { ...given, roots: [...(given.roots ?? []), ...roots] };
      await writeFile(fresh, `${JSON.stringify(settings, undefined, 2)}\n`, { flag: 'wx' });
      await rename(fresh, target);
    } finally {
      await rm(fresh, { force: true });
    }
  } catch (error) {
    throw new KnackError('io', `cannot add roots to ${file}: ${messageOf(error)}`, { cause: error });
  }
}
