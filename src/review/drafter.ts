import { type Draft, draftSchema, parseDraft } from '../gate/draft.ts';
import type { Model } from '../model/model.ts';
import type { Prompts } from '../model/prompts.ts';
import type { JsonSchema } from '../text/json-schema.ts';
import type { TranscriptSession } from '../transcript/event.ts';
import { type Abstract, abstractSchema, type Decided, readAbstract } from './abstract.ts';
import type { AbstractFacts } from './abstract-faults.ts';
import { askJson } from './ask-json.ts';
import {
  decisionPart,
  fullPart,
  refusedDraftParts,
  refusedParts,
  sessionPart,
  settledPart,
} from './drafter-parts.ts';
import type { Fence } from './fence.ts';
import { withKeptTriggers } from './kept-triggers.ts';

/** A skill as the drafter sees it. */
export interface ShownSkill {
  readonly name: string;
  /** `SKILL.md` as it is on disk. */
  readonly text: string;
}

/** A change that was offered before, and why it was turned down. */
export interface Refusal {
  readonly lesson: string;
  readonly skill?: string;
  /** The draft that the gate saw, of this session. */
  readonly draft?: Draft;
  readonly reasons: readonly string[];
  /** Offered in the review of another session. */
  readonly isEarlier?: true;
}

export interface DraftRequest {
  readonly model: Model;
  readonly prompts: Prompts;
  /** The instructions of the skill-authoring skill. */
  readonly guidance: string;
  readonly session: Pick<TranscriptSession, 'id' | 'outcome'>;
  readonly digest: string;
  readonly facts: AbstractFacts;
  /** The skills that the session used and the nearest ones. */
  readonly skills: readonly ShownSkill[];
  /** `SKILL.md` of a skill that was decided on and is not among `skills`. */
  readonly textOf: (skill: string) => Promise<string | undefined>;
  /** Queries that are meant for a skill. */
  readonly queriesOf: (skill: string) => readonly string[];
  readonly refusals: readonly Refusal[];
  /** Lessons of the session that are taken care of elsewhere. */
  readonly settled: readonly Abstract[];
  readonly fence: Fence;
  readonly signal?: AbortSignal;
}

/** No answer that can be used. `cut`: none was whole, so that another attempt is of no use. */
export type NoAnswer =
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'cut'; readonly reason: string };

const ABSTRACT_ROOM = 8000;
const FORMAT_ROOM = 16_000;

/**
 * Decides what a session teaches (`prompts/abstract.md`). Reads and writes nothing but through what it is given; what
 * the model rejects with passes through.
 */
export async function decideLessons(
  request: DraftRequest,
): Promise<NoAnswer | { readonly kind: 'decided'; readonly decided: Decided }> {
  const { fence, skills, settled, refusals } = request;
  const decided = await askJson({
    ...common(request),
    system: await request.prompts.render('abstract', { guidance: request.guidance }),
    user: [
      sessionPart(request),
      ...skills.map((skill) => fence('skill', skill.text)),
      ...refusedParts(fence, refusals),
      ...settledPart(fence, settled),
      fence('digest', request.digest),
    ].join('\n\n'),
    form: { name: 'abstract', schema: abstractSchema },
    read: reasonedOnce((answer) => readAbstract(answer, request.facts)),
    maxTokens: ABSTRACT_ROOM,
  });
  if (decided.kind === 'cut') return decided;
  if (decided.kind === 'malformed')
    return { kind: 'malformed', reason: malformed('abstract', decided.faults) };
  return { kind: 'decided', decided: decided.value };
}

/** Writes a decided lesson down as operations (`prompts/format.md`), under the same terms as `decideLessons`. */
export async function writeDraft(
  request: DraftRequest,
  abstract: Abstract,
): Promise<NoAnswer | { readonly kind: 'draft'; readonly draft: Draft }> {
  const { fence, refusals } = request;
  const textOf = async (name: string) =>
    request.skills.find((shown) => shown.name === name)?.text ?? (await request.textOf(name));
  const present = abstract.decision === 'create' ? undefined : await textOf(abstract.skill);
  const retiring = abstract.retires === undefined ? undefined : await textOf(abstract.retires);
  const refused = refusals.flatMap(({ draft }) => draft ?? []);
  const written = await askJson({
    ...common(request),
    system: await request.prompts.render('format', {}),
    user: [
      decisionPart(fence, abstract, refused),
      sessionPart(request),
      ...(present === undefined ? [] : [fence('skill', present)]),
      ...(retiring === undefined ? [] : [fence('retiring', retiring)]),
      ...(present === undefined || abstract.decision === 'retire' ? [] : fullPart(fence, present)),
      ...refusedDraftParts(fence, refusals),
      fence('digest', request.digest),
    ].join('\n\n'),
    form: { name: 'draft', schema: formatSchema },
    read: (answer) => readDraft(answer, abstract),
    maxTokens: FORMAT_ROOM,
  });
  if (written.kind === 'cut') return written;
  if (written.kind === 'malformed') return { kind: 'malformed', reason: malformed('draft', written.faults) };
  const draft = withKeptTriggers(written.value, refused);
  return { kind: 'draft', draft: withQueries(draft, request.queriesOf(abstract.retires ?? '')) };
}

/** Has the first answer that gives neither a lesson nor a reason mended like any other fault; the second stands. */
function reasonedOnce(read: (answer: string) => ReturnType<typeof readAbstract>): typeof read {
  let isFirst = true;
  return (answer) => {
    const decided = read(answer);
    const isSilent =
      'value' in decided && decided.value.lessons.length === 0 && decided.value.reason.trim() === '';
    const isAsked = isSilent && isFirst;
    isFirst = false;
    return isAsked ? { faults: [NO_REASON] } : decided;
  };
}

const NO_REASON =
  'there is no lesson, and reason is empty: say in reason why the session teaches nothing, or give the lesson';

function common({ model, signal }: DraftRequest) {
  return { model, ...(signal === undefined ? {} : { signal }) };
}

function malformed(what: string, faults: readonly string[]): string {
  return `the ${what} was malformed, also after its faults were named: ${faults.slice(0, 5).join('; ')}`;
}

/** What brought up the skill that goes has to bring up the one that absorbs it. */
function withQueries(draft: Draft, queries: readonly string[]): Draft {
  const known = new Set(draft.triggers.map(({ query }) => query));
  const more = queries.filter((query) => !known.has(query));
  return {
    ...draft,
    triggers: [...draft.triggers, ...more.map((query) => ({ query, should_trigger: true }))],
  };
}

/** The draft's form without the decision that needs none. */
const formatSchema: JsonSchema = {
  ...draftSchema,
  properties: {
    ...(draftSchema['properties'] as Record<string, unknown>),
    decision: { enum: ['create', 'patch', 'merge', 'retire'] },
  },
};

function readDraft(answer: string, abstract: Abstract): { value: Draft } | { faults: readonly string[] } {
  const read = parseDraft(answer);
  if ('faults' in read) return read;
  const { draft } = read;
  const faults = [
    ...(draft.decision === abstract.decision
      ? []
      : [`decision is "${draft.decision}", but "${abstract.decision}" was decided`]),
    ...(draft.skill === abstract.skill
      ? []
      : [`skill is "${draft.skill ?? ''}", but "${abstract.skill}" was decided`]),
    ...(draft.retires === abstract.retires
      ? []
      : [`retires is "${draft.retires ?? ''}", but "${abstract.retires ?? ''}" was decided`]),
  ];
  // A skill that goes has nothing to be found by.
  return faults.length > 0
    ? { faults }
    : { value: draft.decision === 'retire' ? { ...draft, triggers: [] } : draft };
}
