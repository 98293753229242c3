import { join } from 'node:path';
import type { Folder } from '../files/folder.ts';
import { type Finding, type GateInput, type GateResult, runGate } from '../gate/gate.ts';
import { vetoing } from '../gate/verdict.ts';
import type { Override } from '../history/revision.ts';
import type { TransferParts } from './parts.ts';

/** What of a check stands in the way of an import; all else of it is worth a look. */
const VETOES: Readonly<Record<string, RegExp>> = {
  format: /^not-loadable$/,
  bounds: /^(?:outside-skill|name-changed)$/,
  safety: /./,
  judge: /./,
};

export interface ImportRequest {
  readonly name: string;
  readonly candidate: Folder;
  /** What stands there, for an update. */
  readonly base?: Folder | undefined;
  readonly allow: readonly Override[];
}

/**
 * Has the gate's static checks look at a skill of others. What is unsafe or cannot be used refuses; style, likeness to
 * other skills and what takes a model or runs code do not.
 */
export async function gateImport(parts: TransferParts, request: ImportRequest): Promise<GateResult> {
  const result = await runGate(importInput(parts, request));
  const notRun = result.findings.some(({ rule }) => rule === 'no-sandbox')
    ? [...result.notRun, { check: 'tests' as const, why: 'nothing of an import is run' }]
    : result.notRun;
  return decided({ ...result, notRun });
}

/** Has the judge look at what `gateImport` let pass; the result is that of both. Rejects only with `aborted`. */
export async function judgeImport(
  parts: TransferParts,
  request: ImportRequest,
  passed: GateResult,
  judge: NonNullable<GateInput['judge']>,
): Promise<GateResult> {
  const judged = await runGate({ ...importInput(parts, request), only: ['judge'], judge });
  return decided({
    ...passed,
    findings: [...passed.findings, ...judged.findings],
    notRun: [...passed.notRun.filter(({ check }) => check !== 'judge'), ...judged.notRun],
    usage: judged.usage,
  });
}

/** The same with the reason why no judge was asked. */
export function unjudged(passed: GateResult, why: string): GateResult {
  return {
    ...passed,
    notRun: [...passed.notRun.filter(({ check }) => check !== 'judge'), { check: 'judge', why }],
  };
}

/** What says that a judge was asked and gave no verdict. */
export function isJudgeFailure({ check, rule }: Pick<Finding, 'check' | 'rule'>): boolean {
  return check === 'judge' && ['check-failed', 'judge-malformed', 'judge-cut'].includes(rule);
}

/** Whether a judge gave a verdict. */
export function isJudged({ checks, notRun, findings }: GateResult): boolean {
  return (
    checks.includes('judge') &&
    notRun.every(({ check }) => check !== 'judge') &&
    !findings.some(isJudgeFailure)
  );
}

/** What the gate is asked about an import. */
export function importInput(
  { workspace, library, ownPrompts, environment, signal }: TransferParts,
  { name, candidate, base, allow }: ImportRequest,
): GateInput {
  return {
    name,
    dir: join(workspace.skills, name),
    candidate,
    library,
    ownPrompts,
    path: environment.path,
    allow,
    imported: true,
    signal,
    ...(base === undefined ? {} : { base }),
  };
}

function decided(result: GateResult): GateResult {
  const findings = result.findings.filter(({ rule }) => rule !== 'no-sandbox').map(softened);
  const standing = vetoing({ ...result, findings });
  const verdict = standing.some(({ severity }) => severity === 'refuse')
    ? 'reject'
    : standing.length > 0
      ? 'ask'
      : 'pass';
  return { ...result, verdict, findings };
}

function softened(finding: Finding): Finding {
  const stands = finding.rule === 'check-failed' || VETOES[finding.check]?.test(finding.rule) === true;
  if (stands || finding.severity === 'note') return finding;
  return { ...finding, severity: 'warn', message: ofTheSource(finding.message) };
}

/** What a draft would have to give evidence for, the source has done, and the update takes it over for that reason. */
function ofTheSource(message: string): string {
  return message.replace(
    / is gone and nothing says why$|; more than \d+ % needs evidence$/,
    (words) =>
      `${words.startsWith(' is gone') ? ' is gone' : ''}: the source changed that, and the update takes it over`,
  );
}

/** The overrides that let a finding pass, each once. */
export function usedOverrides({ findings }: GateResult, allow: readonly Override[]): Override[] {
  return allow.filter(({ rule }) =>
    findings.some(
      (found) => found.allowed !== undefined && [found.rule, `${found.check}/${found.rule}`].includes(rule),
    ),
  );
}

/** Verdict and the checks that looked in a line, for the commit. */
export function passLine({ verdict, checks, notRun }: GateResult): string {
  const skipped = new Set(notRun.map(({ check }) => check));
  return `${verdict} (import: ${checks.filter((check) => !skipped.has(check)).join(', ')})`;
}

/** What is told of a skill's verdict. */
export interface Verdict {
  /** Whether a judge gave a verdict on it, and what that took. */
  readonly judged: boolean;
  readonly tokens: number;
  /** Of the gate, the judge included; absent where it was not asked. */
  readonly verdict?: GateResult['verdict'];
}

export function judgedFields(gate: GateResult | undefined): Verdict {
  if (gate === undefined) return { judged: false, tokens: 0 };
  const { verdict, usage } = gate;
  return { judged: isJudged(gate), tokens: usage.promptTokens + usage.completionTokens, verdict };
}
