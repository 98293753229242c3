import type { Skill } from '../../skill/skill.ts';
import { wordsIn } from '../words/scan-words.ts';
import { stem } from '../words/stem.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { plainWord } from '../words/tokenize.ts';
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
/** What a skill says it is not for, to the end of the clause, with whom it sends to in its place. */
const NEGATED =
  /\b(?:(?:(?:do|is) not|don['’]t|isn['’]t|not|never)\s+(?:(?:to be )?(?:use|used|trigger|invoke|meant|intended)\s+)?(?:this (?:skill )?|it )?(?:for|when)|instead of)\b(?:(?!\b(?:but|unless)\b)[^.;!?\n(—–])*(?:[(—–]\s*use [^.;!?\n)]*)?/gi;

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
  // Descriptions repeat their words: each is stemmed once.
  const stems = new Map<string, string>();
  const stemOf = (word: string) => {
    const known = stems.get(word) ?? stem(word);
    stems.set(word, known);
    return known;
  };
  return (description) => {
    // A stop word in its place, so that the words on either side are not read as one topic.
    const meant = description.slice(0, LONGEST_DESCRIPTION).replace(NEGATED, ' not ');
    const words = wordsIn(meant).flatMap((word) => plainWord(word) ?? []);
    const found = new Set<string>();
    for (const [start, first] of words.entries()) {
      const longest = starts.has(stemOf(first)) ? LONGEST_PHRASE : 1;
      let key = '';
      for (const word of words.slice(start, start + longest)) {
        // `not` has the stem of `notion`.
        const isEmpty = key === '' && STOP_WORDS.has(word);
        key += stemOf(word);
        const label = isEmpty ? undefined : labels.get(key);
        if (label !== undefined) found.add(label);
      }
    }
    return [...found].slice(0, MOST_TAGS).map((tag): DerivedTag => ({ tag, from: 'description' }));
  };
}
