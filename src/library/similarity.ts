import type { Skill } from '../skill/skill.ts';
import { termsOf } from './tokenize.ts';

type Compared = Pick<Skill, 'name' | 'description' | 'body'>;

const SHINGLE = 3;

/**
 * How much two skills say the same, 0 to 1: the larger of what their bodies share in runs of three terms (against the
 * shorter one) and what descriptions, names and bodies share in single terms.
 */
export function similarity(left: Compared, right: Compared): number {
  const [leftBody, rightBody] = [termsOf(left.body), termsOf(right.body)];
  const runs = contained(shingles(leftBody), shingles(rightBody));
  const head = dice(
    new Set(termsOf(`${left.name} ${left.description}`)),
    new Set(termsOf(`${right.name} ${right.description}`)),
  );
  const body = dice(new Set(leftBody), new Set(rightBody));
  return Math.max(runs, 0.6 * head + 0.4 * body);
}

function shingles(terms: readonly string[]): Set<string> {
  return new Set(terms.slice(SHINGLE - 1).map((_, index) => terms.slice(index, index + SHINGLE).join(' ')));
}

/** Share of the smaller set that the larger one holds; too small a set says nothing. */
function contained(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const [small, large] = left.size < right.size ? [left, right] : [right, left];
  if (small.size < 8) return 0;
  return shared(small, large) / small.size;
}

function dice(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  return left.size + right.size === 0 ? 0 : (2 * shared(left, right)) / (left.size + right.size);
}

function shared(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let count = 0;
  for (const item of left) if (right.has(item)) count += 1;
  return count;
}
