import { realpathSync } from 'node:fs';
import { isSystemError } from '../../errors.ts';
import type { SkillRoot } from '../library.ts';

/** Roots by the folders that they lead to. */
export interface DistinctRoots {
  /** The first of each folder, in their order, also those that are not there. */
  readonly roots: readonly SkillRoot[];
  /** Further ones that lead to a folder which the root `as` stands for. */
  readonly again: readonly { readonly root: SkillRoot; readonly as: SkillRoot }[];
}

/** Tells apart the roots that lead to one folder, by the same path or through links. */
export function distinctRoots(given: readonly SkillRoot[]): DistinctRoots {
  const firsts = new Map<string, SkillRoot>();
  const again: { root: SkillRoot; as: SkillRoot }[] = [];
  for (const root of given) {
    const real = realOf(root.dir);
    const as = firsts.get(real);
    if (as === undefined) firsts.set(real, root);
    else again.push({ root, as });
  }
  return { roots: [...firsts.values()], again };
}

function realOf(dir: string): string {
  try {
    return realpathSync(dir);
  } catch (error) {
    if (isSystemError(error)) return dir;
    throw error;
  }
}
