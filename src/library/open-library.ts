import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasSystemCode, KnackError, type Problem } from '../errors.ts';
import { normaliseName } from '../skill/name.ts';
import { readSkill } from '../skill/parse.ts';
import type { Skill, SkillReading } from '../skill/skill.ts';
import { discoverSkills } from './discover.ts';
import type { Library, LibraryChange, LibraryEntry, SkillRoot } from './library.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';
import { buildGraph, type SkillGraph } from './skill-graph.ts';
/** What was learned from use, for rank and graph. */
export interface Recorded {
  queriesOf(skill: string): readonly string[];
  coUse(): readonly (readonly [string, string])[];
}

export interface LibraryOptions {
  /** In order of precedence. */
  readonly roots: readonly SkillRoot[];
  readonly recorded?: Recorded;
  /** Gets a line for each skill that changed on disk. */
  readonly log?: (line: string) => void;
}

/** One file as it was last read. */
interface FileState {
  readonly root: SkillRoot;
  readonly signature: string;
  readonly reading: SkillReading;
  /** The last version that could be used, and what is wrong with the present one. */
  readonly lastGood?: Skill;
}

interface State {
  readonly files: ReadonlyMap<string, FileState>;
  readonly entries: readonly LibraryEntry[];
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
  readonly names: ReadonlyMap<string, Skill>;
}

const AT_ONCE = 32;
const COMPANIONS = ['SKILL.md', 'tools.yaml', 'tests.yaml', 'evals/triggers.json'];

/** Opens the library of these roots. A root that does not exist is a problem, not an error. */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const state = await readState(options, new Map());
  return libraryOf(options, state);
}

function libraryOf(options: LibraryOptions, first: State): Library {
  let state = first;
  let graph: SkillGraph | undefined;
  let index: SearchIndex | undefined;
  const find = (name: string): Skill | undefined =>
    state.names.get(name) ?? state.names.get(normaliseName(name)) ?? byRoot(state, name);
  const graphOf = () => {
    graph ??= buildGraph(state.skills, find, options.recorded?.coUse());
    return graph;
  };
  const indexOf = () => {
    index ??= createSearchIndex(state.skills, {
      recorded: (skill) => queriesFor(skill, rootOf(skill), options.recorded),
      graph: graphOf,
    });
    return index;
  };
  const rootOf = (skill: Skill): SkillRoot => {
    const root = state.files.get(skill.path)?.root ?? options.roots[0];
    if (root === undefined) throw new KnackError('not-found', `${skill.name} belongs to no root`);
    return root;
  };
  return {
    roots: options.roots,
    get entries() {
      return state.entries;
    },
    get skills() {
      return state.skills;
    },
    get problems() {
      const cycle = graphOf().callCycle();
      if (cycle === undefined) return state.problems;
      return [
        ...state.problems,
        {
          rule: 'call-cycle',
          severity: 'error' as const,
          message: `the tools of ${cycle.join(' → ')} call each other in a circle`,
        },
      ];
    },
    find,
    rootOf,
    search: (query, searchOptions) => indexOf().search(query, searchOptions),
    edges: (name) => (name === undefined ? graphOf().edges : graphOf().from(name)),
    related: (name) =>
      graphOf()
        .neighbours(name)
        .flatMap((neighbour) => find(neighbour.name) ?? []),
    suggest: (name) =>
      suggest(
        name,
        state.skills.map((skill) => skill.name),
      ),
    async refresh() {
      const before = state;
      const next = await readState(options, state.files);
      const changes = changesBetween(before, next);
      if (changes.length === 0 && next.problems.length === before.problems.length) return [];
      state = next;
      graph = undefined;
      const changed = new Set(
        changes.filter((change) => change.kind !== 'removed').map((change) => change.name),
      );
      index?.update(
        next.skills.filter((skill) => changed.has(skill.name)),
        changes.filter((change) => change.kind === 'removed').map((change) => change.name),
      );
      for (const change of changes)
        options.log?.(`reloaded ${change.name} ${change.from ?? 'new'} → ${change.to ?? 'removed'}`);
      return changes;
    },
    with(skills, without = []) {
      const taken = new Set([...skills.map((skill) => skill.name), ...without]);
      const root = options.roots.find((each) => each.writable) ?? options.roots[0];
      const kept = state.entries.filter((entry) => entry.state !== 'listed' || !taken.has(entry.skill.name));
      const added: LibraryEntry[] =
        root === undefined ? [] : skills.map((skill) => ({ state: 'listed', root, skill }));
      const files = new Map(state.files);
      for (const skill of skills)
        if (root !== undefined)
          files.set(skill.path, { root, signature: '', reading: { kind: 'loaded', skill } });
      return libraryOf(options, assemble([...kept, ...added], files, state.problems));
    },
  };
}

async function readState(options: LibraryOptions, known: ReadonlyMap<string, FileState>): Promise<State> {
  const problems: Problem[] = [];
  const files = new Map<string, FileState>();
  const entries: LibraryEntry[] = [];
  for (const root of options.roots) {
    const found = await discoverSkills(root.dir).catch((error: unknown) => {
      if (!(error instanceof KnackError)) throw error;
      problems.push({
        rule: 'root-missing',
        severity: 'warning',
        message: `the root ${root.name} is not there: ${error.message}`,
      });
      return { files: [], refused: [], problems: [] };
    });
    problems.push(...found.problems);
    entries.push(
      ...found.refused.map(
        ({ path, problem }): LibraryEntry => ({ state: 'refused', root, path, problems: [problem] }),
      ),
    );
    const fresh = found.files.filter((path) => !files.has(path));
    for (let start = 0; start < fresh.length; start += AT_ONCE) {
      const batch = fresh.slice(start, start + AT_ONCE);
      const states = await Promise.all(batch.map((path) => readFileState(path, root, known.get(path))));
      for (const [index, path] of batch.entries()) {
        const file = states[index];
        if (file !== undefined) files.set(path, file);
      }
    }
  }
  for (const [path, file] of files) {
    if (file.reading.kind === 'loaded')
      entries.push({ state: 'listed', root: file.root, skill: file.reading.skill });
    else if (file.lastGood !== undefined)
      entries.push({
        state: 'listed',
        root: file.root,
        skill: file.lastGood,
        problem: brokenNow(path, file.reading.problems),
      });
    else entries.push({ state: 'refused', root: file.root, path, problems: file.reading.problems });
  }
  return assemble(entries, files, problems);
}

/** Reads a file again only where its signature changed; the content then decides. */
async function readFileState(
  path: string,
  root: SkillRoot,
  known: FileState | undefined,
): Promise<FileState> {
  const signature = await signatureOf(path);
  if (known !== undefined && known.signature === signature) return known;
  const reading = await readSkill(path);
  const lastGood = known?.reading.kind === 'loaded' ? known.reading.skill : known?.lastGood;
  return {
    root,
    signature,
    reading,
    ...(reading.kind === 'refused' && lastGood !== undefined ? { lastGood } : {}),
  };
}

async function signatureOf(path: string): Promise<string> {
  const parts = await Promise.all(
    COMPANIONS.map(async (name, index) => {
      try {
        const { size, mtimeMs, ctimeMs, ino } = await stat(index === 0 ? path : join(dirname(path), name));
        return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
      } catch (error) {
        if (hasSystemCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return '-';
        throw error;
      }
    }),
  );
  return parts.join('|');
}

/** Applies the precedence of the roots; the first of a name is listed, the others are shadowed. */
function assemble(
  found: readonly LibraryEntry[],
  files: ReadonlyMap<string, FileState>,
  problems: readonly Problem[],
): State {
  const order = new Map<string, number>();
  const place = (entry: LibraryEntry) => {
    if (!order.has(entry.root.name)) order.set(entry.root.name, order.size);
    return order.get(entry.root.name) ?? 0;
  };
  const pathOf = (entry: LibraryEntry) => (entry.state === 'refused' ? entry.path : entry.skill.path);
  const nameOf = (entry: LibraryEntry) => (entry.state === 'refused' ? '\uffff' : entry.skill.name);
  const ranked = [...found].sort(
    (left, right) =>
      compare(nameOf(left), nameOf(right)) ||
      place(left) - place(right) ||
      compare(pathOf(left), pathOf(right)),
  );
  const names = new Map<string, Skill>();
  const owners = new Map<string, SkillRoot>();
  const entries = ranked.map((entry): LibraryEntry => {
    if (entry.state === 'refused') return entry;
    const { root, skill } = entry;
    const owner = owners.get(skill.name);
    if (owner !== undefined) return { state: 'shadowed', root, skill, by: `${owner.name}:${skill.name}` };
    owners.set(skill.name, root);
    names.set(skill.name, skill);
    return entry.state === 'listed' ? entry : { state: 'listed', root, skill };
  });
  const skills = [...names.values()];
  for (const skill of skills) {
    for (const alias of [...skill.aliases, ...(skill.label === undefined ? [] : [skill.label])]) {
      for (const form of [alias, normaliseName(alias)])
        if (form !== '' && !names.has(form)) names.set(form, skill);
    }
  }
  return { files, entries, skills, problems, names };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function byRoot(state: State, name: string): Skill | undefined {
  const [root, rest] = name.includes(':')
    ? [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)]
    : ['', ''];
  for (const entry of state.entries)
    if (entry.state !== 'refused' && entry.root.name === root && entry.skill.name === normaliseName(rest))
      return entry.skill;
  return undefined;
}

/** Triggers that ship with a skill of a read-only root count for the gate alone: its author would rank it. */
function queriesFor(skill: Skill, root: SkillRoot, recorded: Recorded | undefined): readonly string[] {
  const shipped = root.writable
    ? skill.triggers.filter((trigger) => trigger.shouldTrigger).map((trigger) => trigger.query)
    : [];
  return [...shipped, ...(recorded?.queriesOf(skill.name) ?? [])];
}

function changesBetween(before: State, after: State): LibraryChange[] {
  const old = new Map(before.skills.map((skill) => [skill.name, skill]));
  const present = new Map(after.skills.map((skill) => [skill.name, skill]));
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

function brokenNow(path: string, problems: readonly Problem[]): Problem {
  const [first] = problems;
  return {
    rule: first?.rule ?? 'broken',
    severity: 'error',
    message: `${path} is broken now (${first?.message ?? 'unreadable'}); the last good version is in use`,
  };
}

/** Names within two edits or with the same beginning, nearest first. */
function suggest(name: string, names: readonly string[]): string[] {
  const wanted = normaliseName(name);
  const distance = (other: string) =>
    other.startsWith(wanted) || wanted.startsWith(other) || other.includes(wanted) ? 1 : edits(wanted, other);
  return names
    .map((other) => [other, distance(other)] as const)
    .filter(([, far]) => far <= Math.max(2, wanted.length / 4))
    .sort(([, left], [, right]) => left - right)
    .slice(0, 3)
    .map(([other]) => other);
}

function edits(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
