import { type JsonSchema, schemaFaults } from '../text/json-schema.ts';
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

/** An entry as a line of the ledger has it; undefined for a torn line, and for what is not ours. */
export function readEntry(line: string): LedgerEntry | undefined {
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
