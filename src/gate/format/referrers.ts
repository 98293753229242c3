import { normaliseName } from '../../skill/name.ts';
import type { CheckContext, CheckFinding } from '../check.ts';

/** Names that a draft takes away, and skills that name this one under a name that it would no longer have. */
export function referrerFindings({ skill, baseSkill, draft, library }: CheckContext): CheckFinding[] {
  const retires = draft?.decision === 'retire' ? draft.skill : draft?.retires;
  const gone = [retires, ...(baseSkill === undefined ? [] : [baseSkill.name, ...baseSkill.aliases])].flatMap(
    (name) => (name === undefined ? [] : [normaliseName(name)]),
  );
  const kept = skill === undefined || draft?.decision === 'retire' ? [] : [skill.name, ...skill.aliases];
  const lost = new Set(gone.filter((name) => !kept.map(normaliseName).includes(name)));
  if (lost.size === 0) return [];
  const left = new Set([baseSkill?.name, retires]);
  const others = library.skills.filter((other) => !left.has(other.name));
  // Another skill of that name or alias may take its place.
  const known = new Set(others.flatMap((other) => [other.name, ...other.aliases.map(normaliseName)]));
  const isDropped = (name: string) => draft !== undefined && kept.length > 0 && lost.has(normaliseName(name));
  const dropped = (baseSkill?.aliases ?? [])
    .filter((name) => isDropped(name) && !known.has(normaliseName(name)))
    .map((name) => ({
      rule: 'loses-name',
      severity: 'refuse' as const,
      message: `the draft takes the alias "${name}" away, and nothing else answers to that name: leave it in metadata.aliases`,
      file: 'SKILL.md',
      subject: name,
    }));
  const dangling = others.flatMap((other) =>
    other.relatedSkills
      .filter((related) => lost.has(normaliseName(related)) && !known.has(normaliseName(related)))
      .map((related) => ({
        rule: 'leaves-dangling',
        severity: 'refuse' as const,
        message: `related_skills of ${other.name} names "${related}", which would not exist any more; leave it as an alias`,
        file: 'SKILL.md',
        subject: `${other.name} ${related}`,
      })),
  );
  return [...dropped, ...dangling];
}
