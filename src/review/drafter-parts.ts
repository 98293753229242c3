import type { Draft } from '../gate/draft.ts';
import { fullSections } from '../gate/full-sections.ts';
import type { Abstract } from './abstract.ts';
import type { DraftRequest, Refusal } from './drafter.ts';
import type { Fence } from './fence.ts';
import { keptTriggers } from './kept-triggers.ts';

/** The session that is reviewed. */
export function sessionPart({ fence, session }: Pick<DraftRequest, 'fence' | 'session'>): string {
  const outcome = session.outcome === undefined ? '' : `\nrecorded outcome: ${session.outcome}`;
  return fence('session', `id: ${session.id}${outcome}`);
}

/** What was turned down, for the one who decides. */
export function refusedParts(fence: Fence, refusals: readonly Refusal[]): string[] {
  return refusals.map(({ lesson, skill, draft, reasons, isEarlier }) =>
    fence(
      'refused',
      [
        ...(isEarlier ? ['from: the review of another session'] : []),
        ...(skill === undefined ? [] : [`skill: ${skill}`]),
        ...(draft === undefined ? [] : weightyDecision(draft)),
        ...(lesson === '' ? [] : [`lesson: ${lesson}`]),
        ...describeReasons(reasons),
      ].join('\n'),
    ),
  );
}

/** What was turned down, for the one who writes it anew. */
export function refusedDraftParts(fence: Fence, refusals: readonly Refusal[]): string[] {
  return refusals.flatMap(({ draft, reasons }) =>
    draft === undefined ? [] : [fence('refused', describeRefusedDraft(draft, reasons))],
  );
}

/** The other lessons of the session; no part where there are none. */
export function settledPart(fence: Fence, settled: readonly Abstract[]): string[] {
  if (settled.length === 0) return [];
  const lines = settled.map(({ decision, skill, title }) => `- ${decision} ${skill}: ${title}`);
  return [fence('settled', lines.join('\n'))];
}

/** What was decided, for the one who writes it down. */
export function decisionPart(fence: Fence, abstract: Abstract, refused: readonly Draft[]): string {
  const { decision, skill, retires, title, lesson, wanted_when, not_wanted_when, particular, evidence } =
    abstract;
  const told = {
    decision,
    skill,
    retires,
    title,
    lesson,
    wanted_when,
    not_wanted_when,
    keep_out: particular,
    kept_triggers: keptTriggers(refused, { decision, skill }),
    evidence,
  };
  return fence('decision', JSON.stringify(told, undefined, 1));
}

/** The sections of a skill that take no further rule; no part where there are none. */
export function fullPart(fence: Fence, text: string): string[] {
  const full = fullSections(text);
  if (full.length === 0) return [];
  return [fence('full', full.map(({ section, rules }) => `- "${section}" has ${rules} rules`).join('\n'))];
}

/** What is more than a change of one skill. */
function weightyDecision({ decision, retires }: Draft): string[] {
  if (decision === 'merge') return [`decision: merge, which retires ${retires}`];
  return decision === 'retire' ? ['decision: retire'] : [];
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
