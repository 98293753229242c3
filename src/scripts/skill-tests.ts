import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KnackError } from '../errors.ts';
import { type Folder, writeFolder } from '../files/folder.ts';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { Skill } from '../skill/skill.ts';
import type { Sandbox } from './sandbox.ts';
import { runSkillTool } from './skill-tool.ts';

export interface SkillTestOutcome {
  readonly name: string;
  readonly tool: string;
  readonly passed: boolean;
  /** What was expected and what came, for a failed case. */
  readonly detail?: string;
}

/** Runs every case of a skill's `tests.yaml`, in order; `find` knows the skills of chains. Never throws, but for `aborted`. */
export async function runSkillTests(
  skill: Skill,
  sandbox: Sandbox,
  options: { signal?: AbortSignal; find?: (name: string) => Skill | undefined } = {},
): Promise<SkillTestOutcome[]> {
  const outcomes: SkillTestOutcome[] = [];
  for (const { name, tool, params, expect } of skill.tests) {
    const answer = await runSkillTool({ skill, tool, params, sandbox, ...options });
    const faults = Object.entries(expect).flatMap(([path, wanted]) => {
      const found = valueAt(answer, path);
      return isDeepStrictEqual(found, wanted)
        ? []
        : [`${path}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`];
    });
    const detail =
      faults.length === 0
        ? {}
        : { detail: `${faults.join('; ')}; the answer was ${JSON.stringify(answer).slice(0, 500)}` };
    outcomes.push({ name, tool, passed: faults.length === 0, ...detail });
  }
  return outcomes;
}

/** Runs the tests of a skill that stands nowhere yet: the folder is written aside for the time of the run. */
export async function runFolderTests(
  dir: string,
  folder: Folder,
  sandbox: Sandbox,
  find?: (name: string) => Skill | undefined,
): Promise<SkillTestOutcome[]> {
  const aside = await makeTemporaryFolder('knack-tests');
  try {
    const place = join(aside, basename(dir));
    await writeFolder(place, folder);
    const reading = parseSkillFolder(place, folder);
    if (reading.kind === 'refused')
      throw new KnackError('skill-invalid', `${basename(dir)} cannot be read, so its tests cannot run`);
    return await runSkillTests(reading.skill, sandbox, find === undefined ? {} : { find });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, key) =>
        typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined,
      value,
    );
}
