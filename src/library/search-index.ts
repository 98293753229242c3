import type { Skill } from '../skill/skill.ts';
import { createFirstStage } from './first-stage.ts';
import type { SearchHit, SearchOptions } from './library.ts';
import { mendQuery } from './mend-query.ts';
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

/** Skills that the second stage ranks. */
const CANDIDATES = 120;
/** Below this nothing fits. */
const THRESHOLD = 0.7;
const EXACT_SCORE = 2;

/**
 * Lexical search in two stages: all skills by the terms that they hold, then the best of them ranked again as a whole.
 * Skills have names of their own each. Made anew where skills change: what is costly is kept in `prepared`.
 */
export function createSearchIndex(skills: readonly Skill[], parts: SearchIndexParts): SearchIndex {
  const { prepared, find, graph } = parts;
  const { vocabulary } = prepared;
  const stage = createFirstStage(skills, parts);
  const paths = new Map(skills.map((skill) => [skill.name, skill.path]));

  return {
    search(text, options = {}) {
      const query = mendQuery(readQuery(text, vocabulary), vocabulary, stage.words);
      const withoutRecorded = options.withoutRecorded === true;
      const candidates = stage.best(query.terms, CANDIDATES, withoutRecorded);
      const rankings = rankCandidates(query, candidates, stage);
      const hits = new Map<string, Ranking & { readonly why: () => readonly string[] }>();
      for (const [position, each] of candidates.entries()) {
        const ranking = rankings[position];
        if (ranking !== undefined)
          hits.set(each.document.skill.name, {
            ...ranking,
            why: () => explainMatch(query, each, vocabulary.termOf),
          });
      }
      for (const [name, { rank, fit, edge }] of nearbyHits(hits, graph(), withoutRecorded)) {
        const before = hits.get(name);
        if (paths.has(name)) hits.set(name, { rank, fit, why: () => [edge, ...(before?.why() ?? [])] });
      }
      const exact = find(text.trim())?.name;
      if (exact !== undefined && paths.has(exact))
        hits.set(exact, { rank: Number.POSITIVE_INFINITY, fit: EXACT_SCORE, why: () => ['exact name'] });
      const sorted = [...hits]
        .filter(([, { fit }]) => options.all === true || fit >= THRESHOLD)
        .sort(([a, left], [b, right]) => right.rank - left.rank || (a < b ? -1 : 1));
      return withScores(sorted.slice(0, options.limit ?? 10)).map(([name, score, why]) => ({
        name,
        path: paths.get(name) ?? '',
        score,
        why: why(),
      }));
    },
  };
}

/** Scores that fall with the order: a hit is as good as the best behind it. */
function withScores<Why>(
  sorted: readonly (readonly [string, { readonly fit: number; readonly why: Why }])[],
): [string, number, Why][] {
  let least = 0;
  return sorted
    .toReversed()
    .map(([name, { fit, why }]): [string, number, Why] => {
      least = Math.max(least, Math.round(fit * 1000) / 1000);
      return [name, least, why];
    })
    .toReversed();
}
