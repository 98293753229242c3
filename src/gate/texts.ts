import { fileText } from '../folder.ts';
import type { Skill } from '../skill/skill.ts';
import type { CheckContext } from './check.ts';

/** A text of a skill that can reach a prompt, and the file that a finding in it names. */
export interface SkillText {
  readonly file: string;
  readonly text: string;
  /** `file`: as on disk, so lines count; `field`: a value as read, with YAML and JSON escapes resolved. */
  readonly kind: 'file' | 'field' | 'path';
}

/** Everything of the candidate that can reach a prompt: every text file, every field as read, every path, the lesson. */
export function skillTexts({ candidate, skill, draft }: CheckContext): SkillText[] {
  const files = [...candidate.keys()].flatMap((file): SkillText[] => {
    const text = fileText(candidate, file);
    return text === undefined || isBinary(text) ? [] : [{ file, text, kind: 'file' }];
  });
  const paths = [...candidate.keys()].map((file): SkillText => ({ file, text: file, kind: 'path' }));
  const fields = skill === undefined ? [] : fieldTexts(skill);
  const lesson: SkillText[] = draft ? [{ file: 'draft.json', text: draft.lesson, kind: 'field' }] : [];
  return [...files, ...fields, ...paths, ...lesson];
}

/** Whether a file holds anything but text; such files are not read into a prompt. */
export function isBinary(text: string): boolean {
  return text.includes('\0') || (text.match(/\uFFFD/g)?.length ?? 0) > text.length / 20;
}

/** Whether a file is prose, by its name. */
export function isProse(file: string): boolean {
  return /\.(?:md|markdown|mdx|txt|rst)$/i.test(file);
}

function fieldTexts(skill: Skill): SkillText[] {
  const own: readonly (string | undefined)[] = [
    skill.description,
    skill.label,
    skill.author,
    skill.version,
    skill.whenToUse,
    skill.whenNotToUse,
    ...skill.tags,
    ...skill.weakTags,
    ...skill.relatedSkills,
    ...skill.aliases,
    ...skill.allowedTools,
  ];
  const tools = skill.tools.flatMap(({ name, description, parameters, returns, run }) => [
    name,
    description,
    ...stringsIn([parameters, returns, run]),
  ]);
  const tests = skill.tests.flatMap(({ name, params, expect }) => [name, ...stringsIn([params, expect])]);
  return [
    ...texts('SKILL.md', own),
    ...texts('tools.yaml', tools),
    ...texts('tests.yaml', tests),
    ...texts(
      'evals/triggers.json',
      skill.triggers.map(({ query }) => query),
    ),
  ];
}

function texts(file: string, values: readonly (string | undefined)[]): SkillText[] {
  return values.flatMap((text) => (text ? [{ file, text, kind: 'field' as const }] : []));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    Array.isArray(value) ? stringsIn(item) : [key, ...stringsIn(item)],
  );
}
