import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KnackError } from '../errors.ts';
import { type Folder, writeFolder } from '../folder.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { Skill, SkillTestCase, SkillToolSpec } from '../skill/skill.ts';
import type { Sandbox } from './sandbox.ts';
import { runSkillTool } from './skill-tool.ts';

export interface SkillTestOutcome {
  readonly name: string;
  readonly tool: string;
  readonly passed: boolean;
  /** What was expected and what came, for a failed case. */
  readonly detail?: string;
}

/** Runs every case of a skill's `tests.yaml`, in order. Never throws, but for `aborted`. */
export async function runSkillTests(
  skill: Skill,
  sandbox: Sandbox,
  options: { signal?: AbortSignal } = {},
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
): Promise<SkillTestOutcome[]> {
  const aside = await mkdtemp(join(tmpdir(), 'knack-tests-'));
  try {
    const place = join(aside, basename(dir));
    await writeFolder(place, folder);
    const reading = parseSkillFolder(place, folder);
    if (reading.kind === 'refused')
      throw new KnackError('skill-invalid', `${basename(dir)} cannot be read, so its tests cannot run`);
    return await runSkillTests(reading.skill, sandbox);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Cases to start from: for each tool one that leaves every required parameter out, and one with an example of each. */
export function proposeCases(skill: Skill): SkillTestCase[] {
  return skill.tools.flatMap((tool) => {
    const required = requiredOf(tool);
    const refused: SkillTestCase[] =
      required.length === 0
        ? []
        : [
            {
              name: `${tool.name} refuses a call without ${required.join(', ')}`,
              tool: tool.name,
              params: {},
              expect: { status: 'error', error_type: 'invalid_params' },
            },
          ];
    const params = Object.fromEntries(
      Object.entries(propertiesOf(tool))
        .filter(([key]) => required.includes(key))
        .map(([key, schema]) => [key, exampleOf(schema)]),
    );
    return [
      ...refused,
      { name: `${tool.name} answers`, tool: tool.name, params, expect: { status: 'success' } },
    ];
  });
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

function requiredOf(tool: SkillToolSpec): string[] {
  const { required } = tool.parameters;
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

function propertiesOf(tool: SkillToolSpec): Record<string, Record<string, unknown>> {
  return (tool.parameters['properties'] ?? {}) as Record<string, Record<string, unknown>>;
}

function exampleOf(schema: Record<string, unknown>): unknown {
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'example';
  }
}
