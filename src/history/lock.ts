import { randomUUID } from 'node:crypto';
import { open, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';
import { isProcessAlive } from '../process-alive.ts';

/** An owner shows at this interval that it lives. */
const BEAT_MS = 500;
/** A lock that does not say who owns it was left in the moment in which it was made, or on a full disk. */
const NAMELESS_MS = 2000;
/** One whose owner cannot be asked, on another host or under a number that was given anew, is dead after this time. */
const SILENT_MS = 60_000;
const WAIT_MS = 50;
const MOST_MS = 90_000;

/** What this process holds: a process that starts anew may get the number of the one that died. */
const held = new Set<string>();

/**
 * Runs `action` while this process alone holds the lock of `file`, a file beside it. Waits for up to a minute and a half,
 * then throws `lock-held`; throws `io` where the lock cannot be made. The lock of a process that died is taken over at
 * once, by one process alone.
 */
export async function withLock<T>(file: string, action: () => Promise<T>): Promise<T> {
  const release = await acquire(`${file}.lock`);
  try {
    return await action();
  } finally {
    await release();
  }
}

async function acquire(lock: string): Promise<() => Promise<void>> {
  const token = `${process.pid} ${hostname()} ${randomUUID()}`;
  held.add(token);
  try {
    for (const start = performance.now(); !(await make(lock, token)); ) {
      const owner = await ownerOf(lock);
      if (owner === undefined || (owner.isDead && (await removeDead(lock, owner.token)))) continue;
      if (performance.now() - start > MOST_MS)
        throw new KnackError(
          'lock-held',
          `another knack (process ${owner.token.split(' ').slice(0, 2).join(' on ') || 'unknown'}) holds ${lock}; wait for it to end, or remove the file if none runs`,
        );
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS * (0.5 + Math.random())));
    }
  } catch (error) {
    held.delete(token);
    if (error instanceof KnackError) throw error;
    throw new KnackError('io', `cannot lock ${lock}: ${messageOf(error)}`, { cause: error });
  }
  const beat = setInterval(() => {
    const now = new Date();
    // One that fails is made up for by the next; the lock counts as silent only after many.
    utimes(lock, now, now).catch(() => undefined);
  }, BEAT_MS).unref();
  return async () => {
    clearInterval(beat);
    try {
      // Taken over from a process that was stopped for long, it is somebody else's by now.
      if (['', token].includes((await ownerOf(lock))?.token ?? 'none')) await rm(lock, { force: true });
    } catch (error) {
      throw new KnackError('io', `cannot give back the lock ${lock}: ${messageOf(error)}`, { cause: error });
    } finally {
      held.delete(token);
    }
  };
}

/** Whether the lock is ours now: made in one step, then signed. On a full disk it stays without a name. */
async function make(lock: string, token: string): Promise<boolean> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(lock, 'wx', 0o600);
  } catch (error) {
    if (hasSystemCode(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    await handle.writeFile(token);
  } catch (error) {
    if (!hasSystemCode(error, 'ENOSPC', 'EDQUOT')) throw error;
  } finally {
    await handle.close();
  }
  return true;
}

/** Undefined if the lock was given back meanwhile. */
async function ownerOf(lock: string): Promise<{ token: string; isDead: boolean } | undefined> {
  try {
    const token = await readOwnFile(lock);
    const silent = Date.now() - (await stat(lock)).mtimeMs;
    const [pid = '', host = ''] = token.split(' ');
    if (token === '') return { token, isDead: silent > NAMELESS_MS };
    const isGone = host === hostname() && !isAlive(Number(pid), token);
    return { token, isDead: isGone || silent > SILENT_MS };
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isAlive(pid: number, token: string): boolean {
  return pid === process.pid ? held.has(token) : isProcessAlive(pid);
}

/**
 * Of those that see the same dead lock one removes it, behind a guard and after looking again. Without that the second
 * would remove the lock that the first has made in its place. Answers whether it is gone.
 */
async function removeDead(lock: string, token: string): Promise<boolean> {
  const guard = `${lock}.removing`;
  const guarding = `${process.pid} ${hostname()} ${randomUUID()}`;
  held.add(guarding);
  try {
    if (!(await make(guard, guarding))) {
      // Its owner died right here.
      if ((await ownerOf(guard))?.isDead) await rm(guard, { force: true });
      return false;
    }
    const owner = await ownerOf(lock);
    if (owner?.token === token && owner.isDead) await rm(lock, { force: true });
    await rm(guard, { force: true });
    return true;
  } finally {
    held.delete(guarding);
  }
}
