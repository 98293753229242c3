import type { Skill } from '../../skill/skill.ts';
import { statedTags } from '../tags/skill-tags.ts';

/** Part of every key: another recipe makes other texts, whose vectors are made anew. */
export const RECIPE = 1;

/**
 * Bytes of UTF-8. Small models read 512 tokens and some refuse a longer text; a byte is at most about a token in any
 * script, and what a skill is for stands first.
 */
const MOST_BYTES = 1600;

/**
 * What is embedded of a skill: name, description, when to use, tags and headings, never what it is not for, which would
 * attract.
 */
export function embeddedText(skill: Skill): string {
  const lines = [
    (skill.label ?? skill.name).replace(/-+/g, ' '),
    skill.description,
    skill.whenToUse ?? '',
    statedTags(skill).join(', '),
    skill.headings.join('; '),
  ];
  return lines.filter((line) => line.trim() !== '').join('\n');
}

/** The beginning of a text that a model reads, cut between characters. */
export function boundedText(text: string): string {
  const bytes = Buffer.from(text.slice(0, MOST_BYTES).toWellFormed()).subarray(0, MOST_BYTES);
  // A character that the cut went through is left out.
  return bytes
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
    .trim();
}
