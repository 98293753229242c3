import { dirname, join } from 'node:path';
import type { Pause } from '../pause.ts';
import { normaliseName } from '../skill/name.ts';
import type { Skill } from '../skill/skill.ts';
import type { Library, LibraryChange, LibraryEntry, SkillRoot } from './library.ts';
import { changeLines, changesBetween, faultLines, newFaults } from './library-changes.ts';
import { problemsIn } from './library-problems.ts';
import { nearNames } from './near-names.ts';
import { type RootAt, rootFor, rootOfSkill, rootsIn, rootsOf } from './places.ts';
import { type Precedence, precedenceOf } from './precedence.ts';
import { type FileState, type RootsReading, readRoots } from './reading/read-roots.ts';
import { isOutdated, type KnownReading, loadReadings, saveReadings } from './reading/reading-cache.ts';
import { isSameReading, isStillAsRead, sameRoots } from './reading/still-as-read.ts';
import { createRefreshing } from './refreshing.ts';
import { createPreparedSkills, type PreparedCache, type PreparedSkills } from './search/prepared-skills.ts';
import { boundedQuery } from './search/query.ts';
import { createSearchIndex, type SearchIndex } from './search/search-index.ts';
import { withShadowed } from './search/shadowed-hit.ts';
import { buildGraph, type SkillGraph } from './skill-graph.ts';
import { type FolderOf, sortsAlike, topicFoldersOf } from './tags/topic-folders.ts';
import { isSameRecorded, recordedNames } from './use/recorded-names.ts';
import type { Usage } from './use/usage.ts';

/** What was learned from use, for rank and graph. */
export type RecordedUse = Pick<Usage, 'queriesOf' | 'coUse'> & Partial<Pick<Usage, 'refresh'>>;

export interface LibraryOptions {
  /**
   * In order of precedence. Roots that come and go, as those of a project do that is trusted, or that changed since it
   * was, are asked for at every `refresh`: what is no longer a root is out before anything answers.
   */
  readonly roots: readonly SkillRoot[] | (() => readonly SkillRoot[]);
  readonly recorded?: RecordedUse;
  /**
   * File that keeps what was read for the next process (`now` in milliseconds), so that it reads only what changed; the
   * search index is kept beside it.
   */
  readonly cache?: { readonly file: string; readonly now: number };
  /** Waited for between the steps in which the library is read when it is opened, and may end that. */
  readonly pause?: Pause;
  /** Gets a line for each skill that changed on disk, and for many at once one that counts the rest. */
  readonly log?: (line: string) => void;
}

/** Beside what was read. */
const INDEX_FILE = 'search-index.bin';

/** New skills whose bodies are worth getting out of the memory. */
const MANY = 1000;

/** Everything that a library answers from, replaced as a whole. */
interface State extends Precedence {
  readonly roots: readonly SkillRoot[];
  /** What it was made from. */
  readonly read: RootsReading;
  readonly rootAt: RootAt;
}

/** Opens the library of these roots. A root that does not exist is a problem, not an error. */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const { cache, pause } = options;
  const kept = cache === undefined ? new Map<string, KnownReading>() : loadReadings(cache.file);
  const roots = rootsNow(options);
  let found = await readRoots(roots, kept, cache?.now, pause);
  if (cache !== undefined && isOutdated(kept, found.files, cache.now)) {
    saveReadings(cache.file, found.files, cache.now);
    // What was parsed holds its body in memory; what comes from the cache does not.
    if (found.files.size - kept.size > MANY)
      found = await readRoots(roots, loadReadings(cache.file), cache.now, pause);
  }
  return libraryOf(options, stateOf(roots, found));
}

function rootsNow({ roots }: LibraryOptions): readonly SkillRoot[] {
  return typeof roots === 'function' ? roots() : roots;
}

/** `prepared` of the library that this one is made from. */
function libraryOf(options: LibraryOptions, first: State, given?: () => PreparedSkills): Library {
  let state = first;
  let prepared: PreparedSkills | undefined;
  let graph: SkillGraph | undefined;
  let index: SearchIndex | undefined;
  let recordedBefore: ReadonlyMap<string, readonly string[]> = new Map();

  const preparedOf = () => {
    prepared ??= given?.() ?? createPreparedSkills(preparedCache(options, (skill) => keyOf(skill)));
    return prepared;
  };
  const keyOf = (skill: Skill) =>
    isAsRead(skill, state.read.files.get(skill.path))
      ? { path: skill.path, contentHash: skill.contentHash, category: categoryHere(skill) }
      : undefined;
  const categoryHere = (skill: Skill) => foldersIn(state)(skill);
  const graphOf = () => {
    graph ??= buildGraph(state.skills, state.find, preparedOf().mentionsOf, options.recorded?.coUse());
    return graph;
  };
  const rootOf = (skill: Skill) => rootOfSkill(state.rootAt, skill);
  const findListed = (name: string) => {
    const found = state.find(name);
    return found !== undefined && state.nameOf(found) === found.name ? found : undefined;
  };
  const learnedOf = (skill: Skill) => {
    const { recorded } = options;
    if (recorded === undefined) return [];
    // Whom a name leads to is asked of the few alone that something was recorded under.
    const hadOther = [skill.label ?? '', ...skill.aliases].some(
      (other) => recorded.queriesOf(normaliseName(other)).length > 0,
    );
    return hadOther ? recorded.queriesOf(...recordedNames(skill, state)) : recorded.queriesOf(skill.name);
  };
  /** The queries of the skills that have any, by name. */
  const recordedNow = () => {
    const found = new Map<string, readonly string[]>();
    for (const skill of state.skills) {
      const queries = queriesFor(skill, rootOf, learnedOf(skill));
      if (queries.length > 0) found.set(skill.name, queries);
    }
    return found;
  };
  const indexOf = () => {
    if (index === undefined) {
      const recorded = recordedNow();
      recordedBefore = recorded;
      index = createSearchIndex(state.skills, {
        recorded: ({ name }) => recorded.get(name) ?? [],
        category: categoryHere,
        find: findListed,
        graph: graphOf,
        prepared: preparedOf(),
      });
      if (given === undefined) preparedOf().keep(state.skills, categoryHere);
    }
    return index;
  };

  /** Takes up a new state in one step: until here everything was answered from the old one. */
  function replace(next: State): LibraryChange[] {
    const changes = changesBetween(state, next);
    const lines = [...changeLines(changes), ...faultLines(newFaults(state, next))];
    const isAlike =
      state === next || sortsAlike(state.skills, foldersIn(state), next.skills, foldersIn(next));
    state = next;
    if (!isAlike) prepared = undefined;
    graph = undefined;
    if (
      prepared === undefined ||
      changes.length > 0 ||
      (index !== undefined && !isSameRecorded(recordedBefore, recordedNow()))
    )
      index = undefined;
    for (const line of lines) options.log?.(line);
    return changes;
  }

  const refresh = createRefreshing(async () => {
    const present = rootsNow(options);
    // The same objects: what was read of these roots holds on to them.
    const roots = sameRoots(present, state.roots) ? state.roots : present;
    const read = await readRoots(roots, state.read.files, options.cache?.now);
    await options.recorded?.refresh?.();
    const isSame = given === undefined && roots === state.roots && isSameReading(read, state.read);
    return replace(isSame ? state : stateOf(roots, read));
  });
  const isPresent = (names: readonly string[]) => {
    const skills = names.flatMap((name) => state.find(name) ?? []);
    if (skills.length < names.length || !sameRoots(rootsNow(options), state.roots)) return false;
    return isStillAsRead(state.read, skills, options.cache?.now);
  };

  return {
    get roots() {
      return state.roots;
    },
    get entries() {
      return state.entries;
    },
    get skills() {
      return state.skills;
    },
    get problems() {
      return [...state.read.problems, ...problemsIn(state)];
    },
    find: (name) => state.find(name),
    rootOf,
    nameOf: (skill) => state.nameOf(skill),
    search(text, searchOptions) {
      const query = boundedQuery(text);
      return withShadowed(state, query, indexOf().search(query, searchOptions), searchOptions);
    },
    edges: (name) => (name === undefined ? graphOf().edges : graphOf().from(name)),
    related: (name) =>
      graphOf()
        .neighbours(state.find(name)?.name ?? name)
        .flatMap((neighbour) => state.find(neighbour.name) ?? []),
    suggest: (name) => nearNames(normaliseName(name), new Set(state.skills.map((skill) => skill.name))),
    refresh: (names) => (names !== undefined && isPresent(names) ? Promise.resolve([]) : refresh()),
    with(skills, without = []) {
      const taken = new Set([...skills.map((skill) => skill.name), ...without]);
      const kept = state.entries.filter((entry) => entry.state === 'refused' || !taken.has(entry.skill.name));
      const added = skills.map((skill): LibraryEntry => {
        const before = state.find(skill.name);
        const writable = state.roots.find((root) => root.writable) ?? state.roots[0];
        const root = (before?.path === skill.path ? state.rootAt(skill.path) : writable) ?? rootFor(skill);
        return { state: 'listed', root, skill };
      });
      const { log: _, ...silent } = options;
      const entries = [...kept, ...added];
      return libraryOf(
        silent,
        stateOf(state.roots, { ...state.read, entries }, rootsOf(entries)),
        preparedOf,
      );
    },
  };
}

function preparedCache({ cache }: LibraryOptions, keyOf: PreparedCache['keyOf']): PreparedCache | undefined {
  return cache && { file: join(dirname(cache.file), INDEX_FILE), now: cache.now, keyOf };
}

/** A skill that somebody only thinks of may bear the hash of the one on disk. */
function isAsRead(skill: Skill, file: FileState | undefined): boolean {
  return skill === file?.lastGood || (file?.reading.kind === 'loaded' && skill === file.reading.skill);
}

function stateOf(roots: readonly SkillRoot[], read: RootsReading, rootAt = rootsIn(read)): State {
  return { ...precedenceOf(read.entries, roots), roots, read, rootAt };
}

function foldersIn({ skills, rootAt }: State): FolderOf {
  return topicFoldersOf({ skills, rootOf: (skill) => rootOfSkill(rootAt, skill) });
}

/** Triggers that ship with a skill of a read-only root count for the gate alone: its author would rank it. */
function queriesFor(
  skill: Skill,
  rootOf: (skill: Skill) => SkillRoot,
  learned: readonly string[],
): readonly string[] {
  if (skill.triggers.length === 0 || !rootOf(skill).writable) return learned;
  const shipped = skill.triggers.filter((trigger) => trigger.shouldTrigger);
  return [...shipped.map((trigger) => trigger.query), ...learned];
}
