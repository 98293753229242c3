import type { Stats } from 'node:fs';
import { chmod, chown, link, lstat, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasSystemCode } from '../errors.ts';
import type { Folder, FolderFile } from '../files/folder.ts';
import type { Git } from './git.ts';

/**
 * Prepares the folder that is to take the place of `dir`, where nothing is yet. A file that does not change is the same
 * file, under a second name: what it has of permissions, times and owner stays, and an edit of it reaches both. One that
 * changes keeps its permissions but for the x bits that the change sets; a new one gets what the umask leaves and what
 * the repository shares (`shared`, see `sharedBits`). All that is written is flushed to the disk.
 */
export async function prepareNext(
  next: string,
  { dir, base, target, shared }: { dir: string; base: Folder | undefined; target: Folder; shared: number },
): Promise<void> {
  await mkdir(next);
  await likeFolder(next, await statIfThere(dir), shared);
  const made = new Set<string>(['']);
  for (const [path, file] of target) {
    const parts = path.split('/').slice(0, -1);
    for (const [index] of parts.entries()) {
      const folder = parts.slice(0, index + 1).join('/');
      if (made.has(folder)) continue;
      made.add(folder);
      await mkdir(join(next, folder));
      await likeFolder(join(next, folder), await statIfThere(join(dir, folder)), shared);
    }
    const old = await statIfThere(join(dir, path));
    const was = old?.isFile() ? base?.get(path) : undefined;
    const isSame =
      was !== undefined &&
      was.executable === file.executable &&
      (((old?.mode ?? 0) & 0o100) !== 0) === file.executable &&
      Buffer.compare(was.bytes, file.bytes) === 0;
    if (!isSame || !(await linkTo(join(dir, path), join(next, path))))
      await writeNew(join(next, path), file, { old: old?.isFile() ? old : undefined, shared });
  }
}

/** The permissions beyond the owner's that `core.sharedRepository` gives, as a mode in which the owner has all. */
export async function sharedBits(git: Git): Promise<number> {
  const value = (await git.run('config', '--default=', 'core.sharedRepository')).trim().toLowerCase();
  if (/^0[0-7]{3}$/.test(value)) return Number.parseInt(value, 8) & 0o066;
  if (['group', 'true', '1'].includes(value)) return 0o060;
  return ['all', 'world', 'everybody', '2'].includes(value) ? 0o064 : 0;
}

/** Whether the file system knows such second names, and lets us give them. */
async function linkTo(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasSystemCode(error, 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'))
      return false;
    throw error;
  }
}

async function writeNew(
  path: string,
  { bytes, executable }: FolderFile,
  { old, shared }: { readonly old: Stats | undefined; readonly shared: number },
): Promise<void> {
  const handle = await open(path, 'wx', executable ? 0o777 : 0o666);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const mode = old === undefined ? (await lstat(path)).mode | shared : old.mode & ~0o111;
  // Whoever may read it may run it.
  await chmod(path, (mode | (executable ? (mode & 0o444) >> 2 : 0)) & 0o777);
  if (old !== undefined) await giveGroup(path, old.gid);
  else await inheritGroup(path);
}

async function likeFolder(made: string, old: Stats | undefined, shared: number): Promise<void> {
  const now = await lstat(made);
  if (old?.isDirectory()) {
    await giveGroup(made, old.gid);
    if (old.mode !== now.mode) await chmod(made, old.mode & 0o7777);
  } else if (shared > 0) await chmod(made, (now.mode | shared | ((shared >> 2) & 0o011)) & 0o7777);
}

/** What is new in a folder that hands on its group, as one that a team shares, has that group. */
async function inheritGroup(path: string): Promise<void> {
  const above = await lstat(dirname(path));
  if ((above.mode & 0o2000) !== 0) await giveGroup(path, above.gid);
}

async function giveGroup(path: string, group: number): Promise<void> {
  const { uid, gid } = await lstat(path);
  if (gid === group) return;
  try {
    await chown(path, uid, group);
  } catch (error) {
    // A group that we do not belong to.
    if (!hasSystemCode(error, 'EPERM')) throw error;
  }
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
