import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import { equalFolders, type Folder, isContainedPath, readFolder } from '../files/folder.ts';
import { type Discovery, discoverySteps } from '../library/reading/discover.ts';
import { createPause, type Pause } from '../pause.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { OpenSource } from './fetch.ts';
import { HOMES, skippedBelow, withoutHomeCopies } from './homes-in-source.ts';
import { isOfGit, leftOutOf } from './left-out.ts';

/** A skill that a source holds, read as a whole. */
export interface FoundSkill {
  /** Its normal form: letters, digits and hyphens. */
  readonly name: string;
  readonly description: string;
  /** Relative to the source with `/`; empty for the source itself. */
  readonly path: string;
  readonly folder: Folder;
  /** What it holds and is not taken over: files of git, packages, sockets, devices. */
  readonly leftOut: readonly string[];
}

/** What stands where a skill would and cannot be taken. */
export interface SourceFault {
  readonly path: string;
  /** Where it is known. */
  readonly name?: string;
  readonly reason: string;
}

export interface SourceContent {
  /** Sorted by path. */
  readonly skills: readonly FoundSkill[];
  readonly faults: readonly SourceFault[];
  /** Lines on skills that are there and were left alone for the dot of their folder, with what takes them. */
  readonly skipped: readonly string[];
}

const MOST_BYTES = 512 * 1024 * 1024;
const MOST_FOLDERS = 20_000;
const MOST_SECONDS = 20;

/**
 * Reads every skill of a source, or of a folder in it. What leads out of the source or of its skill is a fault, and so
 * are two different skills of one name; but in a home of agents what is outside goes before. Throws `not-found` for a folder that is not there, `refused` for too much, `aborted`.
 */
export async function findInSource(
  source: Pick<OpenSource, 'dir' | 'emptySubmodules'>,
  {
    name,
    within = '',
    signal,
    mostFolders = MOST_FOLDERS,
  }: {
    readonly name: string;
    readonly within?: string | undefined;
    readonly signal: AbortSignal;
    /** Folders that are looked into. @default 20000 */
    readonly mostFolders?: number;
  },
): Promise<SourceContent> {
  const root = await startOf(source.dir, within);
  const faults: SourceFault[] = source.emptySubmodules
    .filter((path) => `${path}/`.startsWith(within === '' ? '' : `${relative(source.dir, root)}/`))
    .map((path) => ({
      path,
      reason: 'it is a submodule and empty here: add the repository that it stands for by its own address',
    }));
  const skills: FoundSkill[] = [];
  let bytes = 0;
  const pause = createPause(signal, 'searching the source for skills');
  const { folders, dotFolders } = await foldersIn(root, source.dir, { pause, mostFolders });
  for (const { dir, fault } of folders) {
    await pause();
    const path = relative(source.dir, dir).split(sep).join('/');
    const found =
      fault === undefined
        ? await readFound(dir, { path, root: source.dir, rootName: path === '' ? name : undefined })
        : { path, reason: fault };
    if ('reason' in found) faults.push(found);
    else skills.push(found);
    if ('folder' in found) for (const file of found.folder.values()) bytes += file.bytes.length;
    if (bytes > MOST_BYTES)
      throw new KnackError(
        'refused',
        `the skills of the source hold more than ${MOST_BYTES / 1024 ** 2} MiB; take a part of them with --path`,
      );
  }
  const { kept, passed } = withoutHomeCopies(skills);
  const skipped = skippedBelow(root, dotFolders, passed);
  return { ...withoutNamesakes(kept, faults), skipped };
}

/** The folder that is searched, which lies in the source whatever links say. */
async function startOf(dir: string, within: string): Promise<string> {
  const start = join(dir, within);
  if (within.split(/[/\\]/).includes('..') || within.startsWith('/') || !existsSync(start))
    throw new KnackError('not-found', `the source has no folder "${within}"; --path names one inside it`);
  const real = await realpath(start);
  if (!isInside(dir, real))
    throw new KnackError(
      'refused',
      `"${within}" leads out of the source; name the folder it leads to instead`,
    );
  return real;
}

async function foldersIn(
  root: string,
  dir: string,
  bounds: Bounds,
): Promise<{ folders: readonly { dir: string; fault?: string }[]; dotFolders: readonly string[] }> {
  const starts = [root, ...HOMES.map((path) => join(root, path)).filter(existsSync)];
  const found = new Map<string, { dir: string; fault?: string }>();
  const dotFolders: string[] = [];
  for (const start of starts) {
    const { files, refused, passedOver, ...others } = await discover(start, bounds);
    if (start === root) dotFolders.push(...others.dotFolders);
    for (const { path } of files) {
      await bounds.pause();
      const real = await realpath(dirname(path));
      const fault = isInside(dir, real)
        ? {}
        : {
            fault:
              'it is a link that leads out of the source; name the folder it leads to as a source of its own',
          };
      if (!found.has(real)) found.set(real, { dir: dirname(path), ...fault });
    }
    for (const { path, problem } of refused)
      found.set(path, { dir: dirname(path), fault: withoutPlace(problem.message, dir) });
    for (const { path, problem } of passedOver)
      found.set(path, { dir: path, fault: withoutPlace(problem.message, dir) });
  }
  const folders = [...found.values()].sort((left, right) => (left.dir < right.dir ? -1 : 1));
  return { folders, dotFolders };
}

interface Bounds {
  readonly pause: Pause;
  readonly mostFolders: number;
}

/** Looks through a folder of any size. Throws `refused` where it is too large, `aborted`. */
async function discover(start: string, { pause, mostFolders }: Bounds): Promise<Discovery> {
  const walk = discoverySteps(start);
  const began = performance.now();
  for (let step = walk.next(); ; step = walk.next()) {
    if (step.done === true) return step.value;
    await pause();
    if (step.value > mostFolders || performance.now() - began > MOST_SECONDS * 1000)
      throw new KnackError(
        'refused',
        `${start} is too large to be searched for skills: ${step.value > mostFolders ? `it holds more than ${mostFolders} folders` : `${step.value} folders took more than ${MOST_SECONDS} s`}; name the folder of the skills, or --path inside it`,
      );
  }
}

async function readFound(
  dir: string,
  { path, root, rootName }: { path: string; root: string; rootName: string | undefined },
): Promise<FoundSkill | SourceFault> {
  try {
    const folder = await readFolder(dir, { reads: (each) => !isOfGit(each) });
    const twin = caseTwin(folder);
    if (twin !== undefined)
      return { path, reason: `${twin.join(' and ')} differ in case alone, which not every disk can hold` };
    const reading = parseSkillFolder(join(sep, rootName ?? path), folder);
    if (reading.kind === 'refused')
      return {
        path,
        reason: reading.problems[0]?.message.replaceAll(join(sep, path), path) ?? 'it cannot be read',
      };
    const { name, description } = reading.skill;
    const stray = [...folder.keys()].find((each) => !isContainedPath(each));
    if (stray !== undefined)
      return {
        path,
        name,
        reason: `git can hold no file called ${stray}; nothing that is allowed changes that: rename it at the source`,
      };
    return { name, description, path, folder, leftOut: await leftOutOf(dir, folder) };
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    return { path, reason: withoutPlace(withoutPlace(messageOf(error), dir, 'the skill'), root) };
  }
}

/** A message about files below `dir`, with their paths inside it: where a source was fetched to tells nobody anything. */
function withoutPlace(message: string, dir: string, name = 'the source'): string {
  return message.replaceAll(`${dir}${sep}`, '').replaceAll(dir, name);
}

function caseTwin(folder: Folder): [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const path of folder.keys()) {
    const key = path.normalize('NFC').toLowerCase();
    const twin = seen.get(key);
    if (twin !== undefined) return [twin, path];
    seen.set(key, path);
  }
  return undefined;
}

/** The same skill in two places counts once; two different ones of one name are both faults. */
function withoutNamesakes(
  skills: readonly FoundSkill[],
  faults: readonly SourceFault[],
): Omit<SourceContent, 'skipped'> {
  const byName = new Map<string, FoundSkill[]>();
  for (const skill of skills) byName.set(skill.name, [...(byName.get(skill.name) ?? []), skill]);
  const kept: FoundSkill[] = [];
  const clashes: SourceFault[] = [];
  for (const [name, [first, ...others]] of byName) {
    if (first === undefined) continue;
    const other = others.find(({ folder }) => !equalFolders(folder, first.folder));
    if (other === undefined) kept.push(first);
    else
      for (const { path } of [first, ...others])
        clashes.push({
          path,
          name,
          reason: `${first.path} and ${other.path} are both called "${name}" and differ; take one with --path`,
        });
  }
  return {
    skills: kept,
    faults: [...faults, ...clashes].sort((left, right) => (left.path < right.path ? -1 : 1)),
  };
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
