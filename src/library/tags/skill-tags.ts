import type { Skill } from '../../skill/skill.ts';
import { WEAK_STEMS } from '../words/stop-words.ts';
import { termsOf } from '../words/tokenize.ts';
import type { DerivedTag } from './tags.ts';

/** Characters: a longer one is a sentence. */
export const LONGEST_TAG = 40;
/** Words that say how skilled or what kind of thing a skill is, not what it is about. */
const KINDS = new Set(
  `advanced advisor assistant builder code complete continuous core creator development driven engineer enterprise
  everything expert framework generator helper implementation integration management manager master mastery method
  modern patterns practices pro production professional senior setup specialist standards strategy toolkit ultimate
  workflow`
    .split(/\s+/)
    .map(topicKey),
);

/** What a person wrote of a skill in few words: its tags, then its keywords and triggers. */
export function statedTags(skill: Pick<Skill, 'tags' | 'weakTags'>): string[] {
  return [...skill.tags, ...skill.weakTags];
}

/**
 * What a skill's own fields but the declared tags may say that it is about, also words of its name that tell nothing.
 * `category` is the folder it is sorted into.
 */
export function derivedTags(skill: Pick<Skill, 'name' | 'weakTags'>, category: string): DerivedTag[] {
  const words = skill.name.split('-').filter((word) => /^\p{L}[\p{L}\p{N}+#.]+$/u.test(word));
  return [
    ...skill.weakTags
      .filter((tag) => tag.length <= LONGEST_TAG)
      .map((tag): DerivedTag => ({ tag, from: 'keywords' })),
    ...(category === '' ? [] : [{ tag: category.toLowerCase(), from: 'folder' } as const]),
    ...words.map((tag): DerivedTag => ({ tag, from: 'name' })),
  ];
}

/** Whether a label tells what something is about. */
export function isTelling(label: string): boolean {
  const key = topicKey(label);
  return label.length <= LONGEST_TAG && key !== '' && !WEAK_STEMS.has(key) && !KINDS.has(key);
}

/** Equal for labels of one family: `design` and `designer`, `optimization` and `optimizer`. */
export function topicKey(label: string): string {
  return termsOf(label)
    .map((term) => (term.length >= 7 ? term.replace(/(?:er|or|ur)$/, '') : term))
    .join(' ');
}
