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

/** Why the gate did not pass a draft, a sentence a finding: what the drafter and the person are told. */
export function vetoes(result: GateResult): string[] {
  return vetoing(result).map(describeFinding);
}

/** The findings that stand in the way: new ones that refuse or ask and that nobody overrode. */
export function vetoing(result: GateResult): readonly Finding[] {
  return result.findings.filter(
    (finding) =>
      (finding.severity === 'refuse' || finding.severity === 'ask') &&
      finding.old === undefined &&
      finding.allowed === undefined,
  );
}

function describeFinding({ check, rule, message, file, line }: Finding): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  return `${check}/${rule}${place}: ${message}`;
}

/** Verdict and checks in a line, for the commit: those that looked at all, and those that did not. */
export function gateLine({ verdict, checks, notRun }: GateResult): string {
  const skipped = [...new Set(notRun.map(({ check }) => check))];
  const looked = checks.filter((check) => !skipped.includes(check));
  return `${verdict} (${looked.join(', ')}${skipped.length > 0 ? `; not run: ${skipped.join(', ')}` : ''})`;
}
