import type { Skill } from '../../skill/skill.ts';
import type { Library } from '../library.ts';
import { type TagSource, tagIndexOf } from '../tags/tag-index.ts';
import { readTagQuery } from '../tags/tag-query.ts';

/** What a search by tags looks at first: the skills that have every one of them. */
export interface Narrowing {
  /** Those of the asked tags that some skill has. */
  readonly tags: readonly string[];
  /** Tags that no skill has, which narrow nothing, with near ones that there are. */
  readonly unknown: readonly UnknownTag[];
  /** The listed skills within; who declared the first tag comes first, then by name. */
  readonly skills: readonly Skill[];
  /** Whether a skill is within. */
  holds(skill: Skill): boolean;
  /** Whether it declares all of the tags itself. */
  isDeclared(skill: Skill): boolean;
  /** Why it is: how it comes to each tag. */
  within(skill: Skill): string[];
  /** Why it is not: the tags that it lacks. */
  outside(skill: Skill): string;
}

export interface UnknownTag {
  readonly tag: string;
  readonly near: readonly string[];
}

/** A query as it is typed: its words, and what the tags narrow it to that are named in it or beside it. */
export interface ReadQuery {
  /** Where no skill has any of the tags, and there are no other words, the tags as words. */
  readonly text: string;
  /** Absent without tags. */
  readonly narrowing?: Narrowing;
}

/** Reads `tag:word` in a query (see `readTagQuery`), and takes `tags` that are given beside it. */
export function readQueryWithTags(
  library: Pick<Library, 'skills' | 'rootOf'>,
  query: string,
  tags: readonly string[] = [],
): ReadQuery {
  const read = readTagQuery(query);
  const asked = [...tags, ...read.tags];
  if (asked.length === 0) return { text: query };
  const narrowing = narrowingTo(library, asked);
  const isOnlyUnknown = read.text === '' && narrowing.tags.length === 0;
  return { text: isOnlyUnknown ? asked.join(' ') : read.text, narrowing };
}

/** What these tags narrow a search to. */
export function narrowingTo(
  library: Pick<Library, 'skills' | 'rootOf'>,
  asked: readonly string[],
): Narrowing {
  const index = tagIndexOf(library);
  const holders = [...new Set(asked)].map((tag) => ({ tag, skills: index.skillsWith(tag) }));
  const known = holders.filter(({ skills }) => skills.size > 0);
  const [first, ...others] = known;
  const skills = [...(first?.skills.keys() ?? [])].filter((skill) =>
    others.every((other) => other.skills.has(skill)),
  );
  const members = new Set(skills);
  return {
    tags: known.map(({ tag }) => tag),
    unknown: holders
      .filter(({ skills }) => skills.size === 0)
      .map(({ tag }) => ({ tag, near: index.near(tag) })),
    skills,
    holds: (skill) => members.has(skill),
    isDeclared: (skill) => known.every(({ skills }) => skills.get(skill) === 'declared'),
    within: (skill) =>
      known.map(({ tag, skills }) => `tag ${tag}: ${SOURCES[skills.get(skill) ?? 'declared']}`),
    outside(skill) {
      const lacked = known.filter(({ skills }) => !skills.has(skill)).map(({ tag }) => tag);
      return `outside ${tagNames(lacked)}`;
    },
  };
}

/** `tag pdf`, `tags pdf, forms`. */
export function tagNames(tags: readonly string[]): string {
  return `${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`;
}

const SOURCES: Record<TagSource, string> = {
  declared: 'declared',
  keywords: 'derived from its keywords',
  folder: 'derived from its folder',
  name: 'derived from its name',
  description: 'derived from its description',
};
