import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../errors.ts';
import type { Skill, SkillReading, SkillToolSpec } from '../../skill/skill.ts';

/** A skill with what stays in service of it, and what is broken now. */
export interface InService {
  readonly skill: Skill;
  readonly problem?: Problem;
}

/** What a `SKILL.md` shows that is saved by half: by the rule, in words. */
const SAVED_BY_HALF = new Map([
  ['fence-unclosed', 'its front matter is not closed with ---'],
  ['yaml-salvaged', 'its YAML is broken'],
  ['body-empty', 'its instructions are gone'],
  ['conflict-markers', 'a merge conflict stands in its instructions'],
]);

/** A tool that is broken for itself, in a file that can be read. */
const ONE_TOOL = /^tools\.yaml: the tool "([^"]*)" /;

/**
 * Why what was read of a `SKILL.md` does not take the place of `before`, which is in service: it cannot be used, or it
 * looks saved by half where `before` did not. Undefined where it does. One that keeps itself from the model from now on
 * always does.
 */
export function brokenNow(reading: SkillReading, before: Skill): Problem | undefined {
  if (reading.kind === 'refused') {
    const [first] = reading.problems;
    return stillServed(before.path, first?.message ?? 'unreadable', first);
  }
  const { skill } = reading;
  if (skill.userOnly && !before.userOnly) return undefined;
  const known = new Set(before.problems.map(({ rule }) => rule));
  const fault = skill.problems.find(({ rule }) => SAVED_BY_HALF.has(rule) && !known.has(rule));
  return fault && stillServed(before.path, SAVED_BY_HALF.get(fault.rule) ?? fault.message, fault);
}

function stillServed(path: string, what: string, { rule = 'io', line }: Partial<Problem> = {}): Problem {
  const message = `${path} is broken now (${what}); the last good version stays in use`;
  return { rule, severity: 'error', message, ...(line === undefined ? {} : { line }) };
}

/**
 * The skill as it was read, with the last good content of each file beside it that is broken now: a half-written
 * `tools.yaml` takes no tool away. `before` is what was in service until then.
 */
export function withLastGood(skill: Skill, before: Skill): InService {
  const { problems } = skill;
  const brokenIn = (rule: string) => problems.find((each) => each.rule === rule && each.severity !== 'info');
  const tools = toolsInService(skill, before);
  const tests = brokenIn('tests-file') === undefined ? skill.tests : before.tests;
  const triggers = brokenIn('triggers-file') === undefined ? skill.triggers : before.triggers;
  const rules = [
    ...(isDeepStrictEqual(tools, skill.tools) ? [] : ['tools-file']),
    ...(isDeepStrictEqual(tests, skill.tests) ? [] : ['tests-file']),
    ...(isDeepStrictEqual(triggers, skill.triggers) ? [] : ['triggers-file']),
  ];
  const broken = rules.flatMap((rule) => brokenIn(rule) ?? []);
  const [first] = broken;
  if (first === undefined) return { skill };
  const what = broken.map(({ message }) => message).join('; ');
  return {
    skill: { ...skill, tools, tests, triggers },
    problem: {
      rule: first.rule,
      severity: 'error',
      message: `${skill.name}: broken now in ${skill.dir} (${what}); what was last good there stays in use`,
    },
  };
}

/** A salvaged skill runs nothing, whatever ran before. */
function toolsInService(skill: Skill, before: Skill): readonly SkillToolSpec[] {
  const faults = skill.problems.filter(({ rule, severity }) => rule === 'tools-file' && severity === 'error');
  if (skill.salvaged || faults.length === 0) return skill.tools;
  const names = faults.map(({ message }) => ONE_TOOL.exec(message)?.[1]);
  // A file that cannot be read says nothing on any tool.
  if (names.includes(undefined)) return before.tools;
  const present = new Set(skill.tools.map(({ name }) => name));
  return [...skill.tools, ...before.tools.filter(({ name }) => names.includes(name) && !present.has(name))];
}
