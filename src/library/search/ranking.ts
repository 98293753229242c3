import type { Skill } from '../../skill/skill.ts';
import {
  type AskedFeatures,
  countedQueries,
  type RecordedTerms,
  strengthOf,
  trustIn,
} from '../use/recorded-queries.ts';
import { createBrokenWords } from './broken-words.ts';
import { detailProof, ENOUGH, neededWeight, type Proof, provenWeight } from './fit.ts';
import { createForeignTerms } from './foreign-terms.ts';
import { emphasis, rankLongText } from './long-text.ts';
import type { Query } from './query.ts';
import { createParts, longParts, type RankParts } from './rank-parts.ts';
import { FIELDS, positionOf, type SkillDocument } from './skill-document.ts';

/** How a document answers a query. */
export interface Ranking {
  /** Orders the documents of one query. */
  readonly rank: number;
  /** Says whether it fits at all: 0 and up, 1 is about "this fits". */
  readonly fit: number;
  /** What the rank is the sum of, where that was asked for. */
  readonly parts?: RankParts | undefined;
}

/** What ranking needs to know of the library as a whole. */
export interface TermWeights {
  /** What a term is worth: more, the fewer skills hold it. */
  weightOf(term: number): number;
  /** What it is worth that a text holds a term at all. */
  rarityOf(term: number): number;
  /** A term of the query as it is compared. */
  termOf(term: number): string;
  /** How many different skills there are to be the best by chance. */
  readonly size: number;
  /** What recorded queries tell of the query's words. */
  readonly asked: AskedFeatures;
}

export interface Candidate {
  readonly document: SkillDocument;
  /** Skills that say the same of themselves and stand behind it. */
  readonly copies: readonly Skill[];
  /** What all words of its purpose are worth; 0 where the query is short. */
  readonly purposeWeight: number;
  /** Absent without recorded queries. */
  readonly recorded?: RecordedTerms;
}

/** The fit from which on a skill fits by itself. */
export const FITS = 0.7;

const DETAIL_SHARE = 0.6;
/** A query of a few words is about them, also where the purpose lacks one; one of still fewer is mostly a name. */
const SHORT_DETAIL_SHARE = 0.8;
/** A long text goes into detail as bodies do. */
const LONG_DETAIL_SHARE = 2;
/** A name holds a word by 1.6 to 2: for a word of some skill's name no body counts more, however short it is. */
const MOST_BESIDE_NAME = 1.5;
const MOST_OF_NAME = 4;
/** A body has to hold a word at least so strongly for it to count among those that are met. */
const MET_DETAIL = 0.5;
/** What a word of the purpose is worth beside a mention in a recorded query. */
const PURPOSE_MENTIONS = 0.5;
/** The part of the weight of a query's words in another script that a skill is not held to. */
const FOREIGN_RELIEF = 0.5;
/** Weight added to a clause's own, so that a short one that is met by one word is not a full answer. */
const CLAUSE_PRIOR = 5;

/**
 * Ranks the candidates of one query, in their order: each term by its weight and by how strongly purpose, body and
 * recorded queries hold it; a long text also by its best clause.
 */
export function rankCandidates(
  query: Query,
  candidates: readonly Candidate[],
  weights: TermWeights,
  withParts = false,
): Ranking[] {
  const weight = new Map(query.terms.map((term) => [term, weights.weightOf(term)]));
  const total = (terms: readonly number[]) => terms.reduce((sum, term) => sum + (weight.get(term) ?? 0), 0);
  const whole = total(query.terms);
  const isLong = query.clauses.length > 0;
  const emphases = new Map(query.terms.map((term) => [term, emphasis(query.repeated.get(term) ?? 1)]));
  const said = new Map(
    query.terms.map((term) => [term, (weight.get(term) ?? 0) * (emphases.get(term) ?? 1)]),
  );
  const rarity = new Map(
    isLong ? query.terms.map((term) => [term, weights.rarityOf(term) * (emphases.get(term) ?? 1)]) : [],
  );
  const clauses = query.clauses.map((terms) => ({
    terms,
    total: terms.reduce((sum, term) => sum + (said.get(term) ?? 0), 0),
  }));
  const foreignTo = createForeignTerms(query.terms, weights.termOf);
  const brokenIn = createBrokenWords(query.katakana);
  const isShort = !isLong && query.terms.length > MOST_OF_NAME;
  const detailShare = isLong ? LONG_DETAIL_SHARE : isShort ? SHORT_DETAIL_SHARE : DETAIL_SHARE;
  const named = termsOfNames(query, candidates);
  const scored = candidates.map((candidate) => {
    const { document, recorded } = candidate;
    const foreign = foreignTo(candidate);
    const broken = brokenIn(candidate);
    const rank = new Map<number, number>(askedFor(candidate, weights.asked));
    const parts = withParts ? createParts(rank.values()) : undefined;
    let [met, breadth] = [0, 0];
    const proof: Proof = { purpose: 0, best: 0, detail: 0, met: 0, missed: false };
    for (const term of query.terms) {
      const at = positionOf(document, term);
      const worth = weight.get(term) ?? 0;
      const isBroken = broken.has(term);
      const purpose = at < 0 || isBroken ? 0 : (document.purpose[at] ?? 0);
      const detail = at < 0 ? 0 : (document.detail[at] ?? 0);
      const known =
        recorded === undefined || isBroken ? 0 : strengthOf(recorded.countOf(term), recorded.queries);
      if (purpose + known === 0 && !foreign.has(term)) proof.missed = true;
      if (purpose + detail + known === 0) continue;
      if (purpose + known > 0 || detail > MET_DETAIL) proof.met += 1;
      const mostDetail = purpose === 0 && named.has(term) ? MOST_BESIDE_NAME : undefined;
      const strength = heldStrength(purpose, detail, detailShare, mostDetail);
      const spoken = said.get(term) ?? 0;
      rank.set(term, (rank.get(term) ?? 0) + spoken * strength);
      parts?.held.push({ term, purpose: spoken * purpose, detail: spoken * (strength - purpose) });
      if (purpose > 0) met += worth;
      if (detail > 0) breadth += rarity.get(term) ?? 0;
      const proven = worth * Math.max(purpose, known);
      proof.purpose += proven;
      proof.best = Math.max(proof.best, proven);
      proof.detail += detailProof(worth, detail);
    }
    const sum = (terms: readonly number[]) => terms.reduce((all, term) => all + (rank.get(term) ?? 0), 0);
    const answers = clauses.map((clause) => sum(clause.terms) / (clause.total + CLAUSE_PRIOR));
    const best = answers.reduce((most, answer) => Math.max(most, answer), 0);
    const alike = weights.asked.likenessTo(document.skill, recorded);
    if (parts !== undefined) parts.likeness = alike;
    return {
      whole: alike + sum([...rank.keys()]),
      clause: best,
      breadth,
      purposeMet:
        candidate.purposeWeight > 0 ? met / candidate.purposeWeight / (1 + weights.asked.usualQueries) : 0,
      fit: provenWeight(proof) / neededWeight(whole - FOREIGN_RELIEF * total([...foreign]), weights.size),
      parts,
      index: answers.indexOf(best),
    };
  });
  if (!isLong) return scored.map(({ whole, fit, parts }) => ({ rank: whole, fit, parts }));
  const ranks = rankLongText(scored);
  return scored.map(({ fit, whole, parts, index }, position) => {
    const long = ranks[position];
    const shown = parts && long && longParts(parts, { whole, index, long, times: ENOUGH });
    return { rank: ENOUGH * (long?.rank ?? 0), fit, parts: shown };
  });
}

/** How strongly a skill's own texts hold a term: what it is for, and its body. */
export function heldStrength(
  purpose: number,
  detail: number,
  share = DETAIL_SHARE,
  mostDetail = Number.POSITIVE_INFINITY,
): number {
  return purpose + Math.min(share * detail, mostDetail);
}

/** The terms of a query of a few words that stand in the name of a candidate. */
function termsOfNames({ terms }: Query, candidates: readonly Candidate[]): ReadonlySet<number> {
  const isNamed = (term: number) =>
    candidates.some(({ document }) => ((document.fields[positionOf(document, term)] ?? 0) & 1) !== 0);
  return new Set(terms.length > MOST_OF_NAME ? [] : terms.filter(isNamed));
}

/**
 * What recorded queries add to the rank, word by word and pair by pair. They tell which words tell skills apart, and
 * that counts for every skill alike; a skill's own add their mentions, less where its purpose says the word already.
 */
function* askedFor(
  { document, recorded }: Candidate,
  { words, pairs, usualQueries }: AskedFeatures,
): Generator<[feature: number, rank: number]> {
  const usual = trustIn(usualQueries).words;
  const own = trustIn(countedQueries(recorded?.queries ?? 0, usualQueries));
  for (const [word, worth] of words) {
    const at = positionOf(document, word);
    const purpose = at < 0 ? 0 : PURPOSE_MENTIONS * (document.purpose[at] ?? 0);
    const mentions = recorded?.countOf(word) ?? 0;
    if (purpose + mentions === 0) continue;
    const queries = recorded?.queries ?? 0;
    const added = mentions === 0 ? 0 : strengthOf(purpose + mentions, queries) - strengthOf(purpose, queries);
    yield [word, worth * (usual * strengthOf(purpose, usualQueries) + own.words * added)];
  }
  if (recorded === undefined) return;
  for (const [pair, worth] of pairs) {
    const mentions = recorded.countOf(pair);
    if (mentions > 0) yield [pair, own.pairs * worth * strengthOf(mentions, recorded.queries)];
  }
}

/** Which fields hold which words of the query, the weightiest field first. */
export function explainMatch(
  query: Query,
  { document, recorded }: Candidate,
  wordOf: (term: number) => string,
): string[] {
  const found = new Map<string, string[]>();
  const note = (field: string, term: number) => found.set(field, [...(found.get(field) ?? []), wordOf(term)]);
  for (const term of query.terms) {
    const at = positionOf(document, term);
    const bits = at < 0 ? 0 : (document.fields[at] ?? 0);
    for (const [index, field] of FIELDS.entries()) if (bits & (1 << index)) note(field, term);
    if ((recorded?.countOf(term) ?? 0) > 0) note('recorded queries', term);
  }
  return ['recorded queries', ...FIELDS].flatMap((field) => {
    const terms = found.get(field);
    return terms === undefined ? [] : [`${field}: ${[...new Set(terms)].slice(0, 8).join(', ')}`];
  });
}
