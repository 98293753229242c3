import { readJsonAnswer } from '../gate/json-answer.ts';
import { type JsonSchema, schemaFaults } from '../json-schema.ts';

/** A place in the session that a lesson rests on. */
export interface PickedEvidence {
  readonly event: string;
  readonly quote: string;
}

/** What a session teaches, if anything: decided before a word of a skill is written. */
export interface Abstract {
  readonly task_class: string;
  readonly difference: string;
  /** What belongs to this case alone and must not enter a skill. */
  readonly particular: string;
  readonly decision: 'nothing' | 'create' | 'patch';
  readonly reason: string;
  /** Empty for `nothing`. */
  readonly skill: string;
  /** The change in a few words: the subject line of its commit. */
  readonly title: string;
  readonly lesson: string;
  /** When a skill with this lesson is wanted and when not: for the description, never a rule of its own. */
  readonly wanted_when: string;
  readonly evidence: readonly PickedEvidence[];
}

const short = { type: 'string', maxLength: 2000 };

/** The form of the answer to `prompts/abstract.md`. */
export const abstractSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    task_class: short,
    difference: short,
    particular: short,
    decision: { enum: ['nothing', 'create', 'patch'] },
    reason: short,
    skill: { type: 'string', maxLength: 64 },
    title: { type: 'string', maxLength: 200 },
    lesson: { type: 'string', maxLength: 4000 },
    wanted_when: short,
    evidence: {
      type: 'array',
      maxItems: 40,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: { event: { type: 'string', minLength: 1 }, quote: { type: 'string', minLength: 1 } },
        required: ['event', 'quote'],
      },
    },
  },
  required: [
    'task_class',
    'difference',
    'particular',
    'decision',
    'reason',
    'skill',
    'title',
    'lesson',
    'wanted_when',
    'evidence',
  ],
};

/** What an abstract is held against. */
export interface AbstractFacts {
  /** Ids of the session's events. */
  readonly events: ReadonlySet<string>;
  /** The skill of that name or alias, and whether review may change it. */
  readonly find: (name: string) => { readonly name: string; readonly isTarget: boolean } | undefined;
}

/** Reads the answer; each fault says what to mend. An alias of a skill is answered with its name. */
export function readAbstract(
  answer: string,
  facts: AbstractFacts,
): { value: Abstract } | { faults: readonly string[] } {
  const read = readJsonAnswer(answer);
  if ('fault' in read) return { faults: [read.fault] };
  const value = withEmptyFields(read.value);
  const faults = schemaFaults(abstractSchema, value);
  if (faults.length > 0) return { faults };
  const abstract = value as Abstract;
  if (abstract.decision === 'nothing') return { value: abstract };
  const meaning = [...targetFaults(abstract, facts), ...groundFaults(abstract, facts)];
  if (meaning.length > 0) return { faults: meaning };
  return { value: { ...abstract, skill: facts.find(abstract.skill)?.name ?? abstract.skill } };
}

/** What a model leaves out because there is nothing to say. */
function withEmptyFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return { particular: '', reason: '', skill: '', title: '', lesson: '', wanted_when: '', evidence: [], ...value };
}

function targetFaults({ decision, skill }: Abstract, facts: AbstractFacts): string[] {
  const found = facts.find(skill);
  if (decision === 'patch' && found?.isTarget !== true)
    return [`decision is "patch" but there is no skill "${skill}" that may be changed`];
  if (decision === 'create' && found !== undefined)
    return [
      `decision is "create" but there is a skill "${found.name}" already; patch it or take another name`,
    ];
  if (decision === 'create' && !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(skill))
    return [`skill is "${skill}": a new name has lower-case letters, digits and single hyphens`];
  return [];
}

function groundFaults({ decision, title, lesson, evidence }: Abstract, facts: AbstractFacts): string[] {
  const unknown = evidence.filter(({ event }) => !facts.events.has(event)).map(({ event }) => event);
  return [
    ...(lesson.trim() === '' ? [`decision is "${decision}" but lesson is empty`] : []),
    ...(title.trim() === '' ? [`decision is "${decision}" but title is empty`] : []),
    ...(evidence.length === 0 ? [`decision is "${decision}" but evidence is empty`] : []),
    ...(unknown.length > 0 ? [`the session has no event ${unknown.join(', ')}`] : []),
  ];
}
