import type { Skill } from '../../skill/skill.ts';
import type { Library } from '../library.ts';
import { nearNames } from '../near-names.ts';
import {
  addTo,
  type KnownTopic,
  type KnownTopics,
  knownTopics,
  mostOf,
  usualSpelling,
} from './known-topics.ts';
import { derivedTags, isTelling, LONGEST_TAG } from './skill-tags.ts';
import { createSpokenTopics } from './spoken-topics.ts';
import { askedKeys, spellingKeys } from './tag-key.ts';
import type { DerivedTag, SkillTags } from './tags.ts';
import { type FolderOf, topicFoldersOf } from './topic-folders.ts';

/** How a skill comes to a tag. */
export type TagSource = 'declared' | DerivedTag['from'];

/** The tags of a library, declared and derived. */
export interface TagIndex {
  /** Of any skill that the library found. */
  tagsOf(skill: Skill): SkillTags;
  /** The listed skills that have a tag, in whatever spelling: who declared it first, then by name. */
  skillsWith(tag: string): ReadonlyMap<Skill, TagSource>;
  /**
   * What a skill is sorted under: its telling tags that are declared or from its folder or name, each as most skills write
   * it, as it can be typed behind `tag:`. `skillsWith` says who has it, however they come to it.
   */
  topicsOf(skill: Skill): readonly string[];
  /** Tags near to one that no skill has, at most three. */
  near(tag: string): string[];
}

/** Letters: a shorter tag is near to any. */
const SHORTEST_LIKE = 3;

const indexes = new WeakMap<readonly Skill[], TagIndex>();

/** The one place that says which tags a skill has. Made once for each state of a library. */
export function tagIndexOf(library: Pick<Library, 'skills' | 'rootOf'>): TagIndex {
  const { skills } = library;
  const known = indexes.get(skills);
  if (known !== undefined) return known;
  const made = createTagIndex(skills, topicFoldersOf(library));
  indexes.set(skills, made);
  return made;
}

function createTagIndex(skills: readonly Skill[], folderOf: FolderOf): TagIndex {
  const kept = new Map<string, readonly string[]>();
  const keysOf = (tag: string) => {
    const keys = kept.get(tag) ?? spellingKeys(tag);
    kept.set(tag, keys);
    return keys;
  };
  const told = new Map<string, boolean>();
  const tells = (tag: string) => {
    const isTold = told.get(tag) ?? isTelling(tag);
    told.set(tag, isTold);
    return isTold;
  };
  let described: ((skill: Skill) => readonly string[]) | undefined;
  let table: TagTable | undefined;

  /** What a skill's description speaks of; how that is written depends on all of them. */
  function describedTags(skill: Skill): readonly string[] {
    described ??= createDescribedTags(skills, knownTopics(skills, folderOf, keysOf));
    return described(skill);
  }

  function tagsOf(skill: Skill): SkillTags {
    const seen = new Set(skill.tags.flatMap(keysOf));
    const derived = [
      ...derivedTags(skill, folderOf(skill)),
      ...describedTags(skill).map((tag): DerivedTag => ({ tag, from: 'description' })),
    ];
    return {
      declared: skill.tags,
      derived: derived.filter(({ tag, from }) => {
        const keys = keysOf(tag);
        if (keys.some((key) => seen.has(key)) || (from === 'name' && !tells(tag))) return false;
        for (const key of keys) seen.add(key);
        return true;
      }),
    };
  }

  /** Who has each key, and the tags as they can be typed. */
  function tableOf(): TagTable {
    if (table !== undefined) return table;
    const holders = new Map<string, Map<Skill, TagSource>>();
    const written = new Map<string, Map<string, number>>();
    const families = new Map<Skill, Set<string>>();
    const put = (skill: Skill, tag: string, source: TagSource) => {
      const keys = keysOf(tag);
      for (const key of keys) {
        const held = holders.get(key) ?? new Map<Skill, TagSource>();
        if (!held.has(skill)) holders.set(key, held.set(skill, source));
      }
      // What is suggested is read by models too.
      if (tag.length > LONGEST_TAG) return;
      const key = familyOf(keys);
      const labels = written.get(key) ?? new Map<string, number>();
      addTo(labels, typedTag(tag));
      written.set(key, labels);
    };
    for (const skill of skills) {
      const { declared, derived } = tagsOf(skill);
      for (const tag of declared) put(skill, tag, 'declared');
      for (const { tag, from } of derived) put(skill, tag, from);
      const sorted = derived.filter(({ from }) => from === 'folder' || from === 'name');
      const telling = [...declared, ...sorted.map(({ tag }) => tag)].filter(tells);
      families.set(skill, new Set(telling.map((tag) => familyOf(keysOf(tag)))));
    }
    table = {
      holders,
      families,
      labels: new Map([...written].map(([key, labels]) => [key, mostOf(labels)])),
    };
    return table;
  }

  return {
    tagsOf,
    skillsWith(tag) {
      const found = new Map<Skill, TagSource>();
      for (const key of askedKeys(tag))
        for (const [skill, source] of tableOf().holders.get(key) ?? [])
          if (source === 'declared' || !found.has(skill)) found.set(skill, source);
      const derived = (source: TagSource) => (source === 'declared' ? 0 : 1);
      return new Map(
        [...found].sort(
          ([left, a], [right, b]) => derived(a) - derived(b) || (left.name < right.name ? -1 : 1),
        ),
      );
    },
    topicsOf(skill) {
      const { labels, families } = tableOf();
      return [...(families.get(skill) ?? [])].flatMap((family) => labels.get(family) ?? []);
    },
    near(tag) {
      const label = typedTag(tag);
      return label.length < SHORTEST_LIKE ? [] : nearNames(label, new Set(tableOf().labels.values()));
    },
  };
}

interface TagTable {
  readonly holders: ReadonlyMap<string, ReadonlyMap<Skill, TagSource>>;
  /** Of what a skill is sorted under. */
  readonly families: ReadonlyMap<Skill, ReadonlySet<string>>;
  /** Of each family of spellings the usual one. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Scans all descriptions once, and says then what each speaks of, as most skills write it. */
function createDescribedTags(
  skills: readonly Skill[],
  known: KnownTopics,
): (skill: Skill) => readonly string[] {
  const spokenIn = createSpokenTopics(known);
  const found = new Map(skills.map((skill) => [skill, spokenIn(skill.description)]));
  for (const topics of found.values())
    for (const [{ spoken }, word] of topics) if (word !== undefined) addTo(spoken, word);
  const usual = new Map<KnownTopic, string>();
  const labelOf = (topic: KnownTopic) => {
    const label = usual.get(topic) ?? usualSpelling(topic);
    usual.set(topic, label);
    return label;
  };
  return (skill) => [...(found.get(skill) ?? spokenIn(skill.description)).keys()].map(labelOf);
}

/** Equal for a tag in several words and in one. */
function familyOf(keys: readonly string[]): string {
  return keys.at(-1) ?? '';
}

/** A tag as it can be typed behind `tag:`. */
function typedTag(tag: string): string {
  return tag.trim().toLowerCase().replace(/\s+/g, '-');
}
