import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { discoverSkills } from '../../library/discover.ts';
import { readSkill } from '../../skill/parse.ts';
import type { SkillReading } from '../../skill/skill.ts';
import { locateWorkspace } from '../../workspace.ts';
import type { Act } from '../command.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument(
      '[paths...]',
      'skill folders, SKILL.md files, or folders full of skills (default: those of the workspace)',
    )
    .action(
      act(async (context, paths: string[]) => {
        const own = locateWorkspace(context.workspace, context.environment).skills;
        const readings: SkillReading[] = paths.length === 0 ? await readOwn(own) : [];
        for (const path of paths) readings.push(...(await readAll(resolve(context.cwd, path))));
        const skills = readings.map(describe);
        const summary = {
          found: skills.length,
          loadable: skills.filter((skill) => skill.loadable).length,
          strict: skills.filter((skill) => skill.strict).length,
        };
        context.output.result({ skills, summary }, () => {
          const lines = skills.flatMap((skill) => [
            `${skill.strict ? context.output.style('green', 'strict  ') : skill.loadable ? context.output.style('yellow', 'loadable') : context.output.style('red', 'refused ')}  ${skill.path}`,
            ...skill.problems.map(
              (problem) =>
                `    ${problem.severity} ${problem.rule}${problem.line ? ` (line ${problem.line})` : ''}: ${problem.message}`,
            ),
          ]);
          return [
            ...lines,
            ...(paths.length === 0 ? [`the workspace's own skills, in ${own}`] : []),
            `${summary.found} found, ${summary.loadable} loadable, ${summary.strict} strict`,
          ].join('\n');
        });
        const isSound = skills.every(
          ({ strict, problems }) => strict && problems.every(({ severity }) => severity !== 'error'),
        );
        return isSound ? 0 : 1;
      }),
    );
}

/** The skills of the writable root, which may have none or not be made yet. */
async function readOwn(dir: string): Promise<SkillReading[]> {
  if (!existsSync(dir)) return [];
  const { files, refused } = await discoverSkills(dir);
  return files.length + refused.length === 0 ? [] : readAll(dir);
}

/** Every skill at a path: a file, a skill's folder or a folder of skills. One that is no skill is a refused one. */
async function readAll(path: string): Promise<SkillReading[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new KnackError('not-found', `${path} does not exist`, { cause: error });
  });
  if (found.isFile()) return [await readSkill(path)];
  const { files, refused } = discoverSkills(path);
  const readings = await Promise.all(files.map((file) => readSkill(file.path)));
  const outside = refused.map(
    ({ path: file, problem }): SkillReading => ({ kind: 'refused', path: file, problems: [problem] }),
  );
  return readings.length + outside.length === 0 ? [await readSkill(path)] : [...readings, ...outside];
}

function describe(reading: SkillReading) {
  return reading.kind === 'loaded'
    ? {
        path: reading.skill.path,
        name: reading.skill.name,
        loadable: true,
        strict: reading.skill.strict,
        problems: reading.skill.problems,
      }
    : { path: reading.path, name: null, loadable: false, strict: false, problems: reading.problems };
}
