import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { type JsonSchema, schemaFaults } from '../json-schema.ts';
import { checkOwnFile, readOwnFile } from '../own-file.ts';
import { eventText, type Transcript } from '../transcript/event.ts';
import { createRedactor } from '../transcript/redact.ts';
import type { LessonOutcome, OutcomeKind } from './outcome.ts';
import type { ReviewTokens } from './token-budget.ts';

/** A review that began. Without an end of the same id it was cut off, or is under way. */
export interface ReviewStart {
  readonly type: 'review-start';
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly session: string;
  /** How many events of the session were there, and the hash of these. */
  readonly events: number;
  readonly prefix: string;
}

/** What a review came to. Texts are redacted. */
export interface ReviewEnd {
  readonly type: 'review-end';
  readonly id: string;
  readonly at: string;
  readonly session: string;
  readonly events: number;
  readonly prefix: string;
  readonly outcome: OutcomeKind;
  readonly skill?: string;
  readonly version?: string;
  readonly sha?: string;
  readonly pending?: string;
  readonly lesson?: string;
  readonly tokens: ReviewTokens;
  readonly reasons: readonly string[];
  /** It was stopped, which says nothing of the session: the outcome is `failed`, and it is reviewed again. */
  readonly aborted?: true;
  /** Where the session taught several: each, with the tokens that are part of the sum. */
  readonly lessons?: readonly LessonOutcome[];
}

/** One of several lessons came to an end, within a review that goes on: a review that is cut off resumes after it. */
export interface LessonEnd extends LessonOutcome {
  readonly type: 'lesson-end';
  readonly at: string;
  readonly session: string;
  readonly review: string;
}

/** A finding of the gate that a person let pass. Why is redacted. */
export interface OverrideEntry {
  readonly type: 'override';
  readonly at: string;
  readonly skill: string;
  readonly rule: string;
  readonly why: string;
}

/** A judge was asked about a skill of others. */
export interface ImportJudgedEntry {
  readonly type: 'import-judged';
  readonly at: string;
  readonly skill: string;
  readonly source: string;
  readonly verdict: 'pass' | 'reject' | 'ask';
  readonly tokens: number;
}

/** A person looked at what was refused and lets learning go on. */
export interface BreakerReset {
  readonly type: 'breaker-reset';
  readonly at: string;
}

export type LedgerEntry =
  | ReviewStart
  | ReviewEnd
  | LessonEnd
  | OverrideEntry
  | ImportJudgedEntry
  | BreakerReset;

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

const text = { type: 'string' };
const count = { type: 'number', minimum: 0 };
const texts = { type: 'array', items: text };
const tokens = {
  type: 'object',
  required: ['total'],
  properties: { reviewer: count, judge: count, replay: count, total: count },
};
const end = {
  id: text,
  outcome: { enum: ['nothing', 'committed', 'staged', 'rejected', 'failed'] },
  skill: text,
  version: text,
  sha: text,
  pending: text,
  lesson: text,
  reasons: texts,
  tokens,
};
const fields = (required: readonly string[], properties: Record<string, unknown>): JsonSchema => ({
  required: [...required, 'at'],
  properties: { at: text, ...properties },
});
const mark = { id: text, session: text, events: { type: 'integer', minimum: 0 }, prefix: text };

/** What an entry has to have for those who read it; one that has it otherwise is not ours. */
const SCHEMAS: Record<LedgerEntry['type'], JsonSchema> = {
  'review-start': fields(['id', 'session', 'prefix'], mark),
  'review-end': fields(['id', 'session', 'prefix', 'outcome', 'reasons', 'tokens'], {
    ...end,
    ...mark,
    aborted: { const: true },
    lessons: {
      type: 'array',
      items: { type: 'object', required: ['id', 'outcome', 'reasons', 'tokens'], properties: end },
    },
  }),
  'lesson-end': fields(['id', 'session', 'review', 'outcome', 'reasons', 'tokens'], {
    ...end,
    session: text,
    review: text,
  }),
  override: fields(['skill', 'rule', 'why'], { skill: text, rule: text, why: text }),
  'import-judged': fields(['skill', 'source', 'verdict', 'tokens'], {
    skill: text,
    source: text,
    verdict: { enum: ['pass', 'reject', 'ask'] },
    tokens: count,
  }),
  'breaker-reset': fields([], {}),
};

function readEntry(line: string): LedgerEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  const schema = Object.entries(SCHEMAS).find(([type]) => type === value.type)?.[1];
  return schema !== undefined && schemaFaults(schema, value).length === 0
    ? (value as unknown as LedgerEntry)
    : undefined;
}
