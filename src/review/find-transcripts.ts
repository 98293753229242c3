import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';

const TRANSCRIPT = /\.(?:jsonl|json|traj|ndjson)$/i;

/**
 * The transcripts that are meant: files as they are given, of folders all that could be one, sorted. Each once, whatever
 * links lead to it; links in a circle and to nothing are passed over. A folder below that may not be read is named like
 * a file, so that reading it says why. Throws `not-found` and `io` for a path that was given.
 */
export async function findTranscripts(paths: readonly string[], cwd: string): Promise<string[]> {
  const seen = new Set<string>();
  const found: string[] = [];
  for (const path of paths.map((given) => resolve(cwd, given))) {
    try {
      if ((await stat(path)).isDirectory()) found.push(...(await transcriptsBelow(path, seen)));
      else if (await isNew(path, seen)) found.push(path);
    } catch (error) {
      if (hasSystemCode(error, 'ENOENT', 'ENOTDIR'))
        throw new KnackError('not-found', `${path} does not exist; give a transcript or a folder of them`, {
          cause: error,
        });
      throw new KnackError('io', `cannot read ${path}: ${messageOf(error)}`, { cause: error });
    }
  }
  return found;
}

async function transcriptsBelow(root: string, seen: Set<string>): Promise<string[]> {
  const found: string[] = [];
  const links: string[] = [];

  async function walk(dir: string): Promise<void> {
    if (!(await isNew(dir, seen))) return;
    for (const entry of await readdir(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      if (entry.isSymbolicLink()) links.push(path);
      else await take(path, entry.isDirectory());
    }
  }

  async function take(path: string, isFolder: boolean): Promise<void> {
    try {
      if (isFolder) await walk(path);
      else if (TRANSCRIPT.test(path) && (await isNew(path, seen))) found.push(path);
    } catch (error) {
      if (hasSystemCode(error, 'EACCES', 'EPERM', 'EIO')) found.push(path);
      // It went away meanwhile.
      else if (!hasSystemCode(error, 'ENOENT', 'ENOTDIR')) throw error;
    }
  }

  await walk(root);
  // After all that is really there, so that a file is found by its own name rather than by a link to it.
  for (const link of links) {
    try {
      await take(link, (await stat(link)).isDirectory());
    } catch (error) {
      if (!hasSystemCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM')) throw error;
    }
  }
  return found.sort((left, right) => (left < right ? -1 : 1));
}

async function isNew(path: string, seen: Set<string>): Promise<boolean> {
  const real = await realpath(path);
  if (seen.has(real)) return false;
  seen.add(real);
  return true;
}
