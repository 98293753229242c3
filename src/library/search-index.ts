import type { Skill } from '../skill/skill.ts';
import { createFirstStage } from './first-stage.ts';
import type { SearchHit, SearchOptions } from './library.ts';
import { mendQuery } from './mend-query.ts';
import { behindTwins, createTwinTexts } from './near-twins.ts';
import type { PreparedSkills } from './prepared-skills.ts';
import { readQuery } from './query.ts';
import { explainMatch, type Ranking, rankCandidates } from './ranking.ts';
import type { SkillGraph } from './skill-graph.ts';
import { nearbyHits } from './spread.ts';

export interface SearchIndex {
  /** Best first; ties by name. */
  search(query: string, options?: SearchOptions): SearchHit[];
}

export interface SearchIndexParts {
  /** Queries recorded with a skill on this machine. */
  readonly recorded: (skill: Skill) => readonly string[];
  /** The folder between a skill's root and its own; empty if there is none. */
  readonly category: (skill: Skill) => string;
  /** By name, alias or label. */
  readonly find: (name: string) => Skill | undefined;
  readonly graph: () => SkillGraph;
  /** Skills that were prepared before, so that a library made from another one costs little. */
  readonly prepared: PreparedSkills;
}

interface Hit extends Ranking {
  /** What is held to the threshold. */
  readonly admission: number;
  readonly why: () => readonly string[];
}

/** Skills that the second stage ranks. */
const CANDIDATES = 120;
/** Below this nothing fits. */
const THRESHOLD = 0.7;
const EXACT: Hit = {
  rank: Number.POSITIVE_INFINITY,
  fit: 2,
  admission: 2,
  why: () => ['exact name'],
};
/** Hits that are looked through for near-twins. */
const TWINS_AMONG = 30;

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

  return {
    search(text, options = {}) {
      const withoutRecorded = options.withoutRecorded === true;
      const query = mendQuery(readQuery(text, vocabulary), vocabulary, stage.wordsFor(withoutRecorded));
      const candidates = stage.best(query, CANDIDATES, withoutRecorded);
      const rankings = rankCandidates(query, candidates, stage.weightsFor(query, withoutRecorded));
      const hits = new Map<string, Hit>();
      for (const [position, each] of candidates.entries()) {
        const ranking = rankings[position];
        if (ranking !== undefined)
          hits.set(each.document.skill.name, {
            ...ranking,
            admission: ranking.fit,
            why: () => explainMatch(query, each, vocabulary.termOf),
          });
      }
      for (const [name, { edge, ...nearby }] of nearbyHits(hits, graph(), withoutRecorded)) {
        const before = hits.get(name);
        if (byName.has(name)) hits.set(name, { ...nearby, why: () => [edge, ...(before?.why() ?? [])] });
      }
      const exact = find(text.trim())?.name;
      if (exact !== undefined && byName.has(exact)) hits.set(exact, EXACT);
      const sorted = [...hits]
        .filter(([, { admission }]) => options.all === true || admission >= THRESHOLD)
        .sort(([a, left], [b, right]) => right.rank - left.rank || (a < b ? -1 : 1));
      const limit = options.limit ?? 10;
      return behindTwins(sorted, (name) => twinOf(byName.get(name)), Math.max(TWINS_AMONG, 2 * limit))
        .slice(0, limit)
        .map(([name, { fit, why }]) => ({
          name,
          path: byName.get(name)?.path ?? '',
          score: Math.round(fit * 1000) / 1000,
          why: why(),
        }));
    },
  };
}
