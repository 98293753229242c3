import type { Skill } from '../../skill/skill.ts';
import type { Library } from '../library.ts';
import { nearNames } from '../near-names.ts';
import { categoryOf } from '../places.ts';
import { createDescribedTags, knownTopics } from './described-tags.ts';
import { derivedTags, isTelling, LONGEST_TAG } from './skill-tags.ts';
import { askedKeys, spellingKeys } from './tag-key.ts';
import type { DerivedTag, SkillTags } from './tags.ts';

/** How a skill comes to a tag. */
export type TagSource = 'declared' | DerivedTag['from'];

/** The tags of a library, declared and derived. */
export interface TagIndex {
  /** Of any skill that the library found. */
  tagsOf(skill: Skill): SkillTags;
  /** The listed skills that have a tag, in whatever spelling: who declared it first, then by name. */
  skillsWith(tag: string): ReadonlyMap<Skill, TagSource>;
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
  const made = createTagIndex(skills, (skill) => categoryOf(skill, library.rootOf(skill)));
  indexes.set(skills, made);
  return made;
}

function createTagIndex(skills: readonly Skill[], categoryFor: (skill: Skill) => string): TagIndex {
  const kept = new Map<string, readonly string[]>();
  const keysOf = (tag: string) => {
    const keys = kept.get(tag) ?? spellingKeys(tag);
    kept.set(tag, keys);
    return keys;
  };
  const described = createDescribedTags(knownTopics(skills, categoryFor, keysOf));
  let table: TagTable | undefined;

  function tagsOf(skill: Skill): SkillTags {
    const seen = new Set(skill.tags.flatMap(keysOf));
    const derived = [...derivedTags(skill, categoryFor(skill)), ...described(skill.description)];
    return {
      declared: skill.tags,
      derived: derived.filter(({ tag, from }) => {
        const keys = keysOf(tag);
        if (keys.some((key) => seen.has(key)) || (from === 'name' && !isTelling(tag))) return false;
        for (const key of keys) seen.add(key);
        return true;
      }),
    };
  }

  /** Who has each key, and the tags as they can be typed. */
  function tableOf(): TagTable {
    if (table !== undefined) return table;
    const holders = new Map<string, Map<Skill, TagSource>>();
    const labels = new Map<string, string>();
    const put = (skill: Skill, tag: string, source: TagSource) => {
      const keys = keysOf(tag);
      for (const key of keys) {
        const held = holders.get(key) ?? new Map<Skill, TagSource>();
        if (!held.has(skill)) holders.set(key, held.set(skill, source));
      }
      const [key = ''] = keys;
      // What is suggested is read by models too.
      if (tag.length <= LONGEST_TAG && !labels.has(key)) labels.set(key, labelOf(tag));
    };
    for (const skill of skills) {
      const { declared, derived } = tagsOf(skill);
      for (const tag of declared) put(skill, tag, 'declared');
      for (const { tag, from } of derived) put(skill, tag, from);
    }
    table = { holders, labels: new Set(labels.values()) };
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
    near(tag) {
      const label = labelOf(tag);
      return label.length < SHORTEST_LIKE ? [] : nearNames(label, tableOf().labels);
    },
  };
}

interface TagTable {
  readonly holders: ReadonlyMap<string, ReadonlyMap<Skill, TagSource>>;
  readonly labels: ReadonlySet<string>;
}

/** A tag as it can be typed behind `tag:`. */
function labelOf(tag: string): string {
  return tag.trim().toLowerCase().replace(/\s+/g, '-');
}
