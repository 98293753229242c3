import { quote } from './quote.ts';

/** What a new skill is written from. Lists become one text, as the specification wants of `metadata`. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly version?: string;
  readonly author?: string;
  readonly tags?: readonly string[];
  readonly relatedSkills?: readonly string[];
  readonly aliases?: readonly string[];
  readonly whenToUse?: string;
  readonly whenNotToUse?: string;
}

/** A whole `SKILL.md` in the strict form: block style, every text double-quoted but the name, flat metadata. */
export function serializeSkill(skill: SkillText, body: string): string {
  const metadata = Object.entries({
    version: skill.version,
    author: skill.author,
    tags: skill.tags?.join(', '),
    related_skills: skill.relatedSkills?.join(', '),
    aliases: skill.aliases?.join(', '),
    when_to_use: skill.whenToUse,
    when_not_to_use: skill.whenNotToUse,
  }).filter(([, value]) => value !== undefined && value !== '');
  const lines = [
    '---',
    `name: ${/^[a-z][a-z0-9-]*$/.test(skill.name) ? skill.name : quote(skill.name)}`,
    `description: ${quote(skill.description)}`,
    ...(skill.license === undefined ? [] : [`license: ${quote(skill.license)}`]),
    ...(metadata.length === 0
      ? []
      : ['metadata:', ...metadata.map(([key, value]) => `  ${key}: ${quote(String(value))}`)]),
    '---',
  ];
  return `${lines.join('\n')}\n${body === '' ? '' : `\n${body}`}`;
}
