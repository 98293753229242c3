import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFileSync } from '../files/own-file.ts';
import type { TranscriptEvent } from './event.ts';
import { asFields } from './fields.ts';

/** A larger number was never counted up to, and from there on counting would soon stand still. */
const LARGEST_ID = 2 ** 50;

/** The first line of knack's own log. */
export interface SessionLogHeader {
  readonly id: string;
  /** ISO 8601. */
  readonly started: string;
  readonly cwd: string;
  readonly model: string;
  /** A review's own session is logged too, and never reviewed. */
  readonly purpose: 'chat' | 'review';
  /** Absolute path of the workspace whose skills the session saw. */
  readonly workspace?: string;
}

type Loggable<E> = E extends TranscriptEvent ? Omit<E, 'ref'> & { readonly ref?: string } : never;

/** An event as it is logged: where it stands in the file is known only when it is read again. */
export type LoggableEvent = Loggable<TranscriptEvent>;

/** The user's own record of a conversation: append-only, never redacted, readable by its owner alone. */
export interface SessionLog {
  readonly file: string;
  readonly id: string;
  /** A fresh event id (`e1`, `e2`, …); unique in the file, also after it was resumed. */
  nextId(): string;
  /**
   * Appends one line; resolves when it is handed to the system, in the order of the calls. `native` is kept beside
   * the event as it is. Rejects with `io`; what was appended before stays whole and later appends are tried anew.
   */
  append(event: LoggableEvent, native?: unknown): Promise<void>;
  /** Waits for all appends and flushes to the disk; a log without an event leaves no file. */
  close(): Promise<void>;
}

/**
 * Opens the log of a session (JSON Lines, mode 0600). The file is made with the first event; one that exists
 * is continued: its header stays, its ids are not used again, and a last line cut by a crash is closed off.
 */
export function createSessionLog(options: { file: string; header: SessionLogHeader }): SessionLog {
  const { file, header } = options;
  const earlier = readEarlier(file);
  let lastId = earlier.lastId;
  let torn = earlier.torn;
  let empty = earlier.empty;
  let handle: FileHandle | undefined;
  let queue: Promise<void> = Promise.resolve();

  async function write(line: string): Promise<void> {
    try {
      if (!handle) {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        handle = await open(file, 'a', 0o600);
      }
      const first = empty
        ? `${JSON.stringify({ type: 'session', format: 'knack', version: 1, ...header })}\n`
        : '';
      const text = `${torn ? '\n' : ''}${first}${line}\n`;
      torn = true;
      await handle.appendFile(text);
      torn = false;
      empty = false;
    } catch (error) {
      throw new KnackError('io', `cannot write the session log ${file}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  return {
    file,
    id: header.id,
    nextId: () => `e${++lastId}`,
    append(event, native) {
      const { ref: _, ...rest } = event;
      const line = JSON.stringify({ type: 'event', ...rest, ...(native === undefined ? {} : { native }) });
      const done = queue.then(() => write(line));
      // The next append must not fail with this one's error: its caller has it.
      queue = done.catch(() => undefined);
      return done;
    },
    async close() {
      await queue;
      const closing = handle;
      handle = undefined;
      if (!closing) return;
      try {
        await closing.datasync();
        // Made on a full disk, it could not take its first line.
        if ((await closing.stat()).size === 0) await rm(file, { force: true });
      } finally {
        await closing.close();
      }
    },
  };
}

function readEarlier(file: string): { lastId: number; torn: boolean; empty: boolean } {
  let text: string;
  try {
    text = readOwnFileSync(file);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return { lastId: 0, torn: false, empty: true };
    throw new KnackError('io', `cannot read the session log ${file}: ${messageOf(error)}`, { cause: error });
  }
  return {
    lastId: text.split('\n').reduce((highest, line) => Math.max(highest, idOf(line)), 0),
    torn: text !== '' && !text.endsWith('\n'),
    empty: text === '',
  };
}

/** The number of an event's own id, 0 where there is none that can be counted on from. Arguments of calls have ids too. */
function idOf(line: string): number {
  if (!/"e\d+"/.test(line)) return 0;
  let id: unknown;
  try {
    id = asFields(JSON.parse(line))?.['id'];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Cut by a crash: what it begins with was written as its own.
    id = /^\{"type":"event","id":"(e\d+)"/.exec(line)?.[1];
  }
  const number = typeof id === 'string' && /^e\d+$/.test(id) ? Number(id.slice(1)) : 0;
  return number <= LARGEST_ID ? number : 0;
}
