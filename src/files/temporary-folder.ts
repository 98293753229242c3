import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasSystemCode } from '../errors.ts';
import { isProcessAlive } from '../process-alive.ts';

/** In the name of a folder: machines may share a file system, and know nothing of each other's processes. */
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** Looked through by this process: what dies later is for the next one. */
const swept = new Set<string>();

/**
 * Makes a folder that its maker removes, and removes those of the same name whose makers were killed before they could.
 * `beside` is where it stands. @default the temporary folder of the system
 */
export async function makeTemporaryFolder(name: string, beside = tmpdir()): Promise<string> {
  const key = join(beside, name);
  if (!swept.has(key)) await removeAbandoned(name, beside);
  swept.add(key);
  return mkdtemp(join(beside, `${name}-${process.pid}-${HOST}-`));
}

/** Removes what processes of this machine left that are no more. Leaves what is not ours, and links, alone. */
export async function removeAbandoned(name: string, beside = tmpdir()): Promise<void> {
  for (const entry of await readdir(beside).catch(noneOrThrow)) {
    if (!entry.startsWith(`${name}-`)) continue;
    const [, pid, host] = /^-(\d{1,10})-([0-9a-f]{8})-\w{6}$/.exec(entry.slice(name.length)) ?? [];
    if (pid === undefined || host !== HOST || isProcessAlive(Number(pid))) continue;
    await removeOwn(join(beside, entry));
  }
}

async function removeOwn(dir: string): Promise<void> {
  try {
    const found = await lstat(dir);
    if (found.isDirectory() && found.uid === process.getuid?.()) await rm(dir, { recursive: true });
  } catch (error) {
    // Another process removes it too, or it holds what may not be removed: neither is a reason to do nothing now.
    if (!hasSystemCode(error, 'ENOENT', 'EACCES', 'EPERM', 'ENOTEMPTY', 'EBUSY')) throw error;
  }
}

/** A place that may be written to and not looked into tells of none. */
function noneOrThrow(error: unknown): string[] {
  if (hasSystemCode(error, 'EACCES', 'ENOENT')) return [];
  throw error;
}
