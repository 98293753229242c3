import { open, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import { schemaFault, schemaFaults } from '../json-schema.ts';
import type { Skill, SkillToolSpec } from '../skill/skill.ts';
import type { ProcessOutcome } from './process.ts';
import type { Sandbox } from './sandbox.ts';

export type SkillToolError = 'invalid_params' | 'runtime_error' | 'timeout' | 'not_found' | 'denied';

/** The answer of a skill's tool; `status` stands first, so that a model can mend its own call. */
export type SkillToolAnswer =
  | { readonly status: 'success'; readonly data: unknown }
  | { readonly status: 'error'; readonly error_type: SkillToolError; readonly message: string };

export interface SkillToolCall {
  readonly skill: Skill;
  readonly tool: string;
  readonly params: unknown;
  readonly sandbox: Sandbox;
  readonly signal?: AbortSignal;
}

const INTERPRETERS: Record<string, string> = {
  '.py': 'python3',
  '.sh': 'bash',
  '.mjs': 'node',
  '.js': 'node',
  '.cjs': 'node',
};

/**
 * Runs one tool of a skill: parameters are validated before anything runs, then handed to the script as JSON on
 * standard input; what it prints is the data (as JSON if it is JSON), or an answer of its own in this form.
 * Never throws, but for `aborted`.
 */
export async function runSkillTool(call: SkillToolCall): Promise<SkillToolAnswer> {
  const spec = call.skill.tools.find((tool) => tool.name === call.tool);
  if (spec === undefined) {
    const names = call.skill.tools.map((tool) => tool.name).join(', ');
    return failure(
      'not_found',
      `${call.skill.name} has no tool "${call.tool}"; it has ${names === '' ? 'none' : names}`,
    );
  }
  if (call.skill.salvaged)
    return failure(
      'denied',
      `the front matter of ${call.skill.name} is broken, so its scripts do not run: mend ${call.skill.path}`,
    );
  if (spec.run.kind === 'chain')
    return failure(
      'denied',
      `"${spec.name}" is a chain, and chains do not run yet: call its steps one by one`,
    );
  const schemaProblem = schemaFault(spec.parameters);
  if (schemaProblem !== undefined)
    return failure(
      'runtime_error',
      `the parameters of "${spec.name}" in tools.yaml are no JSON Schema: ${schemaProblem}`,
    );
  const faults = schemaFaults(spec.parameters, call.params);
  if (faults.length > 0)
    return failure('invalid_params', `${faults.join('; ')}. Expected: ${JSON.stringify(spec.parameters)}`);
  try {
    return await runScript(call, spec, spec.run.script);
  } catch (error) {
    if (error instanceof KnackError && error.code === 'aborted') throw error;
    if (error instanceof KnackError && error.code === 'sandbox-missing')
      return failure('denied', error.message);
    return failure('runtime_error', messageOf(error));
  }
}

async function runScript(
  call: SkillToolCall,
  spec: SkillToolSpec,
  relative: string,
): Promise<SkillToolAnswer> {
  const dir = await realpath(call.skill.dir);
  const script = await realpath(join(dir, relative)).catch(() => undefined);
  if (script === undefined) return failure('not_found', `${relative} does not exist in ${call.skill.dir}`);
  if (!script.startsWith(dir + sep))
    return failure('denied', `${relative} lies outside of ${call.skill.dir}`);
  const outcome = await call.sandbox.run({
    command: [...(await interpreterOf(script)), script],
    stdin: JSON.stringify(call.params ?? {}),
    readable: [dir],
    timeoutSeconds: spec.timeoutSeconds,
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });
  return readOutcome(outcome, spec);
}

/** By the ending, else by the first line; an executable file without either starts itself. */
async function interpreterOf(script: string): Promise<string[]> {
  const known = INTERPRETERS[extname(script)];
  if (known !== undefined) return [known];
  const file = await open(script);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    const shebang = /^#!\s*(\S+)(?:[ \t]+([^\n]*\S))?/.exec(buffer.toString('utf8', 0, bytesRead));
    if (shebang === null) return [];
    const [, program = '', argument] = shebang;
    return argument === undefined ? [program] : [program, argument];
  } finally {
    await file.close();
  }
}

function readOutcome(outcome: ProcessOutcome, spec: SkillToolSpec): SkillToolAnswer {
  if (outcome.timedOut)
    return failure(
      'timeout',
      `stopped after ${spec.timeoutSeconds} s; give it less to do, or raise timeout_s in tools.yaml (at most 120)`,
    );
  const printed = parsed(outcome.stdout);
  if (isAnswer(printed)) return printed;
  if (outcome.exitCode !== 0) {
    const words = (outcome.stderr.trim() || outcome.stdout.trim()).slice(-2000);
    return failure(
      'runtime_error',
      `exit code ${outcome.exitCode ?? 'none (ended by a signal)'}: ${words || 'no output'}`,
    );
  }
  if (outcome.truncated)
    return failure('runtime_error', 'the script wrote more than 256 KiB; let it write less');
  const faults = spec.returns === undefined ? [] : schemaFaults(spec.returns, printed);
  if (faults.length > 0)
    return failure(
      'runtime_error',
      `the answer is not what tools.yaml promises under returns: ${faults.join('; ')}`,
    );
  return { status: 'success', data: printed };
}

/** JSON as a value, anything else as text; so is a number that would not come back as it was printed. */
function parsed(stdout: string): unknown {
  try {
    const value: unknown = JSON.parse(stdout);
    return typeof value === 'number' && String(value) !== stdout.trim() ? stdout.trim() : value;
  } catch (error) {
    if (error instanceof SyntaxError) return stdout.trim();
    throw error;
  }
}

function isAnswer(value: unknown): value is SkillToolAnswer {
  if (typeof value !== 'object' || value === null || !('status' in value)) return false;
  if (value.status === 'success') return 'data' in value;
  return (
    value.status === 'error' &&
    'message' in value &&
    typeof value.message === 'string' &&
    'error_type' in value
  );
}

function failure(error_type: SkillToolError, message: string): SkillToolAnswer {
  return { status: 'error', error_type, message };
}
