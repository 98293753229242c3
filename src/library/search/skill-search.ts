import type { Library, SearchHit, SearchOptions } from '../library.ts';
import type { PrepareOptions, SemanticStage } from '../meaning/semantic-stage.ts';
import { createVocabulary } from '../words/vocabulary.ts';
import { fuse } from './fusion.ts';
import { boundedQuery, clauseTexts } from './query.ts';

export interface SkillSearchOptions extends SearchOptions {
  /** Also says which clause of a long query finds each hit. @default false */
  readonly clauses?: boolean;
  readonly signal?: AbortSignal;
}

/** Search as people and models use it: by words, and by meaning where that is set up. */
export interface SkillSearch {
  /** Best first. The library's own search where there is no semantic stage or it has no answer in time. */
  search(query: string, options?: SkillSearchOptions): Promise<SearchHit[]>;
  /** Embeds what has no vector yet, so that the first query need not do without. Throws `aborted`. */
  prepare(options: PrepareOptions): Promise<void>;
}

/** Hits of each stage that are fused. */
const DEPTH = 50;
const LONGEST_CLAUSE = 80;

/** The one way to search; without a stage it is the library's own search. */
export function createSearch(library: Library, stage?: SemanticStage): SkillSearch {
  async function hitsOf(query: string, options: SkillSearchOptions): Promise<SearchHit[]> {
    const nearest = await stage?.nearest(library.skills, query, options.signal);
    if (nearest === undefined) return library.search(query, options);
    const limit = options.limit ?? 10;
    const exact = library.find(query.trim());
    return fuse(library.search(query, { ...options, limit: Math.max(DEPTH, limit) }), nearest, {
      limit,
      all: options.all === true,
      exact: exact && library.nameOf(exact),
      pathOf: (name) => library.find(name)?.path,
    });
  }
  return {
    async search(text, options = {}) {
      const query = boundedQuery(text);
      const hits = await hitsOf(query, options);
      return options.clauses === true ? withClauses(library, query, hits, options) : hits;
    },
    prepare: async (options) => stage?.prepare(library.skills, options),
  };
}

/** Hits that also say which clause brings them up when it is searched alone. */
function withClauses(
  library: Library,
  query: string,
  hits: readonly SearchHit[],
  { withoutRecorded = false }: SearchOptions,
): SearchHit[] {
  const found = clauseTexts(query, createVocabulary()).map((clause) => ({
    clause: clause.replace(/\s+/g, ' ').trim(),
    names: library.search(clause, { limit: DEPTH, withoutRecorded }).map(({ name }) => name),
  }));
  return hits.map((hit) => {
    const [best] = found
      .map(({ clause, names }) => ({ clause, rank: names.indexOf(hit.name) + 1 }))
      .filter(({ rank }) => rank > 0)
      .sort((left, right) => left.rank - right.rank);
    if (best === undefined) return hit;
    const shown =
      best.clause.length > LONGEST_CLAUSE ? `${best.clause.slice(0, LONGEST_CLAUSE)}…` : best.clause;
    return { ...hit, why: [...hit.why, `clause: "${shown}" finds it alone, at rank ${best.rank}`] };
  });
}
