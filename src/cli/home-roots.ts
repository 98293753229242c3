import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_HOMES } from '../known-roots.ts';
import { discoverSkills } from '../library/reading/discover.ts';
import { counted } from '../text/counted.ts';

/** A place in the user's home folder where another agent keeps skills. */
export interface HomeRoot {
  /** As it is written in `roots`: `~/.claude/skills`. */
  readonly path: string;
  readonly dir: string;
  readonly skills: number;
}

/** The known homes on this machine that hold skills and are no roots yet, each folder once. */
export function unusedHomeRoots(home: string, used: readonly string[]): HomeRoot[] {
  const seen = new Set(used.map((dir) => (existsSync(dir) ? realpathSync(dir) : dir)));
  return KNOWN_HOMES.flatMap((agent) => agent.home).flatMap((path): HomeRoot[] => {
    const dir = join(home, path);
    // Also false where it may not be looked at.
    if (!existsSync(dir) || !statSync(dir).isDirectory()) return [];
    const real = realpathSync(dir);
    if (seen.has(real)) return [];
    seen.add(real);
    const skills = discoverSkills(dir).files.length;
    return skills === 0 ? [] : [{ path: `~/${path}`, dir, skills }];
  });
}

/** A line for each, `~/.claude/skills (12 skills)`. */
export function homeRootLines(roots: readonly HomeRoot[]): string[] {
  return roots.map(({ path, skills }) => `${path} (${counted(skills, 'skill')})`);
}
