import { termsOf } from '../library/words/tokenize.ts';
import type { Skill } from '../skill/skill.ts';
import { INVISIBLE } from '../text/invisible.ts';

/** Characters: longer than any description that people wrote to be read (of ten thousand the longest has 1,929). */
const LONGEST = 2000;
/** Characters by which a name that is written out may be longer than twice the name. */
const LONGEST_SPELLING = 20;
const SENTENCE_END = /[.!?](?=\s)|[。！？]/gu;

type EntryFields = Pick<Skill, 'name' | 'description' | 'whenToUse' | 'whenNotToUse'>;

/**
 * The line of a skill in a catalog: name and whole description on one line, so that it cannot pass for markup. What is
 * long beyond any use is cut behind a sentence, and the line says so.
 */
export function catalogEntry(skill: EntryFields): string {
  return entryUnder(skill.name, skill);
}

/** The same under another name that finds the skill, as one with its root. */
export function entryUnder(name: string, skill: EntryFields): string {
  const parts = [
    skill.description,
    skill.whenToUse ?? '',
    // Search does not look at it; who decides has to.
    skill.whenNotToUse ? `Not for: ${skill.whenNotToUse}` : '',
  ].filter((part) => part !== '');
  const text = parts.join(' ').replace(/\s+/g, ' ').trim();
  if (text.length <= LONGEST) return `- ${name}: ${escapeMarkup(text)}`;
  const last = [...text.slice(0, LONGEST).matchAll(SENTENCE_END)].at(-1);
  return last === undefined
    ? `- ${name}: (Its description is too long for a list: load it to see.)`
    : `- ${name}: ${escapeMarkup(text.slice(0, last.index + 1))} (There is more: load it to see.)`;
}

/** Whether an entry says no more than the name of its skill. */
export function saysNameAlone({ name, description, whenToUse }: EntryFields): boolean {
  // Splitting ten thousand long ones into words takes time, and they say something.
  if (whenToUse !== undefined || description.length > 2 * name.length + LONGEST_SPELLING) return false;
  const named = new Set(termsOf(name));
  const said = termsOf(description);
  return said.length > 0 && said.every((term) => named.has(term));
}

/** A skill with others whose entries differ from its own by the name alone, such as copies from another collection. */
export interface TwinGroup {
  readonly skill: Skill;
  readonly twins: readonly Skill[];
}

/** Puts skills with the same entry together, where the first of them stands, with all others `among` which there may be copies. */
export function groupTwins(skills: readonly Skill[], among: readonly Skill[]): TwinGroup[] {
  const wanted = new Set(skills.map(({ description }) => description));
  const groups = new Map<string, [Skill, ...Skill[]]>();
  for (const skill of [...skills, ...among.filter(({ description }) => wanted.has(description))]) {
    const { description, whenToUse, whenNotToUse } = skill;
    const key = JSON.stringify([description, whenToUse, whenNotToUse]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [skill]);
    else if (!known.includes(skill)) known.push(skill);
  }
  const asked = new Set(skills);
  return [...groups.values()].flatMap(([skill, ...twins]) => (asked.has(skill) ? { skill, twins } : []));
}

/** One line for a group: the entry of the first, under its own name or a given one, and how many more there are of it. */
export function groupEntry({ skill, twins }: TwinGroup, name = skill.name): string {
  return `${entryUnder(name, skill)}${twins.length === 0 ? '' : ` (${twins.length + 1} copies)`}`;
}

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
