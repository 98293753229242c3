import { dirname, relative, sep } from 'node:path';
import type { Problem } from '../../errors.ts';
import { listFolder, skillFileOf, within } from './folder-entries.ts';

const LIMITS = { depth: 6, folders: 500 };

/**
 * The skills that lie in the folder of another one, which no search finds: what is below a skill belongs to it. A remark
 * for each, with what to do; the same folders are passed over as in a search. `file` is the `SKILL.md` of the outer one.
 */
export function nestedSkills(file: string): Problem[] {
  const outer = dirname(file);
  const found: Problem[] = [];
  let left = LIMITS.folders;
  const look = (dir: string, depth: number): void => {
    left -= 1;
    const { entries } = listFolder(dir);
    const inner = dir === outer ? undefined : skillFileOf(entries);
    if (inner !== undefined) {
      const path = relative(outer, within(dir, inner.name)).split(sep).join('/');
      const message = `${path} lies in the folder of this skill and is no skill of its own; move its folder out of ${outer} to make it one`;
      found.push({ rule: 'nested-skill', severity: 'info', message });
    }
    for (const { name } of entries.filter((entry) => entry.isDirectory()))
      if (!name.startsWith('.') && name !== 'node_modules' && depth < LIMITS.depth && left > 0)
        look(within(dir, name), depth + 1);
  };
  look(outer, 0);
  return found;
}
