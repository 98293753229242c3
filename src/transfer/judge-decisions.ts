import { KnackError } from '../errors.ts';
import { vetoing } from '../gate/verdict.ts';
import type { Override } from '../history/revision.ts';
import { counted, noun } from '../text/counted.ts';
import type { Decision } from './decide.ts';
import { type ImportRequest, isJudgeFailure } from './import-gate.ts';
import { type JudgeMode, type JudgePlan, type JudgeSummary, openJudging } from './judging.ts';
import type { TransferParts } from './parts.ts';

export interface JudgeRequest {
  readonly mode: JudgeMode;
  readonly allow: readonly Override[];
  /** Whether all are to be judged where they are more than the cap. Asked before any is. */
  readonly wantsAllJudged: (plan: JudgePlan) => Promise<boolean>;
}

/**
 * Has a judge look at what the static checks let pass; what it refuses, or fails at, is refused. Throws `aborted`
 * before anything is written.
 */
export async function judgeDecisions(
  parts: TransferParts,
  decisions: readonly Decision[],
  { mode, allow, wantsAllJudged }: JudgeRequest,
): Promise<{ readonly decisions: readonly Decision[]; readonly judging: JudgeSummary }> {
  let judging = await openJudging(parts, mode);
  const requests = new Map<Decision, ImportRequest>();
  for (const decision of decisions)
    if (decision.kind === 'take')
      requests.set(decision, { name: decision.name, candidate: decision.folder, allow });
  if (mode === 'capped') {
    const plan = await judging.plan([...requests.values()]);
    if (plan.within < plan.of && (await wantsAllJudged(plan))) judging = await openJudging(parts, 'all');
  }
  const judged: Decision[] = [];
  let at = 0;
  for (const decision of decisions) {
    const request = requests.get(decision);
    if (decision.kind !== 'take' || request === undefined) {
      judged.push(decision);
      continue;
    }
    if (parts.signal.aborted) throw stopped(judging.summary());
    at += 1;
    const place = `${at} of ${requests.size}`;
    try {
      const gate = await judging.judge(
        { ...request, source: decision.origin.source, ...(requests.size > 1 ? { place } : {}) },
        decision.gate,
      );
      judged.push(gate.verdict === 'pass' ? { ...decision, gate } : refused(decision, gate));
    } catch (error) {
      if (error instanceof KnackError && error.code === 'aborted') throw stopped(judging.summary(), error);
      throw error;
    }
  }
  return { decisions: judged, judging: judging.summary() };
}

function refused(
  { name, found, origin }: Decision,
  gate: Parameters<typeof vetoing>[0],
): Extract<Decision, { kind: 'refused' }> {
  return { kind: 'refused', name, found, origin, reason: whyRefused(gate), gate };
}

/** Who refuses it. */
export function whyRefused(gate: Parameters<typeof vetoing>[0]): string {
  const standing = vetoing(gate);
  if (standing.some(isJudgeFailure)) return 'the judge gave no verdict, and what it was to judge is refused';
  return standing.every(({ check }) => check === 'judge') ? 'the judge refuses it' : 'the gate refuses it';
}

function stopped({ judged, tokens }: JudgeSummary, cause?: Error): KnackError {
  return new KnackError(
    'aborted',
    `stopped after ${counted(judged, 'skill')} ${noun(judged, 'was', 'were')} judged (${counted(tokens, 'token')}); nothing was added`,
    cause === undefined ? {} : { cause },
  );
}
