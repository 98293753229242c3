import type { SearchHit, SearchOptions } from '../library.ts';
import type { Precedence } from '../precedence.ts';
import { EXACT_FIT, EXACT_SHARES } from './search-index.ts';

/** Hits with the shadowed skill first that a query names with its root: no index holds it. */
export function withShadowed(
  { find, nameOf }: Precedence,
  query: string,
  hits: SearchHit[],
  { limit = 10, among, shares }: SearchOptions = {},
): SearchHit[] {
  const exact = find(query.trim());
  if (exact === undefined || among?.(exact) === false) return hits;
  const name = nameOf(exact);
  if (name === exact.name) return hits;
  const hit = { name, path: exact.path, score: EXACT_FIT, why: ['exact name'] };
  return [shares === true ? { ...hit, shares: EXACT_SHARES } : hit, ...hits].slice(0, limit);
}
