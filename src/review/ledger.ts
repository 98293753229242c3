import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { checkOwnFile, readOwnFile } from '../files/own-file.ts';
import { eventText, type Transcript } from '../transcript/event.ts';
import { createRedactor } from '../transcript/redact.ts';
import { type LedgerEntry, type ReviewEnd, type ReviewStart, readEntry } from './ledger-entry.ts';

/** A review that may go on. */
export type Unfinished = ReviewStart & { readonly isFailed?: true; readonly isStopped?: true };

/** What was reviewed and what it cost, one line an event, appended and never changed. */
export interface Ledger {
  /** On the disk when it resolves. Throws `io`. */
  append(entry: LedgerEntry): Promise<void>;
  /** In the order of the file; lines that are torn, not ours or of another shape are passed over. */
  entries(): Promise<LedgerEntry[]>;
  /** Whether exactly this prefix of the session was reviewed to an end other than `failed`. */
  isReviewed(session: string, prefix: string): Promise<boolean>;
  /** The last review that covers a beginning of this transcript, and ended otherwise than `failed`. */
  lastReview(transcript: Transcript): Promise<ReviewEnd | undefined>;
  /** Why the last review of exactly this prefix failed; undefined where it ended otherwise, was stopped, or there was none. */
  lastFailure(session: string, prefix: string): Promise<string | undefined>;
  /**
   * Reviews of exactly this prefix that began and may go on, the newest last: those without an end, and with `isFailed`
   * those that ended as `failed` and did not end otherwise since.
   * A stopped one may have committed before, as one that was cut off; its end has its tokens, as that of a failed one.
   */
  unfinished(session: string, prefix: string): Promise<Unfinished[]>;
}

/** The ledger in `file`, which is made with the first entry, mode 0600. */
export function createLedger(file: string): Ledger {
  const entries = () => readEntries(file);
  const ends = async (session: string) =>
    (await entries()).filter(
      (entry): entry is ReviewEnd =>
        entry.type === 'review-end' && entry.session === session && entry.outcome !== 'failed',
    );
  return {
    append: (entry) =>
      // The one entry whose words a person gives.
      appendLine(
        file,
        JSON.stringify(
          entry.type === 'override' ? { ...entry, why: createRedactor().text(entry.why) } : entry,
        ),
      ),
    entries,
    isReviewed: async (session, prefix) => (await ends(session)).some((entry) => entry.prefix === prefix),
    lastReview: async (transcript) =>
      (await ends(transcript.session.id)).findLast(
        (entry) => entry.prefix === prefixHash(transcript, entry.events),
      ),
    async lastFailure(session, prefix) {
      const last = (await entries()).findLast(
        (entry): entry is ReviewEnd =>
          entry.type === 'review-end' && entry.session === session && entry.prefix === prefix,
      );
      return last?.outcome === 'failed' && last.aborted !== true ? last.reasons.join('; ') : undefined;
    },
    async unfinished(session, prefix) {
      const all = await entries();
      const ends = new Map(all.flatMap((entry) => (entry.type === 'review-end' ? [[entry.id, entry]] : [])));
      return all.flatMap((entry) => {
        if (entry.type !== 'review-start' || entry.session !== session || entry.prefix !== prefix) return [];
        const end = ends.get(entry.id);
        if (end === undefined) return [entry];
        if (end.outcome !== 'failed') return [];
        return [{ ...entry, ...(end.aborted === true ? { isStopped: true } : { isFailed: true }) }];
      });
    },
  };
}

/** The hash (sha256, hex) of the first `events` events of a transcript: ids, kinds and texts. */
export function prefixHash(transcript: Transcript, events = transcript.events.length): string {
  const hash = createHash('sha256');
  for (const event of transcript.events.slice(0, events))
    hash.update(`${JSON.stringify([event.id, event.kind, eventText(event)])}\n`);
  return hash.digest('hex');
}

async function appendLine(file: string, line: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, 'a+', 0o600);
    try {
      const found = await handle.stat();
      checkOwnFile(file, found);
      const { size } = found;
      const last = Buffer.alloc(1);
      if (size > 0) await handle.read(last, 0, 1, size - 1);
      // A line that a crash cut off is closed, so that it does not take this one with it.
      const torn = size > 0 && last.toString() !== '\n';
      await handle.appendFile(`${torn ? '\n' : ''}${line}\n`);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new KnackError('io', `cannot write the ledger ${file}: ${messageOf(error)}`, { cause: error });
  }
}

async function readEntries(file: string): Promise<LedgerEntry[]> {
  let text: string;
  try {
    text = await readOwnFile(file);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw new KnackError('io', `cannot read the ledger ${file}: ${messageOf(error)}`, { cause: error });
  }
  return text.split('\n').flatMap((line) => readEntry(line) ?? []);
}
