import type { RevisionOperation } from '../history/revision.ts';

/** The sessions that operations rest on, with their events in that order. */
export function sessionsOf({
  operations,
}: {
  readonly operations: readonly Pick<RevisionOperation, 'evidence'>[];
}): { id: string; events: string[] }[] {
  const sessions = new Map<string, Set<string>>();
  for (const { session, event } of operations.flatMap(({ evidence }) => evidence))
    sessions.set(session, (sessions.get(session) ?? new Set()).add(event));
  return [...sessions].map(([id, events]) => ({ id, events: [...events] }));
}
