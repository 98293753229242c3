import { type Draft, draftSchema, parseDraft } from '../gate/draft.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { Model } from '../model/model.ts';
import type { Prompts } from '../model/prompts.ts';
import type { TranscriptSession } from '../transcript/event.ts';
import { type Abstract, type AbstractFacts, abstractSchema, readAbstract } from './abstract.ts';
import { askJson } from './ask-json.ts';
import type { Fence } from './fence.ts';
import { keptTriggers, withKeptTriggers } from './kept-triggers.ts';

/** A skill as the drafter sees it. */
export interface ShownSkill {
  readonly name: string;
  /** `SKILL.md` as it is on disk. */
  readonly text: string;
}

/** A change that was offered before for this session, and why it was turned down. */
export interface Refusal {
  readonly lesson: string;
  readonly skill?: string;
  /** The draft that the gate saw. */
  readonly draft?: Draft;
  readonly reasons: readonly string[];
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
  readonly refusals: readonly Refusal[];
  readonly fence: Fence;
  readonly signal?: AbortSignal;
  readonly onAbstract?: (abstract: Abstract) => void;
}

/** What the drafter came to. `cut`: no whole answer was to be had, so that another attempt is of no use. */
export type DraftOutcome =
  | { readonly kind: 'nothing'; readonly abstract: Abstract }
  | { readonly kind: 'draft'; readonly abstract: Abstract; readonly draft: Draft }
  | { readonly kind: 'malformed'; readonly abstract?: Abstract; readonly reason: string }
  | { readonly kind: 'cut'; readonly reason: string };

const ABSTRACT_ROOM = 8000;
const FORMAT_ROOM = 16_000;

/**
 * Decides what a session teaches (`prompts/abstract.md`), then writes it down as operations (`prompts/format.md`).
 * Reads and writes nothing but through what it is given; what the model rejects with passes through.
 */
export async function draftChange(request: DraftRequest): Promise<DraftOutcome> {
  const decided = await askJson({
    ...common(request),
    system: await request.prompts.render('abstract', { guidance: request.guidance }),
    user: abstractParts(request),
    form: { name: 'abstract', schema: abstractSchema },
    read: (answer) => readAbstract(answer, request.facts),
    maxTokens: ABSTRACT_ROOM,
  });
  if (decided.kind === 'cut') return decided;
  if (decided.kind === 'malformed')
    return { kind: 'malformed', reason: malformed('abstract', decided.faults) };
  const abstract = decided.value;
  request.onAbstract?.(abstract);
  if (abstract.decision === 'nothing') return { kind: 'nothing', abstract };
  const written = await askJson({
    ...common(request),
    system: await request.prompts.render('format', {}),
    user: await formatParts(request, abstract),
    form: { name: 'draft', schema: formatSchema },
    read: (answer) => readDraft(answer, abstract),
    maxTokens: FORMAT_ROOM,
  });
  if (written.kind === 'cut') return written;
  if (written.kind === 'malformed')
    return { kind: 'malformed', abstract, reason: malformed('draft', written.faults) };
  return { kind: 'draft', abstract, draft: withKeptTriggers(written.value, refusedDrafts(request)) };
}

function common({ model, signal }: DraftRequest) {
  return { model, ...(signal === undefined ? {} : { signal }) };
}

function malformed(what: string, faults: readonly string[]): string {
  return `the ${what} was malformed, also after its faults were named: ${faults.slice(0, 5).join('; ')}`;
}

function abstractParts(request: DraftRequest): string {
  const { fence, skills, refusals } = request;
  return [
    sessionPart(request),
    ...skills.map((skill) => fence('skill', skill.text)),
    ...refusals.map((refusal) => fence('refused', describeRefusal(refusal))),
    fence('digest', request.digest),
  ].join('\n\n');
}

async function formatParts(request: DraftRequest, abstract: Abstract): Promise<string> {
  const { fence, skills } = request;
  const { decision, skill, title, lesson, wanted_when, not_wanted_when, particular, evidence } = abstract;
  const kept_triggers = keptTriggers(refusedDrafts(request), { decision, skill });
  const present =
    decision === 'patch'
      ? (skills.find((shown) => shown.name === skill)?.text ?? (await request.textOf(skill)))
      : undefined;
  return [
    fence(
      'decision',
      JSON.stringify(
        {
          decision,
          skill,
          title,
          lesson,
          wanted_when,
          not_wanted_when,
          keep_out: particular,
          kept_triggers,
          evidence,
        },
        undefined,
        1,
      ),
    ),
    sessionPart(request),
    ...(present === undefined ? [] : [fence('skill', present)]),
    ...request.refusals.flatMap(({ draft, reasons }) =>
      draft === undefined ? [] : [fence('refused', describeRefusedDraft(draft, reasons))],
    ),
    fence('digest', request.digest),
  ].join('\n\n');
}

function refusedDrafts({ refusals }: DraftRequest): Draft[] {
  return refusals.flatMap(({ draft }) => draft ?? []);
}

function sessionPart({ fence, session }: DraftRequest): string {
  const outcome = session.outcome === undefined ? '' : `\nrecorded outcome: ${session.outcome}`;
  return fence('session', `id: ${session.id}${outcome}`);
}

function describeRefusal({ lesson, skill, reasons }: Refusal): string {
  return [
    ...(skill === undefined ? [] : [`skill: ${skill}`]),
    ...(lesson === '' ? [] : [`lesson: ${lesson}`]),
    ...describeReasons(reasons),
  ].join('\n');
}

function describeRefusedDraft({ skill, operations }: Draft, reasons: readonly string[]): string {
  return [
    JSON.stringify({ skill, operations: operations.map(({ evidence: _, ...rest }) => rest) }, undefined, 1),
    ...describeReasons(reasons),
  ].join('\n');
}

function describeReasons(reasons: readonly string[]): string[] {
  return ['reasons:', ...reasons.map((reason) => `- ${reason}`)];
}

/** The draft's form without what this drafter does not decide. */
const formatSchema: JsonSchema = withDecisions(draftSchema, ['create', 'patch']);

function withDecisions(schema: JsonSchema, decisions: readonly string[]): JsonSchema {
  const { retires: _, ...properties } = schema['properties'] as Record<string, unknown>;
  return { ...schema, properties: { ...properties, decision: { enum: decisions } } };
}

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
  ];
  return faults.length > 0 ? { faults } : { value: draft };
}
