import type { Library } from '../library/library.ts';

/** What one conversation has been shown, so that nothing is shown twice. */
export interface SessionDisclosure {
  /** Names of skills whose metadata stood beside a message already. */
  readonly shown: Set<string>;
  /** Names of skills that the catalog of this conversation has in full. */
  readonly described: Set<string>;
  /** Instructions in the conversation: name to content hash. */
  readonly loaded: Map<string, string>;
  /** The tools of those skills as the conversation has them; absent for what an earlier process loaded. */
  readonly tools: Map<string, string>;
  /** Tokens spent on candidates and announcements. */
  tokens: number;
  /** The library as it was last announced: name to content hash; undefined before the first turn. */
  known: Map<string, string> | undefined;
}

/** `described` are the skills that the conversation's catalog has in full. */
export function createSessionDisclosure(described: readonly string[] = []): SessionDisclosure {
  return {
    shown: new Set(),
    described: new Set(described),
    loaded: new Map(),
    tools: new Map(),
    tokens: 0,
    known: undefined,
  };
}

/** The skills that a model may be told of, with the hashes of their present texts. */
export function hashesOf(library: Library): Map<string, string> {
  return new Map(
    library.skills.filter((skill) => !skill.userOnly).map((skill) => [skill.name, skill.contentHash]),
  );
}
