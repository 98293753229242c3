import { termsOf } from '../library/words/tokenize.ts';
import type { Refusal } from './drafter.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { ReviewParts } from './parts.ts';
import type { PendingEntry } from './pending.ts';

/** What of other sessions is shown: the newest that are near, each cut to what names it. */
const MOST_EARLIER = 4;
const MOST_REASONS = 3;
const LONGEST_LESSON = 400;
const LONGEST_REASON = 240;
/** A lesson is near if the session's words hold this share of its terms, and as many as this. */
const NEAR = { share: 0.4, terms: 4 };

/** What the session is about, as far as no model was asked. */
export interface Surroundings {
  readonly session: string;
  /** The user's words and the signals. */
  readonly words: string;
  /** Names of the skills that the drafter is shown. */
  readonly skills: readonly string[];
}

/**
 * What was turned down before and would be offered again: all that a person rejected of this session, then, of other
 * reviews, what a person or the gate refused on a skill at hand or with a lesson near to this session. Redacted.
 */
export async function earlierRefusals(
  parts: Pick<ReviewParts, 'pending' | 'ledger' | 'redactor'>,
  about: Surroundings,
): Promise<Refusal[]> {
  const entries = await parts.pending.list({ all: true });
  const own = entries.filter((entry) => isRejected(entry) && entry.sessions.includes(about.session));
  const isNear = nearnessTo(about);
  const others = [
    ...entries
      .filter((entry) => isRejected(entry) && !own.includes(entry))
      .map((entry) => ({ at: entry.created, ...refusalOf(entry) })),
    ...(await parts.ledger.entries()).flatMap(refusedIn),
  ]
    .filter(({ skill, lesson }) => about.skills.includes(skill) || isNear(lesson))
    .sort((left, right) => (left.at < right.at ? 1 : -1));
  const newest = new Map(others.map((each) => [`${each.skill}\n${each.lesson}`, each]));
  return parts.redactor.value([
    ...own.map(refusalOf),
    ...[...newest.values()].slice(0, MOST_EARLIER).map(({ skill, lesson, reasons }) => ({
      skill,
      lesson: clip(lesson, LONGEST_LESSON),
      reasons: reasons.slice(0, MOST_REASONS).map((reason) => clip(reason, LONGEST_REASON)),
      isEarlier: true as const,
    })),
  ]);
}

/** What a person turned down of what a session taught, oldest first. */
export async function rejectedBefore(
  { pending }: Pick<ReviewParts, 'pending'>,
  session: string,
): Promise<PendingEntry[]> {
  return (await pending.list({ all: true })).filter(
    (entry) => isRejected(entry) && entry.sessions.includes(session),
  );
}

function isRejected({ state }: PendingEntry): boolean {
  return state === 'rejected';
}

function refusalOf({ skill, lesson, answer }: PendingEntry) {
  return { skill, lesson, reasons: [`a person turned it down${answer ? `: ${answer}` : ''}`] };
}

/** The lessons of one review that were given up after refusals, without what says only that. */
function refusedIn(entry: LedgerEntry) {
  if (entry.type !== 'review-end') return [];
  return (entry.lessons ?? [entry]).flatMap(({ outcome, skill, lesson, reasons }) =>
    outcome === 'rejected' && skill !== undefined && lesson !== undefined
      ? [
          {
            at: entry.at,
            skill,
            lesson,
            reasons: reasons.filter((reason) => !reason.startsWith('given up after')),
          },
        ]
      : [],
  );
}

function nearnessTo({ words }: Surroundings): (lesson: string) => boolean {
  const known = new Set(termsOf(words));
  return (lesson) => {
    const terms = new Set(termsOf(lesson));
    const shared = [...terms].filter((term) => known.has(term)).length;
    return shared >= NEAR.terms && shared >= terms.size * NEAR.share;
  };
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
