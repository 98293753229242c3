import type { Skill } from '../../skill/skill.ts';
import { derivedTags, isTelling } from './skill-tags.ts';
import { tagStems } from './tag-key.ts';
import type { FolderOf } from './topic-folders.ts';

/** What several skills are about, however each of them writes it. */
export interface KnownTopic {
  /** How it is written as a tag, a folder or a word of a name, and by how many skills. */
  readonly named: Map<string, number>;
  /** The same of single words in descriptions. */
  readonly spoken: Map<string, number>;
}

/** What skills of a library are about, by key. */
export interface KnownTopics {
  readonly topics: ReadonlyMap<string, KnownTopic>;
  /** First words of those that have several. */
  readonly starts: ReadonlySet<string>;
}

/** Skills that share a folder or a word of their names, which makes it a topic without anybody having declared it. */
const SHARED = 3;
/** Words of a topic that a description may hold. */
export const LONGEST_PHRASE = 3;
/** A single letter stands in descriptions as a variable, a grade or the rest of a word. */
const SHORTEST_KEY = 2;

/** Every telling tag that somebody declared, and the folders and words of names that several skills share. */
export function knownTopics(
  skills: readonly Skill[],
  folderOf: FolderOf,
  keysOf: (tag: string) => readonly string[],
): KnownTopics {
  const declared = new Map<string, number>();
  const shared = new Map<string, number>();
  for (const skill of skills) {
    for (const tag of skill.tags) addTo(declared, tag.trim());
    for (const { tag, from } of derivedTags(skill, folderOf(skill)))
      if (from !== 'keywords') addTo(shared, tag);
  }
  const topics = new Map<string, KnownTopic>();
  const starts = new Set<string>();
  for (const label of [
    ...declared.keys(),
    ...[...shared].flatMap(([tag, count]) => (count < SHARED ? [] : tag)),
  ]) {
    const stems = tagStems(label);
    if (stems.length > LONGEST_PHRASE || !isTelling(label)) continue;
    const keys = keysOf(label).filter((key) => key.length >= SHORTEST_KEY);
    const topic = keys.flatMap((key) => topics.get(key) ?? [])[0] ?? { named: new Map(), spoken: new Map() };
    for (const key of keys) if (!topics.has(key)) topics.set(key, topic);
    if (stems.length > 1) starts.add(stems[0] ?? '');
  }
  for (const labels of [declared, shared])
    for (const [label, count] of labels) {
      const key = keysOf(label).find((each) => topics.has(each));
      if (key !== undefined) addTo(topics.get(key)?.named, label, count);
    }
  return { topics, starts };
}

/**
 * A topic as it is written most often, of equal ones as it is declared: the same letters as a tag, a folder or in names,
 * these with capitals and hyphens as in descriptions too. So `ReAct` does not stand for what everybody else calls `React`.
 */
export function usualSpelling({ named, spoken }: KnownTopic): string {
  const letters = new Map<string, number>();
  for (const [label, count] of named) addTo(letters, lettersOf(label), count);
  const usual = mostOf(letters);
  const written = new Map<string, number>();
  for (const [label, count] of [...named, ...spoken])
    if (lettersOf(label) === usual) addTo(written, label, count);
  return mostOf(written);
}

/** The first of those that have the highest count; empty of none. */
export function mostOf(counts: ReadonlyMap<string, number>): string {
  let best = '';
  for (const [label, count] of counts) if (count > (counts.get(best) ?? 0)) best = label;
  return best;
}

/** Adds to a count. */
export function addTo(counts: Map<string, number> | undefined, label: string, count = 1): void {
  counts?.set(label, (counts.get(label) ?? 0) + count);
}

function lettersOf(label: string): string {
  return label.toLowerCase().replace(/[\s_-]+/g, '');
}
