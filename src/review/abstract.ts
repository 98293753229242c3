import { readJsonAnswer } from '../gate/json-answer.ts';
import { type JsonSchema, schemaFaults } from '../text/json-schema.ts';
import { type AbstractFacts, groundFaults, targetFaults } from './abstract-faults.ts';

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
  readonly decision: 'nothing' | 'create' | 'patch' | 'merge' | 'retire';
  readonly reason: string;
  /** Empty for `nothing`. In a merge the one that absorbs. */
  readonly skill: string;
  /** In a merge the skill that goes; else left out. */
  readonly retires?: string;
  /** The change in a few words: the subject line of its commit. */
  readonly title: string;
  readonly lesson: string;
  /** When a skill with this lesson is wanted and when not: for the description, never a rule of its own. */
  readonly wanted_when: string;
  /** For which near tasks it is not: kept out of the words that it is searched by. */
  readonly not_wanted_when: string;
  readonly evidence: readonly PickedEvidence[];
}

/** All that a session teaches. Without a lesson, the reason why it teaches nothing. */
export interface Decided {
  readonly reason: string;
  readonly lessons: readonly Abstract[];
}

/** More would be many changes from one reading, of which none was thought about for long. */
export const MOST_LESSONS = 3;

const short = { type: 'string', maxLength: 2000 };
const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: Object.keys(properties),
});

const lesson = {
  decision: { enum: ['create', 'patch', 'merge', 'retire'] },
  skill: { type: 'string', maxLength: 64 },
  retires: { type: 'string', maxLength: 64 },
  title: { type: 'string', maxLength: 200 },
  lesson: { type: 'string', maxLength: 4000 },
  particular: short,
  wanted_when: short,
  not_wanted_when: short,
  evidence: {
    type: 'array',
    maxItems: 40,
    items: object({ event: { type: 'string', minLength: 1 }, quote: { type: 'string', minLength: 1 } }),
  },
};

/** The form of the answer to `prompts/abstract.md`. */
export const abstractSchema: JsonSchema = object({
  task_class: short,
  difference: short,
  reason: short,
  lessons: { type: 'array', maxItems: MOST_LESSONS, items: object(lesson) },
});

/** One lesson with what was said of the session: the form of an answer that holds no list. */
const oneSchema: JsonSchema = object({
  task_class: short,
  difference: short,
  reason: short,
  ...lesson,
  decision: { enum: ['nothing', ...lesson.decision.enum] },
});

/**
 * Reads the answer; each fault says what to mend. One lesson that stands outside a list is taken for a list of one. An
 * alias of a skill is answered with its name.
 */
export function readAbstract(
  answer: string,
  facts: AbstractFacts,
): { value: Decided } | { faults: readonly string[] } {
  const read = readJsonAnswer(answer);
  if ('fault' in read) return { faults: [read.fault] };
  const value = withEmptyFields(read.value);
  const isOne = isRecord(value) && !('lessons' in value) && ['decision', 'skill'].some((key) => key in value);
  const faults = schemaFaults(isOne ? oneSchema : abstractSchema, value);
  if (faults.length > 0) return { faults };
  const decided = isOne ? ofOne(value as unknown as Abstract) : ofMany(value as unknown as Many);
  const meaning = decided.lessons.flatMap((abstract) => [
    ...targetFaults(abstract, decided.lessons, facts),
    ...groundFaults(abstract, facts),
  ]);
  if (meaning.length > 0) return { faults: [...new Set(meaning)] };
  return { value: { ...decided, lessons: decided.lessons.map((each) => withNames(each, facts)) } };
}

interface Many extends Pick<Abstract, 'task_class' | 'difference' | 'reason'> {
  readonly lessons: readonly Omit<Abstract, 'task_class' | 'difference' | 'reason'>[];
}

function ofMany({ task_class, difference, reason, lessons }: Many): Decided {
  return { reason, lessons: lessons.map((each) => ({ task_class, difference, reason, ...each })) };
}

function ofOne(abstract: Abstract): Decided {
  return { reason: abstract.reason, lessons: abstract.decision === 'nothing' ? [] : [abstract] };
}

function withNames({ retires = '', ...abstract }: Abstract, { find }: AbstractFacts): Abstract {
  return {
    ...abstract,
    skill: find(abstract.skill)?.name ?? abstract.skill,
    ...(retires === '' ? {} : { retires: find(retires)?.name ?? retires }),
  };
}

/** What a model leaves out because there is nothing to say. */
function withEmptyFields(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const ofLesson = {
    particular: '',
    skill: '',
    retires: '',
    title: '',
    lesson: '',
    wanted_when: '',
    not_wanted_when: '',
    evidence: [],
  };
  if (!('lessons' in value)) return { reason: '', ...ofLesson, ...value };
  const { lessons } = value;
  return {
    task_class: '',
    difference: '',
    reason: '',
    ...value,
    lessons: Array.isArray(lessons)
      ? lessons.map((each: unknown) => (isRecord(each) ? { ...ofLesson, ...each } : each))
      : lessons,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
