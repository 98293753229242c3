import type { Skill } from '../../skill/skill.ts';
import { similarityFloor } from '../search/similarity-floor.ts';
import { rowsOf } from './dot-products.ts';
import type { KeptVector, VectorCache } from './vector-cache.ts';

/** How near the skills of a library are to a query by meaning. */
export interface Nearest {
  /** Cosine from which on a skill fits; below it lies what unrelated texts come to. */
  readonly floor: number;
  /** Cosine of a skill; undefined where it has no vector. */
  similarityOf(name: string): number | undefined;
  /** Skills with at least this cosine, nearest first, ties by name. */
  from(least: number): readonly (readonly [name: string, similarity: number])[];
}

/** The vectors of some skills. */
export interface SkillVectors {
  /** Undefined where what a skill fits from cannot be told. */
  nearest(query: KeptVector): Nearest | undefined;
}

/** The vectors that a cache has of these skills now. */
export function skillVectors(
  cache: VectorCache,
  skills: readonly Skill[],
  keyOf: (skill: Skill) => string,
): SkillVectors {
  const known = skills.flatMap((skill) => {
    const vector = cache.get(keyOf(skill));
    return vector === undefined ? [] : [{ name: skill.name, vector }];
  });
  const rows = rowsOf(
    known.map(({ vector }) => vector.numbers),
    Math.max(1, cache.dimensions ?? 1),
  );
  const norms = Float64Array.from(known, ({ vector }) => vector.norm);
  const places = new Map(known.map(({ name }, index) => [name, index]));
  const floor = similarityFloor(cache, skills.map(keyOf));
  return {
    nearest(query) {
      if (floor === undefined) return undefined;
      const similarities = new Float64Array(known.length);
      const products = rows.dots(query.numbers);
      for (let at = 0; at < known.length; at += 1)
        similarities[at] = (products[at] ?? 0) / ((norms[at] ?? 1) * query.norm);
      return {
        floor,
        similarityOf: (name) => similarities[places.get(name) ?? -1],
        from(least) {
          const found: (readonly [string, number])[] = [];
          for (const [at, { name }] of known.entries()) {
            const similarity = similarities[at] ?? 0;
            if (similarity >= least) found.push([name, similarity]);
          }
          return found.sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
        },
      };
    },
  };
}
