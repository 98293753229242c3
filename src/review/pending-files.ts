import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';
import type { Draft, Evidence } from '../gate/draft.ts';
import type { Trust } from '../history/trust.ts';

/** `stale`: the skill is no longer what the change was drafted against. The last two are final. */
export type PendingState = 'waiting' | 'stale' | 'approved' | 'rejected';

/** A change that waits, or waited, for a person. */
export interface PendingEntry {
  /** What `knack skills approve` and `reject` take. */
  readonly id: string;
  readonly skill: string;
  readonly decision: Draft['decision'];
  readonly state: PendingState;
  /** The change in a few words. */
  readonly summary: string;
  /** What the gate said when it was staged. */
  readonly verdict: 'pass' | 'reject' | 'ask';
  /** ISO 8601. */
  readonly created: string;
  /** Why it waits. */
  readonly why: readonly string[];
  readonly lesson: string;
  readonly review: string;
  readonly sessions: readonly string[];
  /** Set once it was approved. */
  readonly version?: string;
  readonly sha?: string;
  /** What the person said when rejecting it. */
  readonly answer?: string;
}

/** One change with what a person decides by. */
export interface PendingView {
  readonly entry: PendingEntry;
  /** Against what is there now; of a stale one that no longer fits, why. Empty once it was answered. */
  readonly diff: string;
  /** The turns that taught it, each once. */
  readonly evidence: readonly Evidence[];
}

/** An entry as it is kept, with the draft and the hash of what it was drafted against. */
export interface StoredEntry extends PendingEntry {
  readonly draft: Draft;
  readonly gate: string;
  /** Absolute folder of the skill. */
  readonly dir: string;
  readonly base: string;
  /** Of each operation of the draft, as its session showed; absent in entries of earlier versions. */
  readonly trusts?: readonly (Trust | 'unknown')[];
}

/** The entries of a folder, each in a file of its own, mode 0600. */
export interface PendingFiles {
  /** Absolute. Throws `not-found` with the ids that there are; a unique beginning of an id is enough. */
  find(id: string): Promise<{ readonly file: string; readonly entry: StoredEntry }>;
  /** Oldest first. A file that cannot be read is left out. */
  all(): Promise<StoredEntry[]>;
  /** Replaces the entry of that id as a whole. Throws `io`. */
  write(entry: StoredEntry): Promise<void>;
}

export function createPendingFiles(dir: string): PendingFiles {
  const all = async () => {
    const entries = await Promise.all((await namesIn(dir)).map((name) => readEntry(join(dir, name))));
    return entries
      .flatMap((entry) => entry ?? [])
      .sort((left, right) => (left.created + left.id < right.created + right.id ? -1 : 1));
  };
  return {
    all,
    async find(id) {
      const entries = await all();
      const exact = entries.filter((entry) => entry.id === id);
      const fitting =
        exact.length > 0 ? exact : entries.filter((entry) => id !== '' && entry.id.startsWith(id));
      const [entry] = fitting;
      if (entry !== undefined && fitting.length === 1) return { file: join(dir, `${entry.id}.json`), entry };
      const known = (fitting.length > 0 ? fitting : entries).map((other) => other.id);
      throw new KnackError(
        'not-found',
        fitting.length > 1
          ? `${id} is the beginning of several ids: ${known.join(', ')}`
          : `no pending change has the id ${id}; ${known.length > 0 ? `there are ${known.join(', ')}` : 'there are none'}`,
      );
    },
    async write(entry) {
      const file = join(dir, `${entry.id}.json`);
      const fresh = `${file}.${process.pid}.new`;
      try {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        await writeFile(fresh, `${JSON.stringify(entry, undefined, 2)}\n`, { mode: 0o600, flush: true });
        await rename(fresh, file);
      } catch (error) {
        await rm(fresh, { force: true }).catch(() => undefined);
        throw new KnackError('io', `cannot write ${file}: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

/** The turns that a draft rests on, each once. */
export function evidenceOf({ operations }: Draft): Evidence[] {
  const all = operations.flatMap(({ evidence }) => evidence);
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw new KnackError('io', `cannot read ${dir}: ${messageOf(error)}`, { cause: error });
  }
}

async function readEntry(file: string): Promise<StoredEntry | undefined> {
  try {
    const entry = JSON.parse(await readOwnFile(file)) as Partial<StoredEntry>;
    // What a person may have written into the file names no other file.
    const id = basename(file, '.json');
    return entry.draft !== undefined && entry.created !== undefined && entry.skill !== undefined
      ? ({ sessions: [], why: [], ...entry, id } as unknown as StoredEntry)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || hasSystemCode(error, 'ENOENT')) return undefined;
    throw new KnackError('io', `cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
}
