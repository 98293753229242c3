import { CHECK_IDS, type Finding, type GateInput, type GateResult } from '../gate/check.ts';
import type { Draft } from '../gate/draft.ts';
import { runGate } from '../gate/gate.ts';
import type { Candidate, Target } from './candidate.ts';

/** What the gate is given beside the draft and its folders. */
export type GateSurroundings = Omit<GateInput, 'name' | 'dir' | 'base' | 'candidate' | 'draft'>;

/** Has the gate decide on a draft. One that cannot be applied is refused without running a check. */
export function gateDraft(
  draft: Draft,
  target: Target,
  candidate: Candidate,
  surroundings: GateSurroundings,
): Promise<GateResult> {
  if ('faults' in candidate) return Promise.resolve(notApplied(candidate.faults));
  return runGate({
    ...surroundings,
    name: target.name,
    dir: target.dir,
    ...(target.base === undefined ? {} : { base: target.base }),
    candidate: candidate.folder,
    draft,
  });
}

function notApplied(findings: readonly Finding[]): GateResult {
  const why = 'the operations could not be applied';
  return {
    verdict: 'reject',
    findings,
    notRun: CHECK_IDS.map((check) => ({ check, why })),
    checks: [],
    usage: { promptTokens: 0, completionTokens: 0 },
  };
}
