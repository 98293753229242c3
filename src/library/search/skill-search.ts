import type { Skill } from '../../skill/skill.ts';
import type { Library, SearchHit, SearchOptions } from '../library.ts';
import type { PrepareOptions, SemanticStage } from '../meaning/semantic-stage.ts';
import type { Nearest } from '../meaning/skill-vectors.ts';
import { fuse } from './fusion.ts';
import type { Narrowing } from './narrowing.ts';
import { boundedQuery, isShort } from './query.ts';
import { FITS } from './ranking.ts';
import { DECIDING } from './search-index.ts';

export interface SkillSearchOptions extends Omit<SearchOptions, 'among'> {
  /** Looks among the skills of some tags first; what is outside comes behind where it is right all the same. */
  readonly narrowing?: Narrowing;
  readonly signal?: AbortSignal;
}

/** Search as people and models use it: by words, and by meaning where that is set up. */
export interface SkillSearch {
  /**
   * Best first. The library's own search where there is no semantic stage or it has no answer in time. A query without
   * words lists the skills that it is narrowed to.
   */
  search(query: string, options?: SkillSearchOptions): Promise<SearchHit[]>;
  /** Embeds what has no vector yet, so that the first query need not do without. Throws `aborted`. */
  prepare(options: PrepareOptions): Promise<void>;
}

/** Hits of each stage that are fused. */
const DEPTH = 50;
/** How many times as well as all within a skill outside of the tags has to fit to be shown although something within does. */
const MUCH_BETTER = 2;
const MOST_BETTER = 3;

/** The one way to search; without a stage it is the library's own search. */
export function createSearch(library: Library, stage?: SemanticStage): SkillSearch {
  function hitsOf(query: string, nearest: Nearest | undefined, options: SearchOptions): SearchHit[] {
    if (nearest === undefined) return byWords(query, options);
    const { limit = 10, all = false, shares = false, among } = options;
    const exact = library.find(query.trim());
    const words = library.search(query, { ...options, limit: Math.max(DEPTH, limit) });
    return fuse(words, among === undefined ? nearest : nearestAmong(library, nearest, among), {
      limit,
      all,
      shares,
      exact: exact && library.nameOf(exact),
      pathOf: (name) => library.find(name)?.path,
    });
  }
  function byWords(query: string, options: SearchOptions): SearchHit[] {
    const { limit = 10, all = false } = options;
    if (all || limit >= DECIDING || !isShort(query)) return library.search(query, options);
    return fewOf(library.search(query, { ...options, limit: DECIDING }), limit);
  }
  return {
    async search(text, { narrowing, signal, ...options } = {}) {
      const query = boundedQuery(text);
      const isNarrowed = narrowing !== undefined && narrowing.tags.length > 0;
      if (isNarrowed && query.trim() === '') return listed(narrowing, options);
      const nearest = await stage?.nearest(library.skills, query, signal);
      const search = (more: SearchOptions) => hitsOf(query, nearest, { ...options, ...more });
      return isNarrowed ? narrowed(library, query, { narrowing, options, search }) : search({});
    },
    prepare: async (options) => stage?.prepare(library.skills, options),
  };
}

/** The first of few hits, in their order, none that only may fit in place of one that fits. */
function fewOf(hits: readonly SearchHit[], limit: number): SearchHit[] {
  const fits = ({ score }: SearchHit) => score >= FITS;
  const chosen = new Set([...hits.filter(fits), ...hits.filter((hit) => !fits(hit))].slice(0, limit));
  return hits.filter((hit) => chosen.has(hit));
}

function nearestAmong(library: Library, nearest: Nearest, among: (skill: Skill) => boolean): Nearest {
  const isWanted = (name: string) => {
    const skill = library.find(name);
    return skill !== undefined && among(skill);
  };
  return {
    floor: nearest.floor,
    similarityOf: (name) => (isWanted(name) ? nearest.similarityOf(name) : undefined),
    from: (least) => nearest.from(least).filter(([name]) => isWanted(name)),
  };
}

/**
 * First what is within. What is outside comes behind it where nothing within fits, where the query names such a skill,
 * where it fits far better, or where everything is asked for: a tag that somebody forgot hides nothing.
 */
function narrowed(
  library: Library,
  query: string,
  parts: {
    readonly narrowing: Narrowing;
    readonly options: SearchOptions;
    readonly search: (more: SearchOptions) => SearchHit[];
  },
): SearchHit[] {
  const { narrowing, options, search } = parts;
  const { limit = 10 } = options;
  const exact = library.find(query.trim());
  const isNamedOutside = exact !== undefined && !narrowing.holds(exact);
  const found = search({ among: narrowing.holds });
  const isWhole = found.length === 0 || options.all === true || isNamedOutside;
  const among = (skill: Skill) => !narrowing.holds(skill);
  const best = Math.max(FITS / MUCH_BETTER, ...found.map(({ score }) => score));
  const better = isWhole
    ? []
    : search({ limit: MOST_BETTER, among }).filter(({ score }) => score >= MUCH_BETTER * best);
  // What is named, or far better, has a place in any case.
  const reserved = isNamedOutside ? 1 : Math.min(better.length, limit - 1);
  const within = found.slice(0, limit - reserved);
  const room = limit - within.length;
  const outside = isWhole ? (room === 0 ? [] : search({ limit: room, among })) : better.slice(0, room);
  return [
    ...within,
    ...outside.map((hit) => {
      const skill = library.find(hit.name);
      return skill === undefined ? hit : { ...hit, why: [narrowing.outside(skill), ...hit.why] };
    }),
  ];
}

/** The skills of some tags, as hits: each is what was asked for. */
function listed({ skills, within }: Narrowing, { limit = 10 }: SearchOptions): SearchHit[] {
  return skills.slice(0, limit).map((skill) => ({
    name: skill.name,
    path: skill.path,
    score: 1,
    why: within(skill),
  }));
}
