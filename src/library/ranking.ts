import type { Query } from './query.ts';
import { type RecordedTerms, trustIn } from './recorded-queries.ts';
import { FIELDS, positionOf, type SkillDocument } from './skill-document.ts';

/** How a document answers a query. */
export interface Ranking {
  /** Orders the documents of one query. */
  readonly rank: number;
  /** Says whether it fits at all: 0 and up, 1 is about "this fits". */
  readonly fit: number;
}

/** What ranking needs to know of the library as a whole. */
export interface TermWeights {
  /** What a term is worth: more, the fewer skills hold it. */
  weightOf(term: number): number;
  /** Words and pairs of the query that stand in recorded ones, with what each tells. */
  recordedIn(query: Query): {
    readonly words: readonly (readonly [word: number, weight: number])[];
    readonly pairs: readonly (readonly [pair: number, weight: number])[];
  };
}

export interface Candidate {
  readonly document: SkillDocument;
  /** Absent without recorded queries. */
  readonly recorded?: RecordedTerms;
}

const DETAIL_SHARE = 0.6;
/** For whether something fits, a body proves little: it holds too many words. */
const DETAIL_PROOF = 0.15;
const CLAUSE_SHARE = 1;
/** Weight added to a clause's own, so that a short one that is met by one word is not a full answer. */
const CLAUSE_PRIOR = 5;
/** Matched weight that is about enough: one telling word in the name, or two in the description. */
const ENOUGH = 10;
/** Weight of a query from which on more has to match. */
const LONG = 60;

/**
 * Ranks the candidates of one query, in their order: each term by its weight and by how strongly purpose, body and
 * recorded queries hold it; a long text also by its best clause.
 */
export function rankCandidates(
  query: Query,
  candidates: readonly Candidate[],
  weights: TermWeights,
): Ranking[] {
  const weight = new Map(query.terms.map((term) => [term, weights.weightOf(term)]));
  const total = (terms: readonly number[]) => terms.reduce((sum, term) => sum + (weight.get(term) ?? 0), 0);
  const whole = total(query.terms);
  const clauses = query.clauses.map((terms) => ({ terms, total: total(terms) }));
  const asked = weights.recordedIn(query);
  const scored = candidates.map(({ document, recorded }) => {
    const rank = new Map<number, number>();
    let proof = 0;
    let pairs = 0;
    if (recorded !== undefined) {
      const trust = trustIn(recorded.queries);
      for (const [word, worth] of asked.words) {
        const strength = recorded.strengthOf(word);
        if (strength > 0) rank.set(word, trust.words * worth * strength);
      }
      for (const [pair, worth] of asked.pairs) pairs += trust.pairs * worth * recorded.strengthOf(pair);
    }
    for (const term of query.terms) {
      const at = positionOf(document, term);
      const worth = weight.get(term) ?? 0;
      const purpose = at < 0 ? 0 : (document.purpose[at] ?? 0);
      const detail = at < 0 ? 0 : (document.detail[at] ?? 0);
      const known = recorded?.strengthOf(term) ?? 0;
      if (purpose + detail + known === 0) continue;
      rank.set(term, (rank.get(term) ?? 0) + worth * (purpose + DETAIL_SHARE * detail));
      proof += worth * (Math.max(purpose, known) + DETAIL_PROOF * detail);
    }
    const sum = (terms: readonly number[]) => terms.reduce((all, term) => all + (rank.get(term) ?? 0), 0);
    const best = clauses.reduce(
      (most, clause) => Math.max(most, sum(clause.terms) / (clause.total + CLAUSE_PRIOR)),
      0,
    );
    return { whole: sum([...rank.keys()]) + pairs, clause: best, fit: proof / enough(whole) };
  });
  const most = Math.max(1e-9, ...scored.map((each) => each.whole));
  const mostClause = Math.max(1e-9, ...scored.map((each) => each.clause));
  return scored.map((each) => ({
    rank:
      clauses.length === 0
        ? each.whole
        : ENOUGH * (each.whole / most + (CLAUSE_SHARE * each.clause) / mostClause),
    fit: each.fit,
  }));
}

/** The matched weight that a query of this weight has to come to: nearly all of a word or two, a part of a long text. */
function enough(total: number): number {
  return Math.max(4, Math.min(0.9 * total, ENOUGH), ENOUGH * Math.sqrt(total / LONG));
}

/** Which fields hold which words of the query, the weightiest field first. */
export function explainMatch(
  query: Query,
  { document, recorded }: Candidate,
  termOf: (term: number) => string,
): string[] {
  const found = new Map<string, string[]>();
  const note = (field: string, term: number) => found.set(field, [...(found.get(field) ?? []), termOf(term)]);
  for (const term of query.terms) {
    const at = positionOf(document, term);
    const bits = at < 0 ? 0 : (document.fields[at] ?? 0);
    for (const [index, field] of FIELDS.entries()) if (bits & (1 << index)) note(field, term);
    if ((recorded?.strengthOf(term) ?? 0) > 0) note('recorded queries', term);
  }
  return ['recorded queries', ...FIELDS].flatMap((field) => {
    const terms = found.get(field);
    return terms === undefined ? [] : [`${field}: ${terms.slice(0, 8).join(', ')}`];
  });
}
