import type { Draft } from '../gate/draft.ts';

type Triggers = Draft['triggers'];

/**
 * The trigger queries of refused drafts that a new draft is held to as well: those given for the same skill, or for
 * another new one in place of a refused new one. A drafter that could swap a query that its draft failed for an easier
 * one would be choosing its own test. Each query once; what was said of it first counts.
 */
export function keptTriggers(refused: readonly Draft[], draft: Pick<Draft, 'decision' | 'skill'>): Triggers {
  return refused.reduce<Triggers>(
    (kept, earlier) => (isOfOneKind(earlier, draft) ? union(kept, earlier.triggers) : kept),
    [],
  );
}

/**
 * The refused draft with the queries that it leaves to the next. Where retrieval refused it, all of them, since the
 * weakest that is meant for the skill is the measure of those that are not. Where other checks did, those that are not
 * meant for it: a lesson that is narrowed may stop being meant for the rest.
 */
export function withTriggersToKeep(draft: Draft, isRetrieval: boolean): Draft {
  return isRetrieval
    ? draft
    : { ...draft, triggers: draft.triggers.filter(({ should_trigger }) => !should_trigger) };
}

/** The draft with the kept queries before its own. */
export function withKeptTriggers(draft: Draft, refused: readonly Draft[]): Draft {
  return { ...draft, triggers: union(keptTriggers(refused, draft), draft.triggers) };
}

function isOfOneKind(
  left: Pick<Draft, 'decision' | 'skill'>,
  right: Pick<Draft, 'decision' | 'skill'>,
): boolean {
  return left.skill === right.skill || (left.decision === 'create' && right.decision === 'create');
}

function union(first: Triggers, second: Triggers): Triggers {
  const known = new Set(first.map(({ query }) => query));
  return [...first, ...second.filter(({ query }) => !known.has(query))];
}
