import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';
import { withLock } from '../history/lock.ts';

/** Something that one process does alone for as long as it takes: a queued job, the review or the chat of a session. */
export type Claim =
  | { readonly kind: 'ours'; release(): Promise<void> }
  /** Another has it, which may be this process at another place. */
  | { readonly kind: 'held'; readonly process: number }
  /** It is no longer wanted. */
  | { readonly kind: 'gone' };

/** Claims that this process holds: a restarted process may have the number of the one that died. */
const held = new Set<string>();
/** A holder shows at this interval that it lives. */
const BEAT_MS = 5000;
/** After this silence the number belongs to a process that is not the holder, as after a restart of the machine. */
const SILENT_MS = 60_000;

/**
 * Claims for this process by the file `claim`, whose folder is made. Never waits for the holder; the claim of a process
 * that died is taken over at once. `isWanted` is asked while nobody else can claim. Throws `io`.
 */
export async function takeClaim(
  claim: string,
  isWanted: () => Promise<boolean> = async () => true,
): Promise<Claim> {
  const token = `${process.pid} ${randomUUID()}`;
  await mkdir(dirname(claim), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new KnackError('io', `cannot make ${dirname(claim)}: ${messageOf(error)}`, { cause: error });
  });
  const other = await withLock(claim, async (): Promise<Claim | undefined> => {
    if (!(await isWanted())) return { kind: 'gone' };
    const holder = await holderOf(claim);
    if (holder !== undefined) return { kind: 'held', process: holder };
    try {
      await writeFile(claim, token, { mode: 0o600 });
    } catch (error) {
      await rm(claim, { force: true }).catch(() => undefined);
      throw new KnackError('io', `cannot write ${claim}: ${messageOf(error)}`, { cause: error });
    }
    held.add(token);
    return undefined;
  });
  if (other !== undefined) return other;
  const beat = setInterval(() => {
    const now = new Date();
    // One that fails is made up for by the next; only many make the holder a silent one.
    utimes(claim, now, now).catch(() => undefined);
  }, BEAT_MS).unref();
  return {
    kind: 'ours',
    async release() {
      clearInterval(beat);
      // Taken over from a process that was stopped for long, it is somebody else's by now.
      if ((await textOf(claim)) === token) await rm(claim, { force: true });
      held.delete(token);
    },
  };
}

/** The process that holds the claim and lives; undefined where none does. */
export async function holderOf(claim: string): Promise<number | undefined> {
  const token = await textOf(claim);
  const pid = Number(token?.split(' ')[0]);
  if (token === undefined || !Number.isInteger(pid) || pid <= 0) return undefined;
  if (pid === process.pid) return held.has(token) ? pid : undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasSystemCode(error, 'ESRCH')) return undefined;
    // It lives and belongs to another user.
    if (!hasSystemCode(error, 'EPERM')) throw error;
  }
  return Date.now() - (await stat(claim)).mtimeMs > SILENT_MS ? undefined : pid;
}

/** The text of a file, undefined if there is none. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readOwnFile(file);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
