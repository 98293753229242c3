import type { Skill } from '../skill/skill.ts';

/** The line of a skill in a catalog: name and whole description on one line, so that it cannot pass for markup. */
export function catalogEntry(skill: Pick<Skill, 'name' | 'description' | 'whenToUse'>): string {
  const text = [skill.description, skill.whenToUse ?? ''].filter((part) => part !== '').join(' ');
  return `- ${skill.name}: ${escapeMarkup(text)}`;
}

/** Control and direction characters and line separators: invisible to a person, but not to a model. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Text on one line, with markup escaped and nothing invisible: it is data, opens no tag and ends no attribute. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(INVISIBLE, '')
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The same for the value of an attribute in double quotes. */
export function escapeAttribute(text: string): string {
  return escapeMarkup(text).replaceAll('"', '&quot;');
}
