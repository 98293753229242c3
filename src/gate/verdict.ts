import type { Finding, GateResult } from './check.ts';

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
