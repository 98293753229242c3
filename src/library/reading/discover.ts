import { type Dirent, realpathSync, statSync } from 'node:fs';
import { basename, dirname, normalize } from 'node:path';
import { KnackError } from '../../errors.ts';
import { type FolderEntries, isInside, listFolder, skillFileOf, targetOf, within } from './folder-entries.ts';
import { collectProblems, type FoundProblem } from './found-problems.ts';
import { looseFileProblem, mayBeLoose } from './loose-file.ts';
import type { KnownFolder } from './reading-cache.ts';
import { folderStampOf, type Stamp } from './stamps.ts';

export interface FoundFile {
  /** Absolute, as it was come upon. */
  readonly path: string;
  /** Without links; the path itself where a link leads nowhere. */
  readonly real: string;
  /** Names of what lies in its folder, in lower case. */
  readonly beside: readonly string[];
  /** Of the folder, before it was looked into; undefined where the file has another name or is a link. */
  readonly stamp?: Stamp;
}

export interface Discovery {
  /** Each real file once, sorted by path, whatever order the file system has. */
  readonly files: readonly FoundFile[];
  /** Files that are not read, with the reason. */
  readonly refused: readonly FoundProblem[];
  /** Links to what was found by another path, and where they lead, without links: a folder or a `SKILL.md`. */
  readonly again: readonly { readonly path: string; readonly real: string }[];
  /** Loose files, links that are not followed, what cannot be looked at, and limits that were met. */
  readonly problems: readonly FoundProblem[];
  /** Of the problems, those of entries that cannot be looked at or have no name in UTF-8. */
  readonly passedOver: readonly FoundProblem[];
  /** Folders that are skipped because their names begin with a dot, but those of git, as they were come upon. */
  readonly dotFolders: readonly string[];
}

export interface DiscoveryLimits {
  /** Folders below the root. @default 12 */
  readonly depth: number;
  /** Folders looked into. @default 200000 */
  readonly folders: number;
  /** Skills. @default 100000 */
  readonly skills: number;
  /** Loose Markdown files that are looked into. @default 1000 */
  readonly loose: number;
}

const LIMITS: DiscoveryLimits = { depth: 12, folders: 200_000, skills: 100_000, loose: 1000 };

/**
 * Finds the `SKILL.md` files below a folder. Looks no further below one, skips folders that begin with a dot and
 * `node_modules` (but not a root of that name), follows a root or a skill that is a link, and refuses a `SKILL.md` that
 * is a link out of both. Of several ways to a file the one without links counts. Reads folders without waiting in
 * between: ten thousand take a fraction of a second so, and several times that with a promise each. Throws `not-found`
 * where there is no such folder. `known` gives for the path of a `SKILL.md` what was found in its folder before: where
 * its stamp is the same, it is not looked into.
 */
export function discoverSkills(
  root: string,
  limits: Partial<DiscoveryLimits> = {},
  known: (path: string) => KnownFolder | undefined = () => undefined,
): Discovery {
  const walk = discoverySteps(root, limits, known);
  let step = walk.next();
  while (step.done !== true) step = walk.next();
  return step.value;
}

/**
 * The same a folder at a time: after each, how many were looked into. Whoever takes the steps may wait in between, or
 * stop.
 */
export function* discoverySteps(
  root: string,
  limits: Partial<DiscoveryLimits> = {},
  known: (path: string) => KnownFolder | undefined = () => undefined,
): Generator<number, Discovery> {
  const {
    depth: deepest,
    folders: mostFolders,
    skills: mostSkills,
    loose: mostLoose,
  } = { ...LIMITS, ...limits };
  const files: FoundFile[] = [];
  const again: { path: string; real: string }[] = [];
  const folders = new Set<string>();
  const reals = new Set<string>();
  let loose = 0;
  /** What waits for the end. */
  const links: (() => Steps | undefined)[] = [];
  const rootReal = realRoot(root);
  const dotFolders: string[] = [];
  const { report, refuse, limit, ...wrong } = collectProblems(root, rootReal);

  function entriesOf(dir: string, real: string): Pick<FolderEntries, 'entries' | 'unnamed'> {
    const { entries, unnamed, fault } = listFolder(dir);
    if (fault !== undefined) report(dir, real, 'unreadable', `cannot look into ${dir}: ${fault}`);
    return { entries, unnamed };
  }

  /** Nothing to step through where it was visited before, or is as it was then: most of ten thousand folders are. */
  function visit(dir: string, real: string, depth: number): Steps | undefined {
    if (folders.has(real)) return undefined;
    if (folders.size >= mostFolders) {
      limit('folders', `there are more than ${mostFolders} folders below ${root}; the rest is not looked at`);
      return undefined;
    }
    folders.add(real);
    const usual = within(dir, 'SKILL.md');
    // Taken before the folder is looked into: what comes later makes another one.
    const before = known(usual);
    const stamp = folderStampOf(dir, before?.stamp);
    if (before === undefined || before.stamp !== stamp) return lookInto(dir, real, depth, stamp);
    take(usual, dir === real ? usual : within(real, 'SKILL.md'), before.beside, stamp);
    return undefined;
  }

  function* lookInto(dir: string, real: string, depth: number, stamp: Stamp | undefined): Steps {
    yield folders.size;
    const { entries, unnamed } = entriesOf(dir, real);
    const file = skillFileOf(entries);
    const beside = () => entries.map(({ name }) => name.toLowerCase());
    if (file?.isSymbolicLink()) {
      links.push(() => takeLink(within(dir, file.name), real, beside()));
    } else if (file !== undefined) {
      const isUsual = file.name === 'SKILL.md' && file.isFile();
      take(within(dir, file.name), within(real, file.name), beside(), isUsual ? stamp : undefined);
    } else {
      for (const name of unnamed)
        report(
          within(dir, name),
          within(real, name),
          'name-not-utf8',
          `${within(dir, name)} has a name that is not UTF-8 (\\xNN is a byte) and is not looked at; rename it`,
        );
      const isReal = dir === real;
      for (const entry of entries) {
        const path = within(dir, entry.name);
        const steps = visitEntry(entry, path, isReal ? path : within(real, entry.name), depth);
        if (steps !== undefined) yield* steps;
      }
    }
  }

  function visitEntry(entry: Dirent, path: string, real: string, depth: number): Steps | undefined {
    if (entry.name.startsWith('.') && entry.name !== '.git' && entry.isDirectory()) dotFolders.push(path);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return undefined;
    if (entry.isDirectory() && entry.name === 'SKILL.md')
      refuse(path, real, 'not-a-file', `${path} is a folder; a skill's text is a file of that name`);
    else if (entry.isDirectory()) return descend(path, real, depth + 1);
    else if (entry.isSymbolicLink()) links.push(() => follow(path, real, depth));
    else if (entry.isFile()) passOver(path, real, depth);
    return undefined;
  }

  function descend(path: string, real: string, depth: number): Steps | undefined {
    if (depth <= deepest) return visit(path, real, depth);
    limit('depth', `folders more than ${deepest} below ${root} are not looked at: ${path}`);
    return undefined;
  }

  /** A link inside the root is a folder like others; one that leads out counts only if it is a skill itself. */
  function follow(path: string, place: string, depth: number): Steps | undefined {
    const target = targetOf(path);
    if (target.kind === 'missing')
      report(path, place, 'link-not-followed', `${path} leads nowhere; remove it`);
    if (target.kind === 'unreachable')
      report(path, place, 'unreadable', `${path} cannot be followed and is passed over: ${target.why}`);
    // Anything else, such as a pipe, would never end when it is opened.
    if (target.kind === 'file') passOver(path, place, depth);
    if (target.kind !== 'folder') return undefined;
    const { real } = target;
    if (folders.has(real)) again.push({ path, real });
    else if (isInside(rootReal, real) || skillFileOf(entriesOf(path, real).entries) !== undefined)
      return descend(path, real, depth + 1);
    else
      report(
        path,
        place,
        'link-not-followed',
        `${path} leads out of ${root} and is no skill; add it as a root instead`,
      );
    return undefined;
  }

  function take(path: string, real: string, beside: readonly string[], stamp?: Stamp): void {
    if (reals.has(real)) return void again.push({ path, real });
    if (files.length >= mostSkills)
      return limit('skills', `there are more than ${mostSkills} skills below ${root}; the rest is not read`);
    reals.add(real);
    files.push(stamp === undefined ? { path, real, beside } : { path, real, beside, stamp });
  }

  /** A link that leads nowhere stays as it is: reading it says so. */
  function takeLink(path: string, folder: string, beside: readonly string[]): undefined {
    const target = targetOf(path);
    const real = 'real' in target ? target.real : path;
    if (real === path || isInside(folder, real) || isInside(rootReal, real)) take(path, real, beside);
    else
      refuse(
        path,
        within(folder, basename(path)),
        'escapes-root',
        `link target is outside the skills root ${root}; put the file itself there`,
      );
  }

  function passOver(path: string, place: string, depth: number): void {
    if (depth > 1 || !mayBeLoose(path)) return;
    loose += 1;
    if (loose > mostLoose)
      return limit(
        'loose',
        `there are more than ${mostLoose} loose files below ${root}, where a skill would be a folder; the rest is not looked at`,
      );
    const problem = looseFileProblem(path);
    if (problem !== undefined) report(path, place, problem.rule, problem.message);
  }

  yield* visit(normalize(root), rootReal, 0) ?? [];
  // The list grows while it is walked: a link may lead to further ones.
  for (const act of links) yield* act() ?? [];
  wrong.refused.sort(byPath);
  return { files: files.sort(byPath), ...wrong, again, dotFolders };
}

type Steps = Generator<number, void>;

function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}

function realRoot(root: string): string {
  try {
    const real = realpathSync(root);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new KnackError('not-found', `${root} cannot be opened; expected a folder of skills`, {
      cause: error,
    });
  }
  throw new KnackError('not-found', `${root} is no folder; expected a folder of skills in ${dirname(root)}`);
}
