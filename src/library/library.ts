import type { Problem } from '../errors.ts';
import type { Skill } from '../skill/skill.ts';

/** A folder that skills are found in. Precedence is the order of the list; names are unique. */
export interface SkillRoot {
  /** For `root:name`: `workspace`, `bundled`, or the folder's own name. */
  readonly name: string;
  /** Absolute. */
  readonly dir: string;
  readonly writable: boolean;
}

/** Every SKILL.md that was found, and what became of it. */
export type LibraryEntry =
  | {
      readonly state: 'listed';
      readonly root: SkillRoot;
      readonly skill: Skill;
      /** Set when the text on disk is broken now and this is the last good version. */
      readonly problem?: Problem;
    }
  | {
      readonly state: 'shadowed';
      readonly root: SkillRoot;
      readonly skill: Skill;
      readonly by: string;
      readonly problem?: Problem;
    }
  | {
      readonly state: 'refused';
      readonly root: SkillRoot;
      readonly path: string;
      readonly problems: readonly Problem[];
    };

export interface SearchHit {
  /** What finds the skill: with its root where another one of the name is listed. */
  readonly name: string;
  readonly path: string;
  /** Comparable within one library: 0 and up, 1 is about "this fits". */
  readonly score: number;
  /** Fields, tags and edges that put it there, most important first. */
  readonly why: readonly string[];
  /** How it came to its rank, where that was asked for. */
  readonly shares?: RankShares;
}

/** A rank with what it is the sum of. It orders the hits of one query, but for near-twins, which stand behind the best of them. */
export interface RankShares {
  /** Without bound for the skill that the query names. */
  readonly rank: number;
  /** They add up to the rank; what is not taken from the skill's own texts comes last. */
  readonly parts: readonly RankShare[];
}

export interface RankShare {
  /**
   * A field, `recorded queries`, `likeness to recorded queries`; of a long text also `clause`, `breadth of the body` and
   * `purpose met`; `edge`, `copy`, `exact name`; or where meanings are compared `words` and `meaning`.
   */
  readonly part: string;
  readonly value: number;
  /** The words of the query that a field holds. */
  readonly words?: readonly string[];
  /** Which clause, which edge to which hit, the copy of which skill, which place in a stage. */
  readonly of?: string;
  /** What the rank among words is the sum of. */
  readonly shares?: RankShares;
}

export interface SearchOptions {
  /** @default 10 */
  readonly limit?: number;
  /** Also hits below the threshold under which nothing fits. @default false */
  readonly all?: boolean;
  /** Ignore what was recorded with a skill (its trigger queries and use). @default false */
  readonly withoutRecorded?: boolean;
  /** Only these skills. They are worth what they are among all. */
  readonly among?: (skill: Skill) => boolean;
  /** Also says of each hit how it came to its rank. @default false */
  readonly shares?: boolean;
}

export interface SkillEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'related' | 'mention' | 'calls' | 'co-use';
  /** The target does not exist. */
  readonly dangling: boolean;
}

/** What changed between two states of the library, for the log and the announcement to the model. */
export interface LibraryChange {
  readonly name: string;
  readonly kind: 'added' | 'changed' | 'removed';
  readonly from?: string;
  readonly to?: string;
}

/**
 * Every skill from every root under one precedence rule. A loaded snapshot: what it answers changes only with
 * `refresh`, and then skill by skill as a whole.
 */
export interface Library {
  readonly roots: readonly SkillRoot[];
  /** Every file found, sorted by name then root; independent of directory order. */
  readonly entries: readonly LibraryEntry[];
  /** The listed skills, sorted by name. */
  readonly skills: readonly Skill[];
  /** Problems of the library as a whole: caps that bit, call cycles, roots that do not exist. */
  readonly problems: readonly Problem[];
  /** By name, alias, label, `root:name`, or `root:folder` for what shares its name with another of its root. */
  find(name: string): Skill | undefined;
  /** The name that finds this skill and no other: its own if it is listed, else with its root. */
  nameOf(skill: Skill): string;
  /** Where a skill was found. */
  rootOf(skill: Skill): SkillRoot;
  search(query: string, options?: SearchOptions): SearchHit[];
  /** Edges that start at `name`, or all. */
  edges(name?: string): readonly SkillEdge[];
  /** The listed skills that stand in relation to `name`, nearest first. */
  related(name: string): readonly Skill[];
  /** Names near to one that does not exist, for "did you mean". */
  suggest(name: string): string[];
  /**
   * Looks at the disk again and takes up what changed; a broken edit keeps the last good version. With names it looks at
   * these skills and what the roots hold on their first level, and at everything as soon as one thing there is different.
   */
  refresh(names?: readonly string[]): Promise<LibraryChange[]>;
  /** A library as it would be with these skills in place of those of the same name, without touching the disk. */
  with(skills: readonly Skill[], without?: readonly string[]): Library;
}

export { openLibrary } from './open-library.ts';
