import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { hasSystemCode } from '../errors.ts';

/**
 * Which of these folders the path is, or lies in, by way of links as well and also where it is yet to be made. What is
 * put there would be a second skill of that name, or a part of one.
 */
export async function ownFolderOf(path: string, own: readonly string[]): Promise<string | undefined> {
  const target = await nearestReal(path);
  for (const folder of own) {
    const real = await nearestReal(folder);
    if (target === real || target.startsWith(real + sep)) return folder;
  }
  return undefined;
}

/** The path without links, as far as it is there. */
async function nearestReal(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!hasSystemCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP') || dirname(path) === path) throw error;
    return join(await nearestReal(dirname(path)), basename(path));
  }
}
