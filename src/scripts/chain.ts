import { KnackError } from '../errors.ts';
import type { ChainStep, Skill, SkillToolSpec } from '../skill/skill.ts';
import { failure, type SkillToolAnswer, success } from './answer.ts';
import { fillIn, type Scope } from './fill-in.ts';

export interface ChainRun {
  readonly skill: Skill;
  readonly spec: SkillToolSpec;
  readonly steps: readonly ChainStep[];
  /** Valid under the tool's schema. */
  readonly params: unknown;
  /** Finds the skill of a step that is not of the same skill. */
  readonly find: ((name: string) => Skill | undefined) | undefined;
  readonly signal?: AbortSignal;
  /** Runs one step, validation and all. */
  readonly runStep: (step: {
    skill: Skill;
    tool: string;
    params: unknown;
    signal: AbortSignal;
  }) => Promise<SkillToolAnswer>;
}

/**
 * Runs the steps one after another and answers with what the last one gave. The first error ends it and is named with
 * its step. The time of the chain is that of all its steps together. Throws `aborted` on the signal alone.
 */
export async function runChain(run: ChainRun): Promise<SkillToolAnswer> {
  const { spec, signal } = run;
  const controller = new AbortController();
  const stop = () => controller.abort();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, spec.timeoutSeconds * 1000);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const progress = { at: '' };
  try {
    return await runSteps(run, controller.signal, progress);
  } catch (error) {
    const isOwnEnd = timedOut && signal?.aborted !== true;
    if (!isOwnEnd || !(error instanceof KnackError) || error.code !== 'aborted') throw error;
    const remedy = 'give it less to do, or raise timeout_s in tools.yaml (at most 120)';
    return failure('timeout', `stopped after ${spec.timeoutSeconds} s in ${progress.at}; ${remedy}`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

async function runSteps(
  run: ChainRun,
  signal: AbortSignal,
  progress: { at: string },
): Promise<SkillToolAnswer> {
  const { spec, steps } = run;
  const answers: Record<string, { data: unknown }> = {};
  const scope: Scope = {
    input: (run.params ?? {}) as Record<string, unknown>,
    steps: answers,
    optional: optionalOf(spec),
  };
  let data: unknown;
  for (const [index, step] of steps.entries()) {
    progress.at = `step ${index + 1} (${step.tool})`;
    const place = placeOf(step, run);
    if (place === undefined) return failure('not_found', `${progress.at}: there is no such skill here`);
    const filled = fillIn(step.params, scope);
    if (!filled.ok) {
      const before = index === 0 ? '' : `; step ${index} answered ${JSON.stringify(data).slice(0, 300)}`;
      return failure('invalid_params', `${progress.at}: ${filled.fault}${before}`);
    }
    const answer = await run.runStep({ ...place, params: filled.params, signal });
    if (answer.status === 'error') return { ...answer, message: `${progress.at}: ${answer.message}` };
    data = answer.data;
    answers[String(index + 1)] = { data };
  }
  return success(data, spec);
}

/** Every `skill/tool` that a call comes to, itself first, each once, names in full: what an approval is asked for. */
export function toolsReached(
  skill: Skill,
  tool: string,
  find: (name: string) => Skill | undefined,
): readonly string[] {
  const open = [{ skill, tool }];
  const reached = new Map<string, true>();
  for (let here = open.shift(); here !== undefined; here = open.shift()) {
    const name = `${here.skill.name}/${here.tool}`;
    if (reached.has(name)) continue;
    reached.set(name, true);
    const owner = here.skill;
    const run = owner.tools.find((spec) => spec.name === here?.tool)?.run;
    const steps = run?.kind === 'chain' ? run.steps : [];
    open.push(...steps.flatMap((step) => placeOf(step, { skill: owner, find }) ?? []));
  }
  return [...reached.keys()];
}

/** A name with a slash belongs to the skill before it; the skill itself stands for its own name, whatever is listed. */
function placeOf(
  step: ChainStep,
  { skill, find }: Pick<ChainRun, 'skill' | 'find'>,
): { skill: Skill; tool: string } | undefined {
  const slash = step.tool.indexOf('/');
  if (slash < 0) return { skill, tool: step.tool };
  const owner = step.tool.slice(0, slash);
  const found = owner === skill.name ? skill : find?.(owner);
  return found === undefined ? undefined : { skill: found, tool: step.tool.slice(slash + 1) };
}

function optionalOf({ parameters }: SkillToolSpec): ReadonlySet<string> {
  const { properties, required } = parameters;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return new Set(names.filter((name) => !Array.isArray(required) || !required.includes(name)));
}
