import { type JsonSchema, schemaFaults } from '../text/json-schema.ts';
import { readJsonAnswer } from './json-answer.ts';

/** Where a rule comes from: `quote` must stand verbatim in the event's text. */
export interface Evidence {
  readonly session: string;
  readonly event: string;
  readonly quote: string;
}

export type Claim = 'procedure' | 'negative' | 'preference' | 'fact';

/**
 * One bounded change. `file` is relative to the skill's folder. `anchor` is an exact, unique piece of the file:
 * `replace` puts `text` in its place, `insert_after` puts `text` on the lines after the anchor's last line,
 * `delete` removes it. `write_file` makes a new file (never replaces one, but in a `create`). `set` sets one
 * front matter field, named by `anchor` (`description`, `metadata.tags`, …), to `text`.
 */
export interface DraftOperation {
  readonly op: 'replace' | 'insert_after' | 'delete' | 'write_file' | 'set';
  readonly skill: string;
  readonly file: string;
  readonly anchor?: string;
  readonly text?: string;
  readonly claim?: Claim;
  readonly evidence: readonly Evidence[];
}

/** A proposed change, `draft.json` (DESIGN 7). In a merge the first skill absorbs and `retires` names the other. */
export interface Draft {
  readonly decision: 'nothing' | 'create' | 'patch' | 'merge' | 'retire';
  readonly lesson: string;
  readonly skill?: string;
  readonly retires?: string;
  /** How much it changes (DESIGN 11): wording or detail, a new capability, a reversed or removed rule. */
  readonly change?: 'patch' | 'minor' | 'major';
  readonly operations: readonly DraftOperation[];
  readonly triggers: readonly { readonly query: string; readonly should_trigger: boolean }[];
}

const text = { type: 'string', minLength: 1 };
const object = (properties: Record<string, unknown>, required: string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});

/** The form of `draft.json`, for the model that writes it and for whoever reads it. */
export const draftSchema: JsonSchema = object(
  {
    decision: { enum: ['nothing', 'create', 'patch', 'merge', 'retire'] },
    lesson: { type: 'string', maxLength: 4000 },
    skill: text,
    retires: { type: 'string' },
    change: { enum: ['patch', 'minor', 'major'] },
    operations: {
      type: 'array',
      maxItems: 40,
      items: object(
        {
          op: { enum: ['replace', 'insert_after', 'delete', 'write_file', 'set'] },
          skill: text,
          file: text,
          anchor: text,
          text: { type: 'string', maxLength: 60_000 },
          claim: { enum: ['procedure', 'negative', 'preference', 'fact'] },
          evidence: {
            type: 'array',
            maxItems: 40,
            items: object({ session: text, event: text, quote: text }, ['session', 'event', 'quote']),
          },
        },
        ['op', 'skill', 'file', 'evidence'],
      ),
    },
    triggers: {
      type: 'array',
      maxItems: 40,
      items: object({ query: text, should_trigger: { type: 'boolean' } }, ['query', 'should_trigger']),
    },
  },
  ['decision', 'lesson', 'operations', 'triggers'],
);

/**
 * Reads a draft from a model's answer or from a file; a code fence around it is tolerated. Every fault is a
 * sentence that names the place, so that the writer can mend it.
 */
export function parseDraft(answer: string): { draft: Draft } | { faults: string[] } {
  const read = readJsonAnswer(answer);
  if ('fault' in read) return { faults: [read.fault] };
  const value = withDefaults(read.value);
  const faults = schemaFaults(draftSchema, value);
  if (faults.length > 0) return { faults };
  const draft = value as Draft;
  const meaning = [...decisionFaults(draft), ...draft.operations.flatMap(operationFaults)];
  return meaning.length > 0 ? { faults: meaning } : { draft };
}

/** Models that must fill every field of a form write empty text for "none"; lists that are left out are empty. */
function withDefaults(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { operations, ...rest } = value;
  return {
    triggers: [],
    ...withoutEmpty(rest, ['skill', 'retires', 'change']),
    operations: Array.isArray(operations) ? operations.map(operationWithDefaults) : (operations ?? []),
  };
}

function operationWithDefaults(operation: unknown): unknown {
  if (!isRecord(operation)) return operation;
  const optional = ['anchor', 'claim', ...(operation['op'] === 'delete' ? ['text'] : [])];
  return { evidence: [], ...withoutEmpty(operation, optional) };
}

function withoutEmpty(record: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([key, field]) => field !== '' || !keys.includes(key)),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decisionFaults(draft: Draft): string[] {
  const { decision, operations } = draft;
  const faults: string[] = [];
  if (decision === 'nothing') {
    if (operations.length > 0) faults.push('decision is "nothing" but there are operations');
    return faults;
  }
  if (draft.skill === undefined) faults.push(`decision is "${decision}" but skill does not say which`);
  if (decision === 'merge' && draft.retires === undefined)
    faults.push('decision is "merge" but retires does not name the skill that is absorbed');
  if (decision === 'merge' && draft.retires !== undefined && draft.retires === draft.skill)
    faults.push(`decision is "merge" but skill and retires are both "${draft.retires}"`);
  if (decision !== 'merge' && draft.retires !== undefined)
    faults.push(`retires is only for "merge", the decision is "${decision}"`);
  if (decision !== 'retire' && operations.length === 0)
    faults.push(`decision is "${decision}" but there are no operations`);
  if (decision === 'create' && !operations.some(({ op, file }) => op === 'write_file' && file === 'SKILL.md'))
    faults.push('decision is "create" but no write_file operation makes SKILL.md');
  return faults;
}

function operationFaults({ op, anchor, text }: DraftOperation, index: number): string[] {
  const where = `operations.${index}`;
  const needsAnchor = op !== 'write_file';
  const needsText = op !== 'delete';
  return [
    ...(needsAnchor && anchor === undefined
      ? [`${where} is "${op}" and needs an anchor: ${op === 'set' ? 'the field' : 'exact text of the file'}`]
      : []),
    ...(needsText && text === undefined ? [`${where} is "${op}" and needs a text`] : []),
    ...(!needsAnchor && anchor !== undefined ? [`${where} is "write_file" and takes no anchor`] : []),
    ...(!needsText && text !== undefined ? [`${where} is "delete" and takes no text`] : []),
  ];
}
