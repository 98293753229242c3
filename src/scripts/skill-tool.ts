import { KnackError, messageOf } from '../errors.ts';
import type { Skill, SkillToolSpec } from '../skill/skill.ts';
import { schemaFault, schemaFaults } from '../text/json-schema.ts';
import { failure, type SkillToolAnswer } from './answer.ts';
import { runChain } from './chain.ts';
import { runScript } from './run-script.ts';
import type { Sandbox } from './sandbox.ts';

export type { SkillToolAnswer } from './answer.ts';

export interface SkillToolCall {
  readonly skill: Skill;
  readonly tool: string;
  readonly params: unknown;
  readonly sandbox: Sandbox;
  /** Finds other skills by name or alias, for the steps of a chain. Without it a chain stays within its skill. */
  readonly find?: (name: string) => Skill | undefined;
  readonly signal?: AbortSignal;
}

/** Chains within chains. */
const DEEPEST = 8;

/**
 * Runs one tool of a skill: parameters are validated before anything runs, then handed to the script as JSON on
 * standard input; what it prints is the data (as JSON if it is JSON), or an answer of its own in this form. A chain runs
 * its steps in the same way, one after another. Never throws, but for `aborted`.
 */
export function runSkillTool(call: SkillToolCall): Promise<SkillToolAnswer> {
  return runAt(call, []);
}

/** `way` holds the chains that led here, as `skill/tool`. */
async function runAt(call: SkillToolCall, way: readonly string[]): Promise<SkillToolAnswer> {
  const { skill, tool, params } = call;
  const spec = skill.tools.find(({ name }) => name === tool);
  if (spec === undefined) {
    const names = skill.tools.map(({ name }) => name).join(', ');
    return failure(
      'not_found',
      `${skill.name} has no tool "${tool}"; it has ${names === '' ? 'none' : names}`,
    );
  }
  if (skill.salvaged)
    return failure(
      'denied',
      `the front matter of ${skill.name} is broken, so its scripts do not run: mend ${skill.path}`,
    );
  const schemaProblem = schemaFault(spec.parameters);
  if (schemaProblem !== undefined)
    return failure(
      'runtime_error',
      `the parameters of "${spec.name}" in tools.yaml are no JSON Schema: ${schemaProblem}`,
    );
  const faults = schemaFaults(spec.parameters, params);
  if (faults.length > 0)
    return failure('invalid_params', `${faults.join('; ')}. Expected: ${JSON.stringify(spec.parameters)}`);
  try {
    return await runSpec(call, spec, way);
  } catch (error) {
    if (error instanceof KnackError && error.code === 'aborted') throw error;
    if (error instanceof KnackError && error.code === 'sandbox-missing')
      return failure('denied', error.message);
    return failure('runtime_error', messageOf(error));
  }
}

async function runSpec(
  call: SkillToolCall,
  spec: SkillToolSpec,
  way: readonly string[],
): Promise<SkillToolAnswer> {
  if (spec.run.kind === 'script') return runScript({ ...call, spec, script: spec.run.script });
  const own = `${call.skill.name}/${spec.name}`;
  const wayHere = [...way, own];
  if (way.includes(own))
    return failure('denied', `the chain runs itself in a circle: ${wayHere.join(' → ')}; take a step out`);
  if (wayHere.length > DEEPEST)
    return failure('denied', `chains stand more than ${DEEPEST} deep in each other: ${wayHere.join(' → ')}`);
  return runChain({
    ...call,
    spec,
    steps: spec.run.steps,
    find: call.find,
    runStep: (step) => runAt({ ...call, ...step }, wayHere),
  });
}
