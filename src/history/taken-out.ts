import { NO_VERSION } from './records.ts';
import type { Revision } from './revision.ts';

/** What the commit says that takes a skill out because another has absorbed it. */
export function mergeInto(into: string): string {
  return `merge into ${into}, which answers to its name`;
}

/** The skill that absorbed the one that this revision took out; undefined for any other revision. */
export function mergedInto({ version, what }: Pick<Revision, 'version' | 'what'>): string | undefined {
  return version === NO_VERSION ? /^merge into (.*), which answers to its name$/.exec(what)?.[1] : undefined;
}

/** What the commit says that takes a skill out because a session that is revoked had taught all of it. */
export function takeOutAll(session: string): string {
  return `take out what ${session} taught: all of it`;
}

/** Whether it was such a revision. */
export function isEmptied({ version, what }: Pick<Revision, 'version' | 'what'>): boolean {
  return version === NO_VERSION && /^take out what .* taught: all of it$/.test(what);
}
