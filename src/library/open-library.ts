import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KnackError, type Problem } from '../errors.ts';
import { normaliseName } from '../skill/name.ts';
import type { Skill } from '../skill/skill.ts';
import type { Library, LibraryChange, LibraryEntry, SkillRoot } from './library.ts';
import { nearNames } from './near-names.ts';
import { categoryOf, type RootAt, rootFor, rootsIn, rootsOf } from './places.ts';
import { type Precedence, precedenceOf } from './precedence.ts';
import { type FileState, type RootsReading, readRoots } from './reading/read-roots.ts';
import { isOutdated, type KnownReading, loadReadings, saveReadings } from './reading/reading-cache.ts';
import { createPreparedSkills, type PreparedCache, type PreparedSkills } from './search/prepared-skills.ts';
import { createSearchIndex, type SearchIndex } from './search/search-index.ts';
import { buildGraph, findCallCycle, type SkillGraph } from './skill-graph.ts';
import type { Usage } from './use/usage.ts';

/** What was learned from use, for rank and graph. */
export type RecordedUse = Pick<Usage, 'queriesOf' | 'coUse'> & Partial<Pick<Usage, 'refresh'>>;

export interface LibraryOptions {
  /** In order of precedence. */
  readonly roots: readonly SkillRoot[];
  readonly recorded?: RecordedUse;
  /**
   * File that keeps what was read for the next process (`now` in milliseconds), so that it reads only what changed; the
   * search index is kept beside it.
   */
  readonly cache?: { readonly file: string; readonly now: number };
  /** Gets a line for each skill that changed on disk. */
  readonly log?: (line: string) => void;
}

/** Beside what was read. */
const INDEX_FILE = 'search-index.bin';

/** New skills whose bodies are worth getting out of the memory. */
const MANY = 1000;

/** Everything that a library answers from, replaced as a whole. */
interface State extends Precedence {
  /** What it was made from. */
  readonly read: RootsReading;
  readonly rootAt: RootAt;
}

/** Opens the library of these roots. A root that does not exist is a problem, not an error. */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const { cache } = options;
  const kept = cache === undefined ? new Map<string, KnownReading>() : loadReadings(cache.file);
  let found = await readRoots(options.roots, kept, cache?.now);
  if (cache !== undefined && isOutdated(kept, found.files, cache.now)) {
    saveReadings(cache.file, found.files, cache.now);
    // What was parsed holds its body in memory; what comes from the cache does not.
    if (found.files.size - kept.size > MANY)
      found = await readRoots(options.roots, loadReadings(cache.file), cache.now);
  }
  return libraryOf(options, stateOf(options, found));
}

/** `prepared` of the library that this one is made from. */
function libraryOf(options: LibraryOptions, first: State, given?: () => PreparedSkills): Library {
  let state = first;
  let prepared: PreparedSkills | undefined;
  let graph: SkillGraph | undefined;
  let index: SearchIndex | undefined;
  let recordedBefore: ReadonlyMap<string, readonly string[]> = new Map();
  let refreshing: Promise<unknown> = Promise.resolve();

  const preparedOf = () => {
    prepared ??= given?.() ?? createPreparedSkills(preparedCache(options, (skill) => keyOf(skill)));
    return prepared;
  };
  const keyOf = (skill: Skill) =>
    isAsRead(skill, state.read.files.get(skill.path))
      ? { path: skill.path, contentHash: skill.contentHash, category: categoryHere(skill) }
      : undefined;
  const categoryHere = (skill: Skill) => categoryOf(skill, rootOf(skill));
  const graphOf = () => {
    graph ??= buildGraph(state.skills, state.find, preparedOf().mentionsOf, options.recorded?.coUse());
    return graph;
  };
  const rootOf = (skill: Skill): SkillRoot => {
    const root = state.rootAt(skill.path);
    if (root === undefined) throw new KnackError('not-found', `${skill.path} is not in this library`);
    return root;
  };
  /** The queries of the skills that have any, by name. */
  const recordedNow = () => {
    const found = new Map<string, readonly string[]>();
    for (const skill of state.skills) {
      const queries = queriesFor(skill, rootOf, options.recorded);
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
        find: (name) => state.find(name),
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
    state = next;
    graph = undefined;
    if (changes.length > 0 || (index !== undefined && !isSame(recordedBefore, recordedNow())))
      index = undefined;
    for (const { name, from = 'new', to = 'removed' } of changes)
      options.log?.(`reloaded ${name} ${from} → ${to}`);
    return changes;
  }

  return {
    roots: options.roots,
    get entries() {
      return state.entries;
    },
    get skills() {
      return state.skills;
    },
    get problems() {
      return [...state.read.problems, ...cycleProblems(state)];
    },
    find: (name) => state.find(name),
    rootOf,
    search: (query, searchOptions) => indexOf().search(query, searchOptions),
    edges: (name) => (name === undefined ? graphOf().edges : graphOf().from(name)),
    related: (name) =>
      graphOf()
        .neighbours(state.find(name)?.name ?? name)
        .flatMap((neighbour) => state.find(neighbour.name) ?? []),
    suggest: (name) => nearNames(normaliseName(name), new Set(state.skills.map((skill) => skill.name))),
    refresh() {
      // One after the other: the later one sees what the earlier one took up.
      const next = refreshing.then(async () => {
        const read = await readRoots(options.roots, state.read.files, options.cache?.now);
        await options.recorded?.refresh?.();
        const isSame = given === undefined && isSameReading(read, state.read);
        return replace(isSame ? state : stateOf(options, read));
      });
      refreshing = next.catch(() => undefined);
      return next;
    },
    with(skills, without = []) {
      const taken = new Set([...skills.map((skill) => skill.name), ...without]);
      const kept = state.entries.filter((entry) => entry.state === 'refused' || !taken.has(entry.skill.name));
      const added = skills.map((skill): LibraryEntry => {
        const before = state.find(skill.name);
        const writable = options.roots.find((root) => root.writable) ?? options.roots[0];
        const root = (before?.path === skill.path ? state.rootAt(skill.path) : writable) ?? rootFor(skill);
        return { state: 'listed', root, skill };
      });
      const { log: _, ...silent } = options;
      const entries = [...kept, ...added];
      return libraryOf(silent, stateOf(options, { ...state.read, entries }, rootsOf(entries)), preparedOf);
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

function stateOf({ roots }: LibraryOptions, read: RootsReading, rootAt = rootsIn(read)): State {
  return { ...precedenceOf(read.entries, roots), read, rootAt };
}

/** Whether another look found everything as it was. */
function isSameReading(left: RootsReading, right: RootsReading): boolean {
  if (left.files.size !== right.files.size || left.entries.length !== right.entries.length) return false;
  for (const [path, file] of left.files) if (right.files.get(path) !== file) return false;
  // What is refused before it is read stands in no file.
  const others = ({ entries }: RootsReading) => entries.slice(0, entries.length - left.files.size);
  return isDeepStrictEqual(others(left), others(right)) && isDeepStrictEqual(left.problems, right.problems);
}

/** Triggers that ship with a skill of a read-only root count for the gate alone: its author would rank it. */
function queriesFor(
  skill: Skill,
  rootOf: (skill: Skill) => SkillRoot,
  recorded: RecordedUse | undefined,
): readonly string[] {
  const learned = recorded?.queriesOf(skill.name) ?? [];
  if (skill.triggers.length === 0 || !rootOf(skill).writable) return learned;
  const shipped = skill.triggers.filter((trigger) => trigger.shouldTrigger);
  return [...shipped.map((trigger) => trigger.query), ...learned];
}

function isSame(
  left: ReadonlyMap<string, readonly string[]>,
  right: ReadonlyMap<string, readonly string[]>,
): boolean {
  for (const [name, queries] of left) if (right.get(name)?.join('\n') !== queries.join('\n')) return false;
  return left.size === right.size;
}

function cycleProblems({ skills, find }: State): Problem[] {
  const cycle = findCallCycle(skills, find);
  if (cycle === undefined) return [];
  const message = `the tools of ${cycle.join(' → ')} call each other in a circle; take one of the calls out of tools.yaml`;
  return [{ rule: 'call-cycle', severity: 'error', message }];
}

function changesBetween(before: State, after: State): LibraryChange[] {
  if (before === after) return [];
  const old = new Map(before.skills.map((skill) => [skill.name, skill]));
  const present = new Set(after.skills.map((skill) => skill.name));
  const label = (skill: Skill) => skill.version ?? skill.contentHash.slice(0, 8);
  const changed = after.skills.flatMap((skill): LibraryChange[] => {
    const was = old.get(skill.name);
    if (was === undefined) return [{ name: skill.name, kind: 'added', to: label(skill) }];
    return was === skill ? [] : [{ name: skill.name, kind: 'changed', from: label(was), to: label(skill) }];
  });
  const removed = before.skills
    .filter((skill) => !present.has(skill.name))
    .map((skill): LibraryChange => ({ name: skill.name, kind: 'removed', from: label(skill) }));
  return [...changed, ...removed];
}
