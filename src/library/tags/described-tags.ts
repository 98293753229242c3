import type { Skill } from '../../skill/skill.ts';
import { createVocabulary } from '../words/vocabulary.ts';
import { derivedTags, isTelling } from './skill-tags.ts';
import { tagStems } from './tag-key.ts';
import type { DerivedTag } from './tags.ts';

/** What skills of a library are about, by key, as it is written there. */
export interface KnownTopics {
  readonly labels: ReadonlyMap<string, string>;
  /** First words of those that have several. */
  readonly starts: ReadonlySet<string>;
}

/** Skills that share a folder or a word of their names, which makes it a topic without anybody having declared it. */
const SHARED = 3;
/** Words of a topic that a description may hold. */
const LONGEST_PHRASE = 3;
/** A single letter stands in descriptions as a variable, a grade or the rest of a word. */
const SHORTEST_KEY = 2;
/** Characters of a description that are looked at, and tags that are taken from it. */
const LONGEST_DESCRIPTION = 4000;
const MOST_TAGS = 40;

/** Every telling tag that somebody declared, and the folders and words of names that several skills share. */
export function knownTopics(
  skills: readonly Skill[],
  categoryFor: (skill: Skill) => string,
  keysOf: (tag: string) => readonly string[],
): KnownTopics {
  const labels = new Map<string, string>();
  const starts = new Set<string>();
  const shared = new Map<string, number>();
  const add = (label: string) => {
    const stems = tagStems(label);
    if (stems.length > LONGEST_PHRASE || !isTelling(label)) return;
    for (const key of keysOf(label))
      if (key.length >= SHORTEST_KEY && !labels.has(key)) labels.set(key, label.trim());
    if (stems.length > 1) starts.add(stems[0] ?? '');
  };
  for (const { tags } of skills) for (const tag of tags) add(tag);
  for (const skill of skills)
    for (const { tag, from } of derivedTags(skill, categoryFor(skill))) {
      if (from === 'keywords') continue;
      const count = (shared.get(tag) ?? 0) + 1;
      shared.set(tag, count);
      if (count === SHARED) add(tag);
    }
  return { labels, starts };
}

/** Finds the topics of a library that a description speaks of: almost no skill says itself what it is about. */
export function createDescribedTags({ labels, starts }: KnownTopics): (description: string) => DerivedTag[] {
  // Descriptions repeat their words: each is split and stemmed once.
  const vocabulary = createVocabulary();
  return (description) => {
    const stems = vocabulary.wordsOf(description.slice(0, LONGEST_DESCRIPTION)).map(vocabulary.termOf);
    const found = new Set<string>();
    for (const [start, first] of stems.entries()) {
      const longest = starts.has(first) ? LONGEST_PHRASE : 1;
      let key = '';
      for (const stem of stems.slice(start, start + longest)) {
        key += stem;
        const label = labels.get(key);
        if (label !== undefined) found.add(label);
      }
    }
    return [...found].slice(0, MOST_TAGS).map((tag): DerivedTag => ({ tag, from: 'description' }));
  };
}
