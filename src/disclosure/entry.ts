import type { Skill } from '../skill/skill.ts';

/** The line of a skill in a catalog: name and whole description on one line, so that it cannot pass for markup. */
export function catalogEntry(skill: Pick<Skill, 'name' | 'description' | 'whenToUse'>): string {
  const text = [skill.description, skill.whenToUse ?? ''].filter((part) => part !== '').join(' ');
  return `- ${skill.name}: ${escapeMarkup(text)}`;
}

/** Text on one line, with angle brackets escaped: a description is data and opens no tag. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
