import type { Skill } from '../../skill/skill.ts';
import type { RankShare, RankShares, SearchHit, SearchOptions } from '../library.ts';
import type { SkillGraph } from '../skill-graph.ts';
import { wordsByTerm } from '../words/spelled-words.ts';
import type { QueryVocabulary } from '../words/vocabulary.ts';
import { createFirstStage } from './first-stage.ts';
import { type IndexedWords, mendQuery } from './mend-query.ts';
import { behindTwins, createTwinTexts } from './near-twins.ts';
import type { PreparedSkills } from './prepared-skills.ts';
import { clauseTexts, type Query, readQuery } from './query.ts';
import { type RankParts, scaledParts } from './rank-parts.ts';
import { sharesOf } from './rank-shares.ts';
import {
  type Candidate,
  explainMatch,
  FITS,
  type Ranking,
  rankCandidates,
  type TermWeights,
} from './ranking.ts';
import { otherReadings, type Reading } from './readings.ts';
import { positionOf } from './skill-document.ts';
import { type NearbyHit, nearbyHits } from './spread.ts';

export interface SearchIndex {
  /** Best first; ties by name. */
  search(query: string, options?: SearchOptions): SearchHit[];
}

export interface SearchIndexParts {
  /** Queries recorded with a skill on this machine. */
  readonly recorded: (skill: Skill) => readonly string[];
  /** The folder that a skill is sorted into; empty if there is none. */
  readonly category: (skill: Skill) => string;
  /** By name, alias or label; of the listed skills alone. */
  readonly find: (name: string) => Skill | undefined;
  readonly graph: () => SkillGraph;
  /** Skills that were prepared before, so that a library made from another one costs little. */
  readonly prepared: PreparedSkills;
}

interface Hit extends Ranking {
  /** What is held to the threshold. */
  readonly admission: number;
  readonly why: () => readonly string[];
  /** Add up to the rank; only where they were asked for. */
  readonly shares: () => readonly RankShare[];
}

/** What puts a copy right behind what it is a copy of. */
const BEHIND = 1 - 1e-9;
/** Skills that the second stage ranks. */
const CANDIDATES = 120;
/** Below this a hit does not fit even beside one that does. */
const LEAST_FIT = 0.2;
/** Hits, best first, of which one has to fit by itself: else nothing does. */
export const DECIDING = 10;
/** The score of an exact name. */
export const EXACT_FIT = 2;
export const EXACT_SHARES: RankShares = {
  rank: Number.POSITIVE_INFINITY,
  parts: [{ part: 'exact name', value: Number.POSITIVE_INFINITY }],
};
const EXACT: Hit = {
  rank: Number.POSITIVE_INFINITY,
  fit: EXACT_FIT,
  admission: EXACT_FIT,
  why: () => ['exact name'],
  shares: () => EXACT_SHARES.parts,
};

/** Hits that are looked through for near-twins at least, and the different ones that are enough. */
const TWINS_AMONG = 30;
const MOST_DIFFERENT = 40;

/**
 * Lexical search in two stages: all skills by the terms that they hold, then the best of them ranked again as a whole.
 * Skills have names of their own each. Made anew where skills change: what is costly is kept in `prepared`.
 */
export function createSearchIndex(skills: readonly Skill[], parts: SearchIndexParts): SearchIndex {
  const { prepared, find, graph } = parts;
  const { vocabulary } = prepared;
  const stage = createFirstStage(skills, parts);
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const twinOf = createTwinTexts(vocabulary);

  /** What the second stage says of the best skills for one way to write the query, copies right behind. */
  function hitsOf(
    { text, wanted, share, stands }: Reading,
    asked: QueryVocabulary,
    words: IndexedWords,
    { withoutRecorded = false, among, shares = false }: SearchOptions,
    spelling: (skill: Skill) => (term: number) => string,
  ): Map<string, Hit> {
    const query = mendQuery(text, readQuery(text, asked), asked, words);
    const candidates = stage.best(query, CANDIDATES, withoutRecorded, among);
    const rankings = rankCandidates(
      query,
      candidates,
      weightsFor(query, asked, stands, withoutRecorded),
      shares,
    );
    const clauseAt = (index: number) => clauseTexts(text, asked)[index] ?? '';
    const sharesFor = (skill: Skill, ranked: RankParts) => () =>
      sharesOf(ranked, {
        skill,
        category: parts.category(skill),
        vocabulary,
        wordOf: spelling(skill),
        clauseAt,
      });
    const hits = new Map<string, Hit>();
    for (const [position, each] of candidates.entries()) {
      const ranking = rankings[position];
      if (ranking === undefined || !wanted.every((term) => isMeant(each, term))) continue;
      const { skill } = each.document;
      const hit: Hit = {
        rank: share * ranking.rank,
        fit: ranking.fit,
        admission: ranking.fit,
        why: () => explainMatch(query, each, spelling(skill)),
        shares: ranking.parts === undefined ? noShares : sharesFor(skill, scaledParts(ranking.parts, share)),
      };
      hits.set(skill.name, hit);
      for (const { name } of each.copies) hits.set(name, copyOf(hit, skill.name));
    }
    return hits;
  }

  function isMeant({ document }: Candidate, term: number): boolean {
    return (document.purpose[positionOf(document, term)] ?? 0) > 0;
  }

  function weightsFor(
    query: Query,
    { termOf }: QueryVocabulary,
    stands: Reading['stands'],
    withoutRecorded: boolean,
  ): TermWeights {
    const weights = { ...stage.weightsFor(query, withoutRecorded), termOf };
    const { weightOf } = weights;
    if (stands === undefined) return weights;
    return {
      ...weights,
      weightOf: (term) => Math.min(weightOf(term), weightOf(term === stands.term ? stands.for : term)),
    };
  }

  return {
    search(text, options = {}) {
      const withoutRecorded = options.withoutRecorded === true;
      const words = stage.wordsFor(withoutRecorded);
      const asked = vocabulary.forQuery();
      let askedWords: ReadonlyMap<string, string> | undefined;
      /** A word as it was asked for, else as the skill has it, where the query was mended. */
      const spelling = ({ name, description, tags, body }: Skill) => {
        let held: ReadonlyMap<string, string> | undefined;
        return (number: number) => {
          const term = asked.termOf(number);
          askedWords ??= wordsByTerm(text);
          const word = askedWords.get(term);
          if (word !== undefined) return word;
          held ??= wordsByTerm([name, description, ...tags, body].join('\n'));
          return held.get(term) ?? term;
        };
      };
      const hits = new Map<string, Hit>();
      for (const reading of [{ text, wanted: [], share: 1 }, ...otherReadings(text, asked, words)])
        for (const [name, hit] of hitsOf(reading, asked, words, options, spelling)) {
          const before = hits.get(name);
          if (before === undefined || hit.rank > before.rank) hits.set(name, hit);
        }
      const { among } = options;
      const isWanted = (name: string) => {
        const skill = byName.get(name);
        return skill !== undefined && among?.(skill) !== false;
      };
      for (const [name, { edge, lift, ...nearby }] of nearbyHits(hits, graph(), withoutRecorded)) {
        const before = hits.get(name);
        if (isWanted(name))
          hits.set(name, {
            ...nearby,
            why: () => [edge, ...(before?.why() ?? [])],
            shares: () => [...(before?.shares() ?? []), ...liftShare(lift)],
          });
      }
      const exact = find(text.trim())?.name;
      if (exact !== undefined && isWanted(exact)) hits.set(exact, EXACT);
      const limit = options.limit ?? 10;
      const sorted = behindTwins(
        [...hits].sort(([a, left], [b, right]) => right.rank - left.rank || (a < b ? -1 : 1)),
        (name) => twinOf(byName.get(name)),
        {
          among: Math.max(TWINS_AMONG, 2 * limit),
          different: Math.min(Math.max(limit, DECIDING), MOST_DIFFERENT),
        },
      );
      const isAnswered = sorted.slice(0, DECIDING).some(([, { admission }]) => admission >= FITS);
      return (options.all === true ? sorted : isAnswered ? sorted.filter(mayFit) : [])
        .slice(0, limit)
        .map(([name, { rank, fit, why, shares }]) => ({
          name,
          path: byName.get(name)?.path ?? '',
          score: Math.round(fit * 1000) / 1000,
          why: why(),
          ...(options.shares === true ? { shares: { rank, parts: shares() } } : {}),
        }));
    },
  };
}

function noShares(): readonly RankShare[] {
  return [];
}

/** A hit for a skill that says the same as the one it stands behind. */
function copyOf(hit: Hit, name: string): Hit {
  const rank = hit.rank * BEHIND;
  return {
    ...hit,
    rank,
    shares:
      hit.shares === noShares
        ? noShares
        : () => [...hit.shares(), { part: 'copy', value: rank - hit.rank, of: name }],
  };
}

function liftShare({ value, edge }: NearbyHit['lift']): RankShare[] {
  return value === 0 ? [] : [{ part: 'edge', value, of: edge }];
}

function mayFit([, { admission }]: readonly [name: string, hit: Hit]): boolean {
  return admission >= LEAST_FIT;
}
