import { isDeepStrictEqual } from 'node:util';
import { KnackError, type Problem } from '../../errors.ts';
import { NO_PAUSE, type Pause } from '../../pause.ts';
import type { Skill } from '../../skill/skill.ts';
import type { LibraryEntry, SkillRoot } from '../library.ts';
import type { Discovery, FoundFile } from './discover.ts';
import { discoverPausing } from './discover-pausing.ts';
import { distinctRoots } from './distinct-roots.ts';
import { createToldOnce } from './found-problems.ts';
import { brokenNow, type InService, withLastGood } from './last-good.ts';
import { notFilesNow } from './not-a-file-now.ts';
import type { KnownFolder, KnownReading } from './reading-cache.ts';
import { folderStampOf, isSettled, type Stamp, signatureOf } from './stamps.ts';

/** One file as it was last read. */
export interface FileState extends KnownReading {
  readonly root: SkillRoot;
  /** What stays in service while the version on disk is broken; `problem` says how. */
  readonly lastGood?: Skill;
  /** Set also where a file beside `SKILL.md` is broken now and its last good content is in what was read. */
  readonly problem?: Problem;
}

/** A file as it was read before; one that an earlier process read belongs to no root yet. */
type KnownState = Omit<FileState, 'root'>;

/** All roots as they were last read. */
export interface RootsReading {
  /** By path, in the order of roots and paths. */
  readonly files: ReadonlyMap<string, FileState>;
  /** Of the folder of each root that was read, before it was. */
  readonly stamps: ReadonlyMap<string, Stamp | undefined>;
  readonly entries: readonly LibraryEntry[];
  readonly problems: readonly Problem[];
}

const AT_ONCE = 32;
const MOST_ATTEMPTS = 3;
/** What belongs to a skill: its name beside the file, and where it lies. */
const COMPANIONS = [
  { name: 'tools.yaml', place: 'tools.yaml' },
  { name: 'tests.yaml', place: 'tests.yaml' },
  { name: 'evals', place: 'evals/triggers.json' },
];
const NO_COMPANIONS: readonly undefined[] = [];

/**
 * Reads every skill of the roots; what has not changed since `known` is taken from there, the same objects. A root that
 * does not exist is a problem, not an error. A file that two roots share belongs to the first, and what is wrong below both
 * is told once. A folder that was settled at `now` (milliseconds, not later than this call) and has not changed since is not
 * looked into again; without, each is. Between steps it waits for `pause`, which may end it.
 */
export async function readRoots(
  roots: readonly SkillRoot[],
  known: ReadonlyMap<string, KnownState>,
  now = Number.NEGATIVE_INFINITY,
  pause: Pause = NO_PAUSE,
): Promise<RootsReading> {
  const problems: Problem[] = [];
  const entries: LibraryEntry[] = [];
  const files = new Map<string, FileState>();
  const reals = new Set<string>();
  const stamps = new Map(roots.map(({ dir }) => [dir, folderStampOf(dir)]));
  const problemsOnce = createToldOnce();
  const refusedOnce = createToldOnce();
  for (const root of distinctRoots(roots).roots) {
    const found = await discovered(root, problems, (path) => known.get(path)?.folder, pause);
    problems.push(...problemsOnce(found.problems).map(({ problem }) => problem));
    const paths = new Set(found.files.map(({ path }) => path));
    const kept = notFilesNow(root, known, { paths, refused: found.refused });
    for (const { path, problem } of refusedOnce(found.refused))
      if (!kept.has(path)) entries.push({ state: 'refused', root, path, problems: [problem] });
    const fresh = found.files.filter(({ real }) => !reals.has(real));
    for (const { real } of found.files) reals.add(real);
    const states = fresh.map((file) => unchanged(file, root, known.get(file.path), now));
    // Waits only where there is something to read: ten thousand promises take longer than what they wait for.
    const others = fresh.filter((_, index) => states[index] === undefined);
    const anew = await inBatches(others, (file) => readAnew(file, root, known.get(file.path), now), pause);
    const read = new Map(kept);
    for (const [index, { path }] of fresh.entries()) {
      const state = states[index] ?? anew.get(path);
      if (state !== undefined) read.set(path, state);
    }
    for (const [path, state] of kept.size === 0 ? read : byPath(read)) files.set(path, state);
  }
  for (const [path, file] of files) entries.push(entryOf(path, file));
  return { files, stamps, entries, problems };
}

function byPath<T>(found: ReadonlyMap<string, T>): [path: string, value: T][] {
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1));
}

async function discovered(
  root: SkillRoot,
  problems: Problem[],
  known: (path: string) => KnownFolder | undefined,
  pause: Pause,
): Promise<Pick<Discovery, 'files' | 'refused' | 'problems'>> {
  try {
    return await discoverPausing(root.dir, pause, known);
  } catch (error) {
    if (!(error instanceof KnackError && error.code === 'not-found')) throw error;
    problems.push({
      rule: 'root-missing',
      severity: 'warning',
      message: `the root ${root.name} is not there: ${error.message}`,
    });
    return { files: [], refused: [], problems: [] };
  }
}

async function inBatches(
  files: readonly FoundFile[],
  read: (file: FoundFile) => Promise<FileState>,
  pause: Pause,
): Promise<ReadonlyMap<string, FileState>> {
  const states = new Map<string, FileState>();
  for (let start = 0; start < files.length; start += AT_ONCE) {
    await pause();
    const batch = files.slice(start, start + AT_ONCE);
    const found = await Promise.all(batch.map(read));
    for (const [index, state] of found.entries()) states.set(batch[index]?.path ?? '', state);
  }
  return states;
}

/** What is known of a file, if it is as it was then. */
function unchanged(
  file: FoundFile,
  root: SkillRoot,
  known: FileState | KnownState | undefined,
  now: number,
): FileState | undefined {
  if (known === undefined || known.signature !== signatureNow(file, known.signature)) return undefined;
  const folder = folderOf(file, known.folder, now);
  // What an earlier process read has nothing beyond these; copying ten thousand of them takes longer.
  if (!('root' in known)) return { root, signature: known.signature, folder, reading: known.reading };
  return known.root === root && known.folder === folder ? known : { ...known, root, folder };
}

function folderOf(
  { stamp, beside }: FoundFile,
  known: KnownFolder | undefined,
  now: number,
): KnownFolder | undefined {
  // It was settled when it was looked into.
  if (known !== undefined && known.stamp === stamp) return known;
  if (stamp === undefined || !isSettled(stamp, now)) return undefined;
  return { stamp, beside: beside.filter((name) => COMPANIONS.some((companion) => companion.name === name)) };
}

/** The signature says whether to read again, the content whether anything changed. Never a mix of two versions. */
async function readAnew(
  file: FoundFile,
  root: SkillRoot,
  known: KnownState | undefined,
  now: number,
): Promise<FileState> {
  const { path } = file;
  const folder = folderOf(file, known?.folder, now);
  let signature = signatureNow(file, known?.signature);
  // Parsing brings the YAML parser along, which a start from the cache has no use for.
  const { readSkill } = await import('../../skill/parse.ts');
  let reading = await readSkill(path);
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt += 1) {
    const after = signatureNow(file, signature);
    if (after === signature) break;
    signature = after;
    reading = await readSkill(path);
  }
  const before = known?.lastGood ?? (known?.reading.kind === 'loaded' ? known.reading.skill : undefined);
  // What an earlier process read was never served by this one: with and without its cache the answer is the same.
  const served = known !== undefined && 'root' in known ? before : undefined;
  const broken = served && brokenNow(reading, served);
  if (served && broken) return { root, signature, reading, folder, lastGood: served, problem: broken };
  if (reading.kind === 'refused') return { root, signature, reading, folder };
  const { skill, problem }: InService =
    served === undefined ? { skill: reading.skill } : withLastGood(reading.skill, served);
  const same = before !== undefined && isDeepStrictEqual({ ...before }, { ...skill });
  return {
    root,
    signature,
    folder,
    reading: { kind: 'loaded', skill: same ? before : skill },
    ...(problem === undefined ? {} : { problem }),
  };
}

/** What does not lie beside the file is not looked for; what comes there a moment later tells the next time. `known` itself if it is the same. */
export function signatureNow(
  { path, beside }: Pick<FoundFile, 'path' | 'beside'>,
  known: Stamp | undefined,
): Stamp {
  const others =
    beside.length === 0
      ? NO_COMPANIONS
      : COMPANIONS.map(({ name, place }) => (beside.includes(name) ? place : undefined));
  return signatureOf(path, others, known);
}

function entryOf(path: string, { root, reading, lastGood, problem }: FileState): LibraryEntry {
  const skill = lastGood ?? (reading.kind === 'loaded' ? reading.skill : undefined);
  if (skill !== undefined)
    return { state: 'listed', root, skill, ...(problem === undefined ? {} : { problem }) };
  return { state: 'refused', root, path, problems: reading.kind === 'refused' ? reading.problems : [] };
}
