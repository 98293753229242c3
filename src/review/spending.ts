import { endsOf, judgedImports } from './brakes.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { OutcomeKind } from './outcome.ts';
import type { ReviewTokens } from './token-budget.ts';

/** What learning has cost and brought, by the ledger. Tokens are those of all models together. */
export interface Spending {
  readonly reviews: number;
  readonly outcomes: Readonly<Partial<Record<OutcomeKind, number>>>;
  readonly tokens: ReviewTokens;
  /** By day (UTC), newest first. */
  readonly days: readonly { readonly day: string; readonly reviews: number; readonly tokens: number }[];
  /** Most tokens first. Of a review with several lessons each counts for its skill. */
  readonly skills: readonly {
    readonly skill: string;
    readonly reviews: number;
    readonly committed: number;
    readonly tokens: number;
  }[];
  /** Skills of others that a judge was asked about, absent where none was; their tokens are not among the others. */
  readonly imports?: { readonly judged: number; readonly passed: number; readonly tokens: number };
  /** Findings of the gate that a person let pass. */
  readonly overrides: number;
}

/** Adds the ledger up. */
export function spendingOf(entries: readonly LedgerEntry[]): Spending {
  const ends = endsOf(entries);
  const imports = judgedImports(entries);
  const outcomes: Partial<Record<OutcomeKind, number>> = {};
  const tokens = { reviewer: 0, judge: 0, total: 0 };
  let replay = 0;
  const days = new Map<string, { reviews: number; tokens: number }>();
  const skills = new Map<string, { reviews: number; committed: number; tokens: number }>();
  for (const end of ends) {
    outcomes[end.outcome] = (outcomes[end.outcome] ?? 0) + 1;
    for (const part of ['reviewer', 'judge', 'total'] as const) tokens[part] += end.tokens[part] ?? 0;
    replay += end.tokens.replay ?? 0;
    const day = entryOf(days, end.at.slice(0, 10), { reviews: 0, tokens: 0 });
    day.reviews += 1;
    day.tokens += end.tokens.total;
    for (const lesson of end.lessons ?? [end]) {
      if (lesson.skill === undefined) continue;
      const skill = entryOf(skills, lesson.skill, { reviews: 0, committed: 0, tokens: 0 });
      skill.reviews += 1;
      skill.committed += Number(lesson.outcome === 'committed');
      skill.tokens += lesson.tokens.total;
    }
  }
  return {
    reviews: ends.length,
    outcomes,
    tokens: replay > 0 ? { ...tokens, replay } : tokens,
    days: [...days]
      .map(([day, sums]) => ({ day, ...sums }))
      .sort((left, right) => (left.day < right.day ? 1 : -1)),
    skills: [...skills]
      .map(([skill, sums]) => ({ skill, ...sums }))
      .sort((left, right) => right.tokens - left.tokens || (left.skill < right.skill ? -1 : 1)),
    ...(imports.length === 0
      ? {}
      : {
          imports: {
            judged: imports.length,
            passed: imports.filter(({ verdict }) => verdict === 'pass').length,
            tokens: imports.reduce((sum, { tokens }) => sum + tokens, 0),
          },
        }),
    overrides: entries.filter(({ type }) => type === 'override').length,
  };
}

function entryOf<Value>(map: Map<string, Value>, key: string, fresh: Value): Value {
  const known = map.get(key) ?? fresh;
  map.set(key, known);
  return known;
}
