import { unlistedIn } from '../disclosure/list-resources.ts';
import type { Library } from '../library/library.ts';
import type { Pause } from '../pause.ts';
import { counted } from '../text/counted.ts';
import type { Diagnosis } from './diagnosis.ts';
import { inOneLine } from './project-notes.ts';

/** What lies in the folders of skills in use and cannot be looked at, so that no model is told of it. */
export async function checkFiles(library: Library, pause: Pause): Promise<Diagnosis[]> {
  const found: string[] = [];
  const skills = new Set<string>();
  for (const skill of library.skills) {
    await pause();
    for (const line of await unlistedIn(skill)) {
      found.push(inOneLine(line));
      skills.add(skill.name);
    }
  }
  const [first] = found;
  if (first === undefined) return [];
  const more = found.length === 1 ? '' : `, and so with ${counted(found.length - 1, 'other')} (--verbose)`;
  return [
    {
      what: 'file',
      state: 'warning',
      message: `a part of ${counted(skills.size, 'skill')} is passed over: ${first}${more}`,
      details: found,
    },
  ];
}
