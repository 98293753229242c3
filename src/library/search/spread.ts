import type { SkillEdge } from '../library.ts';
import type { SkillGraph } from '../skill-graph.ts';
import type { Ranking } from './ranking.ts';

/** Share of a good hit's rank that what belongs to it gets besides its own. */
const SHARE: Record<SkillEdge['kind'], number> = { related: 0.4, calls: 0.4, 'co-use': 0.3, mention: 0.12 };
/** Share of a good hit's fit by which what belongs to it is let in: a mention alone only beside one that fits well. */
const PROOF: Record<SkillEdge['kind'], number> = { related: 0.75, calls: 0.75, 'co-use': 0.6, mention: 0.5 };
const SOURCES = 3;
const NEIGHBOURS = 6;

export interface NearbyHit extends Ranking {
  /** What it is held to the threshold by: its own fit stays what it is. */
  readonly admission: number;
  readonly edge: string;
  /** What an edge added to its own rank. */
  readonly lift: { readonly value: number; readonly edge: string };
}

/**
 * What the best hits name as belonging to them, with its better rank: all the skills of a task with several come up
 * together. Never ahead of the hit that names it, and one step far, so that circles end.
 */
export function nearbyHits(
  hits: ReadonlyMap<string, Ranking>,
  graph: SkillGraph,
  withoutRecorded: boolean,
): Map<string, NearbyHit> {
  const sources = [...hits]
    .sort(([a, left], [b, right]) => right.rank - left.rank || (a < b ? -1 : 1))
    .slice(0, SOURCES);
  const found = new Map<string, NearbyHit>();
  for (const [source, { rank, fit }] of sources) {
    const neighbours = graph.neighbours(source, withoutRecorded).slice(0, NEIGHBOURS);
    for (const { name, kind } of neighbours) {
      const own = hits.get(name);
      const fitting = own?.fit ?? 0;
      const before = found.get(name) ?? { rank: own?.rank ?? 0, admission: fitting, lift: NO_LIFT };
      const lifted = Math.max(before.rank, Math.min((own?.rank ?? 0) + SHARE[kind] * rank, 0.999 * rank));
      const admission = Math.max(before.admission, PROOF[kind] * fit);
      const edge = `${EDGE_WORDS[kind]} ${source}`;
      const lift = lifted > before.rank ? { value: lifted - (own?.rank ?? 0), edge } : before.lift;
      if (lifted > before.rank || admission > before.admission)
        found.set(name, { rank: lifted, fit: fitting, admission, edge, lift });
    }
  }
  return found;
}

const NO_LIFT: NearbyHit['lift'] = { value: 0, edge: '' };

const EDGE_WORDS: Record<SkillEdge['kind'], string> = {
  related: 'related to',
  calls: 'called by or calling',
  'co-use': 'used together with',
  mention: 'mentioned with',
};
