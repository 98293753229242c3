import { isDeepStrictEqual } from 'node:util';
import type { SkillTestOutcome } from '../../scripts/skill-tests.ts';
import type { Check, CheckContext, CheckFinding } from '../check.ts';

/**
 * Runs the cases of `tests.yaml`; a case that failed before as well is an old finding, and one that is gone or expects
 * something else now is no way to pass.
 */
export const tests: Check = {
  id: 'tests',
  kind: 'costly',
  knowsOld: false,
  async run(context) {
    const { skill, baseSkill, base, candidate, dir } = context;
    if (skill === undefined) return { findings: [], notRun: ['the skill could not be read'] };
    if (context.draft?.decision === 'retire') return { findings: [], notRun: ['the skill is to go'] };
    const changed = changedCases(context);
    if (skill.tests.length === 0)
      return {
        findings: skill.tools.length === 0 ? changed : [...changed, untested(context)],
        notRun: ['the skill has no tests.yaml'],
      };
    const running = context.runTests?.(dir, candidate);
    if (running === undefined)
      return {
        findings: [
          ...changed,
          {
            rule: 'no-sandbox',
            severity: 'ask',
            message: `the ${skill.tests.length} cases of tests.yaml could not be run without a sandbox: install bubblewrap, or look at the scripts`,
            file: 'tests.yaml',
          },
        ],
      };
    const failed = (await running).filter(({ passed }) => !passed);
    if (failed.length === 0) return { findings: changed };
    const before =
      base !== undefined && (baseSkill?.tests.length ?? 0) > 0
        ? ((await context.runTests?.(dir, base)) ?? [])
        : [];
    return { findings: [...changed, ...failed.map((outcome) => failure(outcome, before))] };
  },
};

/** Cases of the base that are not the same any more. */
function changedCases({ skill, baseSkill, draft }: CheckContext): CheckFinding[] {
  return (baseSkill?.tests ?? []).flatMap((before) => {
    const after = skill?.tests.find(({ name, tool }) => name === before.name && tool === before.tool);
    if (isDeepStrictEqual(before, after)) return [];
    return [
      after === undefined
        ? changedCase('test-removed', 'ask', before.name, 'is gone')
        : changedCase(
            'test-changed',
            draft === undefined ? 'warn' : 'ask',
            before.name,
            'expects something else now',
          ),
    ];
  });
}

function changedCase(
  rule: string,
  severity: CheckFinding['severity'],
  name: string,
  what: string,
): CheckFinding {
  return { rule, severity, message: `the case "${name}" ${what}`, file: 'tests.yaml', subject: name };
}

function untested({ draft }: CheckContext): CheckFinding {
  return {
    rule: 'untested-tool',
    severity: draft === undefined ? 'note' : 'warn',
    message: 'its tools have no cases: "knack skills test --propose" writes some to start from',
    file: 'tools.yaml',
  };
}

function failure(outcome: SkillTestOutcome, before: readonly SkillTestOutcome[]): CheckFinding {
  const earlier = before.find(({ name, tool }) => name === outcome.name && tool === outcome.tool);
  const detail = outcome.detail === undefined ? '' : `: ${outcome.detail}`;
  if (earlier?.passed === false)
    return {
      rule: 'test-failed-before',
      severity: 'note',
      message: `"${outcome.name}" fails and failed before this change${detail}`,
      file: 'tests.yaml',
      subject: outcome.name,
    };
  return {
    rule: earlier?.passed ? 'test-broken' : 'test-failed',
    severity: 'refuse',
    message: `"${outcome.name}" ${earlier?.passed ? 'passed before and fails now' : 'fails'}${detail}`,
    file: 'tests.yaml',
    subject: outcome.name,
  };
}
