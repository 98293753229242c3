import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { withLock } from '../history/lock.ts';

/** Claims that this process holds: a restarted process may have the number of the one that died. */
const held = new Set<string>();

/**
 * Claims a job file for this process for as long as its review takes. Undefined if it is gone, or if a process that
 * lives holds it; the claim of one that died is taken over. The answer gives the claim back.
 */
export async function claimJob(file: string): Promise<(() => Promise<void>) | undefined> {
  const claim = file.replace(/\.json$/, '.claim');
  const token = `${process.pid} ${randomUUID()}`;
  const isOurs = await withLock(file, async () => {
    if ((await textOf(file)) === undefined || isAlive(await textOf(claim))) return false;
    try {
      await writeFile(claim, token, { mode: 0o600 });
    } catch (error) {
      await rm(claim, { force: true }).catch(() => undefined);
      throw new KnackError('io', `cannot write ${claim}: ${messageOf(error)}`, { cause: error });
    }
    held.add(token);
    return true;
  });
  if (!isOurs) return undefined;
  return async () => {
    await rm(claim, { force: true });
    held.delete(token);
  };
}

function isAlive(token: string | undefined): boolean {
  const pid = Number(token?.split(' ')[0]);
  if (token === undefined || !Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return held.has(token);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (hasSystemCode(error, 'ESRCH')) return false;
    // It lives and belongs to another user.
    if (hasSystemCode(error, 'EPERM')) return true;
    throw error;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
