import { loadConfig } from '../config.ts';
import { KnackError } from '../errors.ts';
import { readFolder } from '../folder.ts';
import { linkFindings } from '../gate/format/links.ts';
import type { Library } from '../library/library.ts';
import type { Project } from '../library/project.ts';
import type { Workspace } from '../workspace.ts';
import type { CommandContext } from './command.ts';
import type { Diagnosis } from './doctor.ts';
import { homeRootLines, unusedHomeRoots } from './home-roots.ts';
import { inOneLine, whyInert } from './project-notes.ts';

const MOST_LINKS = 20;

/** Skills of other agents on this machine that are not used yet. */
export async function checkHomes(context: CommandContext, workspace: Workspace): Promise<Diagnosis[]> {
  const { environment } = context;
  const { roots } = await loadConfig(workspace.dir, environment);
  const unused = unusedHomeRoots(environment.home, [workspace.skills, ...roots]);
  if (unused.length === 0) return [];
  return [
    {
      what: 'roots',
      state: 'ok',
      message: `skills of other agents, not used: ${homeRootLines(unused).join(', ')}`,
      remedy: 'To use them too: knack init --roots',
    },
  ];
}

/** What is around the working folder, and whether it is in force. */
export function checkProject(project: Project): Diagnosis[] {
  return project.places.map((place): Diagnosis => {
    const inert = whyInert(place);
    return inert === undefined
      ? { what: 'checkout', state: 'ok', message: `${inOneLine(place.place.dir)} is trusted` }
      : { what: 'checkout', state: 'warning', ...inert };
  });
}

/** Links of skills in use that lead nowhere, neither from the file that has them nor from the skill's folder. */
export async function checkLinks(library: Library): Promise<Diagnosis[]> {
  const found: string[] = [];
  for (const skill of library.skills) {
    const candidate = await readFolder(skill.dir).catch((error: unknown) => {
      // Too large, or with links out of it: what can be read of it is used all the same.
      if (error instanceof KnackError) return undefined;
      throw error;
    });
    if (candidate === undefined) continue;
    for (const { rule, file, line, message } of linkFindings({ candidate, library, dir: skill.dir }))
      if (rule === 'broken-link') found.push(`${skill.dir}/${file}:${line}: ${message}`);
  }
  const shown = found.slice(0, MOST_LINKS).map(
    (message): Diagnosis => ({
      what: 'link',
      state: 'warning',
      message: inOneLine(message),
    }),
  );
  const rest = found.length - shown.length;
  return rest === 0
    ? shown
    : [...shown, { what: 'link', state: 'warning', message: `and ${rest} more links lead nowhere` }];
}
