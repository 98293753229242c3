import { join } from 'node:path';
import type { Folder } from '../folder.ts';
import { type Finding, type GateResult, runGate } from '../gate/gate.ts';
import { vetoing } from '../gate/verdict.ts';
import type { Override } from '../history/revision.ts';
import type { TransferParts } from './parts.ts';

/** What of a check stands in the way of an import; all else of it is worth a look. */
const VETOES: Readonly<Record<string, RegExp>> = {
  format: /^not-loadable$/,
  bounds: /^(?:outside-skill|name-changed)$/,
  safety: /./,
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
export async function gateImport(
  { workspace, library, ownPrompts, environment, signal }: TransferParts,
  { name, candidate, base, allow }: ImportRequest,
): Promise<GateResult> {
  const result = await runGate({
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
  });
  const findings = result.findings.filter(({ rule }) => rule !== 'no-sandbox').map(softened);
  const standing = vetoing({ ...result, findings });
  const verdict = standing.some(({ severity }) => severity === 'refuse')
    ? 'reject'
    : standing.length > 0
      ? 'ask'
      : 'pass';
  const notRun = result.findings.some(({ rule }) => rule === 'no-sandbox')
    ? [...result.notRun, { check: 'tests' as const, why: 'nothing of an import is run' }]
    : result.notRun;
  return { ...result, verdict, findings, notRun };
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

/** Verdict and static checks in a line, for the commit. */
export function passLine({ verdict, checks, notRun }: GateResult): string {
  const skipped = new Set(notRun.map(({ check }) => check));
  return `${verdict} (import: ${checks.filter((check) => !skipped.has(check)).join(', ')})`;
}
