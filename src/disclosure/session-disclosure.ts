import { createHash } from 'node:crypto';
import type { Library } from '../library/library.ts';
import type { Skill } from '../skill/skill.ts';
import { toolLines } from './tool-lines.ts';

/** What one conversation has been shown, so that nothing is shown twice. A skill goes by the name that finds it alone. */
export interface SessionDisclosure {
  /** Names of skills whose metadata stood beside a message already. */
  readonly shown: Set<string>;
  /** Names of skills that the catalog of this conversation has in full. */
  readonly described: Set<string>;
  /** Instructions in the conversation: name to content hash. */
  readonly loaded: Map<string, string>;
  /** The tools of those skills as the conversation has them; absent where nothing is known of them. */
  readonly tools: Map<string, string>;
  /** The files of those skills as the conversation has heard of them: path to stamp. */
  readonly files: Map<string, ReadonlyMap<string, string>>;
  /** How well skills fitted that stood beside a message as candidates, by name, as they were last named. */
  readonly fits: Map<string, number>;
  /** Tokens spent on candidates and announcements. */
  tokens: number;
  /** Whether the conversation has been told that candidates come by name alone. */
  runsOut: boolean;
  /** The same that no more come. */
  isCut: boolean;
  /** The library as it was last announced: name to hash, as `hashesOf` has it; undefined before the first turn. */
  known: Map<string, string> | undefined;
}

/** `described` are the skills that the conversation's catalog has in full. */
export function createSessionDisclosure(described: readonly string[] = []): SessionDisclosure {
  return {
    shown: new Set(),
    described: new Set(described),
    loaded: new Map(),
    tools: new Map(),
    files: new Map(),
    fits: new Map(),
    tokens: 0,
    runsOut: false,
    isCut: false,
    known: undefined,
  };
}

/**
 * The skills that a model may be told of, with hashes of what it gets when it loads them: the text and the tools. Those
 * that another one shadows, or that are for the user to load, are there if they are `loaded`.
 */
export function hashesOf(library: Library, loaded: Iterable<string> = []): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const skill of library.skills) if (!skill.userOnly) hashes.set(skill.name, hashOf(skill));
  for (const name of loaded) {
    const skill = hashes.has(name) ? undefined : library.find(name);
    // A name that is gone may be another skill's alias.
    if (skill !== undefined && isNameOf(name, skill)) hashes.set(name, hashOf(skill));
  }
  return hashes;
}

/** Notes that the conversation has the instructions of a skill as it is now. */
export function noteLoaded(session: SessionDisclosure, name: string, skill: Skill): void {
  session.loaded.set(name, skill.contentHash);
  session.tools.set(name, toolLines(skill).join('\n'));
}

/** Whether the conversation has the instructions of a skill, and as it is now. */
export function isLoadedAsIs(session: SessionDisclosure, name: string, skill: Skill): boolean {
  const tools = toolLines(skill).join('\n');
  return session.loaded.get(name) === skill.contentHash && (session.tools.get(name) ?? tools) === tools;
}

function hashOf(skill: Skill): string {
  if (skill.tools.length === 0) return skill.contentHash;
  return createHash('sha256')
    .update(JSON.stringify([skill.contentHash, skill.tools]))
    .digest('hex');
}

function isNameOf(name: string, skill: Skill): boolean {
  return name === skill.name || name.includes(':');
}
