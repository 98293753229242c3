import type { Skill, SkillReading } from '../../src/skill/skill.ts';

/** A reading as `expected.json` has it. What is at its default is left out; a rule stands with its line. */
export function readingOf(reading: SkillReading): unknown {
  const rules = (problems: Skill['problems']) =>
    problems.map(({ rule, line }) => (line === undefined ? rule : `${rule}:${line}`));
  if (reading.kind === 'refused') return { kind: 'refused', rules: rules(reading.problems) };
  const { name, description, strict, problems, headings, dir, path, contentHash, body, ...rest } =
    reading.skill;
  const told = Object.entries(rest).filter(
    ([, value]) => value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return { kind: 'loaded', name, strict, description, ...Object.fromEntries(told), rules: rules(problems) };
}
