import { KnackError, messageOf } from '../errors.ts';
import type { Folder } from '../files/folder.ts';
import type { Usage } from '../model/model.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { Skill } from '../skill/skill.ts';
import { findSecrets } from '../transcript/redact.ts';
import {
  CHECK_IDS,
  type Check,
  type CheckContext,
  type CheckFinding,
  type CheckId,
  type CheckOutcome,
  type Finding,
  type GateInput,
  type GateResult,
} from './check.ts';
import { CHECKS } from './checks.ts';

export type { Finding, GateInput, GateResult } from './check.ts';

/**
 * Decides about a change of a skill. The static checks all run, so that every finding is seen at once; the costly
 * ones run only if none of those refused. A finding that the base has already, or that `allow` names, vetoes nothing.
 * An error in a check is a refusal. Rejects only with `aborted`.
 */
export async function runGate(input: GateInput): Promise<GateResult> {
  const context = contextOf(input);
  const before = input.base === undefined ? undefined : baselineOf(input, input.base, context.baseSkill);
  const findings: Finding[] = [];
  const notRun: { check: CheckId; why: string }[] = [];
  const ran: CheckId[] = [];
  let usage: Usage = { promptTokens: 0, completionTokens: 0 };
  for (const id of input.only ?? CHECK_IDS) {
    const check = CHECKS[id];
    if (check.kind === 'costly' && findings.some(isRefusal)) {
      notRun.push({ check: id, why: 'a check before it refused' });
      input.onCheck?.(id, 'not-run');
      continue;
    }
    input.onCheck?.(id, 'start');
    const outcome = await runCheck(check, context);
    const old =
      before === undefined || !check.knowsOld || outcome.findings.length === 0
        ? []
        : (await runCheck(check, before)).findings;
    findings.push(...mark(id, outcome.findings, old, input.allow ?? []));
    notRun.push(...(outcome.notRun ?? []).map((why) => ({ check: id, why })));
    usage = sum(usage, outcome.usage);
    ran.push(id);
    input.onCheck?.(id, 'end');
  }
  return { verdict: verdictOf(findings), findings, notRun, checks: ran, usage };
}

/** What the checks see of an input. */
export function contextOf(input: GateInput): CheckContext {
  const reading = parseSkillFolder(input.dir, input.candidate);
  const baseSkill = input.base === undefined ? undefined : skillOf(input.dir, input.base);
  return {
    ...input,
    reading,
    generated: input.draft !== undefined,
    ...(reading.kind === 'loaded' ? { skill: reading.skill } : {}),
    ...(baseSkill === undefined ? {} : { baseSkill }),
  };
}

/** The base as a candidate of its own, without the draft but held to the same: what is found there was there before. */
function baselineOf(input: GateInput, base: Folder, baseSkill: Skill | undefined): CheckContext {
  const { draft: _, title: __, ...rest } = input;
  return {
    ...rest,
    candidate: base,
    reading: parseSkillFolder(input.dir, base),
    generated: input.draft !== undefined,
    ...(baseSkill === undefined ? {} : { skill: baseSkill, baseSkill }),
  };
}

function skillOf(dir: string, folder: Folder): Skill | undefined {
  const reading = parseSkillFolder(dir, folder);
  return reading.kind === 'loaded' ? reading.skill : undefined;
}

async function runCheck(check: Check, context: CheckContext): Promise<CheckOutcome> {
  if (context.signal?.aborted) throw new KnackError('aborted', 'the gate was stopped');
  try {
    return await check.run(context);
  } catch (error) {
    if (error instanceof KnackError && error.code === 'aborted') throw error;
    return {
      findings: [
        {
          rule: 'check-failed',
          severity: 'refuse',
          message: `the check itself failed, which counts as a refusal: ${messageOf(error)}`,
        },
      ],
    };
  }
}

/**
 * Marks what was there before, each old finding once, and what a person overrides. What the base holds in a milder
 * form, such as a warning against a command that is an order now, was not there before.
 */
function mark(
  check: CheckId,
  found: readonly CheckFinding[],
  old: readonly CheckFinding[],
  allow: NonNullable<GateInput['allow']>,
): Finding[] {
  const isOld = oldAmong(found, old);
  return found.map((finding) => {
    const wasThere = isOld.has(finding);
    const override = allow.find(({ rule }) => rule === finding.rule || rule === `${check}/${finding.rule}`);
    const { subject: _, ...shown } = finding;
    return {
      check,
      ...shown,
      message: withoutSecrets(finding.message),
      ...(wasThere ? { old: true as const } : {}),
      ...(override === undefined || wasThere ? {} : { allowed: override.why }),
    };
  });
}

/** The findings that the base has as severely; the severe ones of a key are paired first, so that none hides another. */
function oldAmong(found: readonly CheckFinding[], old: readonly CheckFinding[]): Set<CheckFinding> {
  const known = new Map<string, number[]>();
  for (const finding of [...old].sort(bySeverity))
    known.set(keyOf(finding), [...(known.get(keyOf(finding)) ?? []), rankOf(finding)]);
  const pairs = [...found].sort(bySeverity).filter((finding) => {
    if (finding.rule === 'check-failed') return false;
    const left = known.get(keyOf(finding)) ?? [];
    if (left[0] === undefined || left[0] < rankOf(finding)) return false;
    left.shift();
    return true;
  });
  return new Set(pairs);
}

function rankOf({ severity }: CheckFinding): number {
  return ['note', 'warn', 'ask', 'refuse'].indexOf(severity);
}

function bySeverity(left: CheckFinding, right: CheckFinding): number {
  return rankOf(right) - rankOf(left);
}

/** Messages quote what they are about, whatever it holds; e-mail addresses and paths stay, as they are what some are about. */
function withoutSecrets(message: string): string {
  return findSecrets(message)
    .filter(({ rule }) => rule !== 'email')
    .reduceRight(
      (text, { rule, start, end }) => `${text.slice(0, start)}[${rule}]${text.slice(end)}`,
      message,
    );
}

function keyOf({ rule, file, subject, message }: CheckFinding): string {
  return JSON.stringify([rule, file ?? '', subject ?? message]);
}

function counts(finding: Finding): boolean {
  return finding.old === undefined && finding.allowed === undefined;
}

function isRefusal(finding: Finding): boolean {
  return finding.severity === 'refuse' && counts(finding);
}

function verdictOf(findings: readonly Finding[]): GateResult['verdict'] {
  if (findings.some(isRefusal)) return 'reject';
  return findings.some((finding) => finding.severity === 'ask' && counts(finding)) ? 'ask' : 'pass';
}

function sum(left: Usage, right: Usage | undefined): Usage {
  return {
    promptTokens: left.promptTokens + (right?.promptTokens ?? 0),
    completionTokens: left.completionTokens + (right?.completionTokens ?? 0),
  };
}
