import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { hasSystemCode, KnackError } from '../errors.ts';
import { withSlashes } from '../files/folder.ts';

/**
 * The real path of `path` (relative to `cwd`, or absolute) if it lies in `cwd`, also where it does not exist yet.
 * Throws `refused` for a path that leaves the folder by itself or through a link; nothing is opened or read before.
 */
export async function containedPath(cwd: string, path: string): Promise<string> {
  if (path.includes('\0')) throw new KnackError('refused', 'the path holds a NUL character');
  const wanted = resolve(cwd, path);
  const root = await realpath(cwd);
  if (!isInside(cwd, wanted) && !isInside(root, wanted)) throw outside(path, cwd);
  const real = await realExisting(wanted);
  if (!isInside(root, real)) throw outside(path, cwd);
  return real;
}

/** `path` as it is shown and approved: relative to `cwd` where it lies inside, without `.` and `..`, with `/`. */
export function shownPath(cwd: string, path: string): string {
  const wanted = resolve(cwd, path);
  return withSlashes(isInside(cwd, wanted) ? relative(cwd, wanted) || '.' : wanted);
}

function isInside(dir: string, path: string): boolean {
  return path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep);
}

function outside(path: string, cwd: string): KnackError {
  return new KnackError(
    'refused',
    `${path} lies outside of ${cwd}; only what is in that folder can be reached`,
  );
}

/** Resolves links of the part that exists; the rest is appended as it stands. */
async function realExisting(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!hasSystemCode(error, 'ENOENT')) throw error;
    const parent = dirname(path);
    if (parent === path) throw error;
    // A link that leads nowhere yet would be followed when its target is made.
    if (await isLink(path))
      throw new KnackError('refused', `${path} is a link that leads nowhere; remove it first`);
    return join(await realExisting(parent), basename(path));
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return false;
    throw error;
  }
}
