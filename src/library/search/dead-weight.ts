import type { Library } from '../library.ts';

/** A skill that costs and was never loaded. */
export interface DeadWeight {
  readonly name: string;
  /** Sessions whose words bring it up. */
  readonly matched: number;
}

export interface DeadWeightOptions {
  /** The person's words in each session that was looked at. */
  readonly sessions: readonly (readonly string[])[];
  readonly loadsOf: (name: string) => number;
  /** Awaited before each session, with the share of the work that is done (0 to 1). */
  readonly step?: (done: number) => Promise<void>;
}

/** Sessions that a skill may come up in and not be loaded: chance brings any skill up once. */
const MATCHED = 3;
/** After so many sessions a skill that was never loaded is dead weight, whatever they were about. */
export const MANY_SESSIONS = 20;
const NEAREST = 3;
const MOST_WORDS = 2000;
const MOST_TURNS = 20;

/** The skills that were never loaded although sessions matched, or for many sessions; most often matched first. */
export async function findDeadWeight(
  library: Library,
  { sessions, loadsOf, step = () => Promise.resolve() }: DeadWeightOptions,
): Promise<DeadWeight[]> {
  const matched = new Map<string, number>();
  for (const [at, words] of sessions.entries()) {
    await step(at / sessions.length);
    const found = words
      .slice(0, MOST_TURNS)
      .flatMap((text) => library.search(text.slice(0, MOST_WORDS), { limit: NEAREST }));
    for (const name of new Set(found.map((hit) => hit.name))) matched.set(name, (matched.get(name) ?? 0) + 1);
  }
  return library.skills
    .map(({ name }) => ({ name, matched: matched.get(name) ?? 0 }))
    .filter(({ name }) => loadsOf(name) === 0)
    .filter((each) => each.matched >= MATCHED || sessions.length >= MANY_SESSIONS)
    .sort((left, right) => right.matched - left.matched);
}
