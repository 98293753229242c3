import { dirname, relative } from 'node:path';
import type { Problem } from '../../errors.ts';
import { withSlashes } from '../../files/folder.ts';
import { listFolder, skillFileOf, targetOf, within } from './folder-entries.ts';

/** A `SKILL.md` in the folder of another skill, which is none of its own: what is below a skill belongs to it. */
export interface NestedSkill {
  readonly path: string;
  /** Says so and what to do. */
  readonly problem: Problem;
}

const LIMITS = { depth: 6, folders: 500 };

/**
 * The skills that lie in the folder of another one, which no search finds; the same folders are passed over as in a
 * search. `file` is the `SKILL.md` of the outer one; nothing lies below what is no file.
 */
export function nestedSkills(file: string): NestedSkill[] {
  if (targetOf(file).kind !== 'file') return [];
  const outer = dirname(file);
  const found: NestedSkill[] = [];
  let left = LIMITS.folders;
  const look = (dir: string, depth: number): void => {
    left -= 1;
    const { entries } = listFolder(dir);
    const inner = dir === outer ? undefined : skillFileOf(entries);
    if (inner !== undefined) {
      const path = within(dir, inner.name);
      const place = withSlashes(relative(outer, path));
      const message = `${place} lies in the folder of the skill ${outer}, to which it belongs, and is no skill of its own; move its folder out of there to make it one`;
      found.push({ path, problem: { rule: 'nested-skill', severity: 'info', message } });
    }
    for (const { name } of entries.filter((entry) => entry.isDirectory()))
      if (!name.startsWith('.') && name !== 'node_modules' && depth < LIMITS.depth && left > 0)
        look(within(dir, name), depth + 1);
  };
  look(outer, 0);
  return found;
}
