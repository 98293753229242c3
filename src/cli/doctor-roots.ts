import { loadConfig } from '../config.ts';
import { KnackError } from '../errors.ts';
import { readFolder } from '../files/folder.ts';
import { linkFindings } from '../gate/format/links.ts';
import type { Library, SkillRoot } from '../library/library.ts';
import type { Project } from '../library/project/project.ts';
import type { Pause } from '../pause.ts';
import { counted } from '../text/counted.ts';
import type { Workspace } from '../workspace.ts';
import type { CommandContext } from './command.ts';
import type { Diagnosis } from './diagnosis.ts';
import { homeRootLines, unusedHomeRoots } from './home-roots.ts';
import { initWords } from './init-words.ts';
import { inOneLine, whyInert } from './project-notes.ts';

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
      remedy: `To use them too: ${initWords(context, '--roots')}`,
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

/** Links of skills in use that lead nowhere, neither from the file that has them nor from the skill's folder, by root. */
export async function checkLinks(library: Library, pause: Pause): Promise<Diagnosis[]> {
  const found = new Map<SkillRoot, { links: string[]; skills: Set<string> }>();
  for (const skill of library.skills) {
    await pause();
    const candidate = await readFolder(skill.dir).catch((error: unknown) => {
      // Too large, or with links out of it: what can be read of it is used all the same.
      if (error instanceof KnackError) return undefined;
      throw error;
    });
    if (candidate === undefined) continue;
    const root = library.rootOf(skill);
    const { links, skills } = found.get(root) ?? { links: [], skills: new Set() };
    for (const { rule, file, line, message } of linkFindings({ candidate, library, dir: skill.dir })) {
      if (rule !== 'broken-link') continue;
      links.push(`${skill.dir}/${file}:${line}: ${message}`);
      found.set(root, { links, skills: skills.add(skill.name) });
    }
  }
  const order = library.roots.map(({ dir }) => dir);
  const inOrder = [...found].sort(([left], [right]) => order.indexOf(left.dir) - order.indexOf(right.dir));
  return inOrder.map(
    ([root, { links, skills }]): Diagnosis => ({
      what: 'link',
      state: 'warning',
      message: `${counted(links.length, 'link leads', 'links lead')} nowhere in ${counted(skills.size, 'skill')} of ${inOneLine(root.dir)}`,
      remedy: 'See them: knack doctor --verbose',
      details: links.map(inOneLine),
    }),
  );
}
