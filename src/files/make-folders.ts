import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasSystemCode } from '../errors.ts';

/**
 * Makes a folder and those above it that are missing; answers with the topmost that it made. Node's own way never ends
 * where a file system says that a folder does not exist although the one above it does, as `/proc` says. Throws what the
 * system says.
 */
export async function makeFolders(dir: string, mode = 0o777): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = dir; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  let first: string | undefined;
  for (const folder of missing.reverse()) {
    try {
      await mkdir(folder, { mode });
      first ??= folder;
    } catch (error) {
      // Another process was faster.
      if (
        !hasSystemCode(error, 'EEXIST') ||
        statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true
      )
        throw error;
    }
  }
  if (!statSync(dir).isDirectory()) throw new Error(`${dir} is a file`);
  return first;
}
