import { open, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Skill, SkillToolSpec } from '../skill/skill.ts';
import { asAnswer, failure, type SkillToolAnswer, success } from './answer.ts';
import type { ProcessOutcome } from './process.ts';
import type { Sandbox } from './sandbox.ts';

export interface ScriptRun {
  readonly skill: Skill;
  readonly spec: SkillToolSpec;
  /** Relative to the skill's folder. */
  readonly script: string;
  /** Valid under the tool's schema. */
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

/** Runs a script of a skill in the sandbox, which reads the skill's folder and nothing else. Throws what the sandbox does. */
export async function runScript(run: ScriptRun): Promise<SkillToolAnswer> {
  const { skill, spec, sandbox, signal } = run;
  const dir = await realpath(skill.dir);
  const script = await realpath(join(dir, run.script)).catch(() => undefined);
  if (script === undefined) return failure('not_found', `${run.script} does not exist in ${skill.dir}`);
  if (!script.startsWith(dir + sep)) return failure('denied', `${run.script} lies outside of ${skill.dir}`);
  const outcome = await sandbox.run({
    command: [...(await interpreterOf(script)), script],
    stdin: JSON.stringify(run.params ?? {}),
    readable: [dir],
    timeoutSeconds: spec.timeoutSeconds,
    ...(signal === undefined ? {} : { signal }),
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
  const answer = asAnswer(printed);
  // A script that fails after it printed a success has not succeeded.
  if (answer?.status === 'error' || (answer !== undefined && outcome.exitCode === 0))
    return answer.status === 'success' ? success(answer.data, spec) : answer;
  if (outcome.exitCode !== 0) {
    const words = (outcome.stderr.trim() || outcome.stdout.trim()).slice(-2000);
    return failure(
      'runtime_error',
      `exit code ${outcome.exitCode ?? 'none (ended by a signal)'}: ${words || 'no output'}`,
    );
  }
  if (outcome.truncated)
    return failure('runtime_error', 'the script wrote more than 256 KiB; let it write less');
  return success(printed, spec);
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
