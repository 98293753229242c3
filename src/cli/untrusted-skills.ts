import { basename, dirname } from 'node:path';
import { rootNameOf } from '../known-roots.ts';
import type { Library } from '../library/library.ts';
import { rootsOfPlace } from '../library/project/place-roots.ts';
import type { Project } from '../library/project/project.ts';
import { discoverSkills } from '../library/reading/discover.ts';
import { targetOf } from '../library/reading/folder-entries.ts';
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

/**
 * The files that would be skills if the places around the working folder were trusted, and what was passed over. Not
 * those that the library has all the same, by the user's own choice.
 */
export function untrustedSkills(
  { places }: Project,
  { entries }: Pick<Library, 'entries'>,
): { skills: UntrustedSkill[]; notes: string[] } {
  const inertPlaces = places.flatMap((each) => {
    const inert = whyInert(each);
    return inert === undefined ? [] : [{ place: each.place, inert }];
  });
  if (inertPlaces.length === 0) return { skills: [], notes: [] };
  const skills: UntrustedSkill[] = [];
  const notes: string[] = [];
  const seen = new Set(
    entries.map((entry) => realOf(entry.state === 'refused' ? entry.path : entry.skill.path)),
  );
  for (const { place, inert } of inertPlaces) {
    for (const { path: root } of rootsOfPlace(place)) {
      const found = discoverSkills(root, LIMITS);
      notes.push(
        ...found.problems.flatMap(({ problem }) =>
          problem.rule === 'discovery-limit' ? problem.message : [],
        ),
      );
      for (const { path, real } of found.files) {
        if (seen.has(real)) continue;
        seen.add(real);
        skills.push({
          name: basename(dirname(path)),
          state: 'untrusted',
          root: `project/${rootNameOf(root)}`,
          path,
          description: '',
          why: `${inOneLine(path)}: ${inert.message}. ${inert.remedy}`,
        });
      }
    }
  }
  return { skills, notes };
}

function realOf(path: string): string {
  const target = targetOf(path);
  return 'real' in target ? target.real : path;
}
