import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { rootNameOf } from '../known-roots.ts';
import type { Project } from '../library/project/project.ts';
import { discoverSkills } from '../library/reading/discover.ts';
import { inOneLine, whyInert } from './project-notes.ts';

/** A skill that lies in a place which is not in force. It has not been read. */
export interface UntrustedSkill {
  /** Of its folder. */
  readonly name: string;
  readonly state: 'untrusted';
  readonly root: string;
  readonly path: string;
  readonly description: '';
  readonly why: string;
}

const LIMITS = { depth: 6, folders: 2000, skills: 500, loose: 0 };

/** The files that would be skills if the places around the working folder were trusted, and what was passed over. */
export function untrustedSkills({ places }: Project): { skills: UntrustedSkill[]; notes: string[] } {
  const skills: UntrustedSkill[] = [];
  const notes: string[] = [];
  for (const each of places) {
    const inert = whyInert(each);
    if (inert === undefined) continue;
    const { dir, checkout, homes } = each.place;
    for (const home of homes) {
      const root = realpathSync(join(dir, home));
      if (!statSync(root).isDirectory()) continue;
      if (root !== checkout && !root.startsWith(checkout.endsWith(sep) ? checkout : checkout + sep)) continue;
      const found = discoverSkills(join(dir, home), LIMITS);
      notes.push(
        ...found.problems.filter(({ rule }) => rule === 'discovery-limit').map(({ message }) => message),
      );
      for (const { path } of found.files)
        skills.push({
          name: basename(dirname(path)),
          state: 'untrusted',
          root: `project/${rootNameOf(home)}`,
          path,
          description: '',
          why: `${inOneLine(path)}: ${inert.message}. ${inert.remedy}`,
        });
    }
  }
  return { skills, notes };
}
