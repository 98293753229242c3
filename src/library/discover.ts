import { closeSync, type Dirent, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { hasSystemCode, KnackError, messageOf, type Problem } from '../errors.ts';

export interface Discovery {
  /** Absolute paths of the files, each real file once, in an order that does not depend on the file system. */
  readonly files: readonly string[];
  /** Files that are not read, with the reason. */
  readonly refused: readonly { readonly path: string; readonly problem: Problem }[];
  /** Loose files, links that are not followed, and limits that were met. */
  readonly problems: readonly Problem[];
}

export interface DiscoveryLimits {
  /** Folders below the root. @default 12 */
  readonly depth: number;
  /** Folders looked into. @default 200000 */
  readonly folders: number;
  /** Skills. @default 100000 */
  readonly skills: number;
}

const LIMITS: DiscoveryLimits = { depth: 12, folders: 200_000, skills: 100_000 };
const PROSE = /^(?:readme|changelog|agents|claude|license|licence|contributing|index|skill)\.md$/i;

/**
 * Finds the `SKILL.md` files below a folder. Looks no further below one, skips folders that begin with a dot and
 * `node_modules` (but not a root of that name), follows a root or a skill that is a link, and refuses a `SKILL.md` that
 * is a link out of both. Reads folders without waiting in between: ten thousand take a fraction of a second so, and
 * several times that with a promise each. Throws `not-found` where there is no such folder.
 */
export function discoverSkills(root: string, limits: Partial<DiscoveryLimits> = {}): Discovery {
  const { depth: deepest, folders: mostFolders, skills: mostSkills } = { ...LIMITS, ...limits };
  const files: string[] = [];
  const refused: { path: string; problem: Problem }[] = [];
  const problems: Problem[] = [];
  const folders = new Set<string>();
  const reals = new Set<string>();
  const rootReal = realRoot(root);
  const report = (rule: string, message: string) => problems.push({ rule, severity: 'warning', message });
  const limit = (message: string) => {
    if (!problems.some(({ rule }) => rule === 'discovery-limit')) report('discovery-limit', message);
  };

  function visit(dir: string, real: string, depth: number): void {
    if (folders.has(real)) return;
    if (folders.size >= mostFolders)
      return limit(`there are more than ${mostFolders} folders below ${root}; the rest is not looked at`);
    folders.add(real);
    const entries = listed(dir, report);
    const file = skillFileOf(entries);
    if (file !== undefined) return take(join(dir, file), real);
    for (const entry of entries) {
      const path = join(dir, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory()) descend(path, join(real, entry.name), depth + 1);
      else if (entry.isSymbolicLink()) follow(path, depth + 1);
      else if (depth <= 1 && isLooseSkill(path, entry))
        report(
          'loose-file',
          `${path} is not used: a skill is a folder; move it to ${path.replace(/\.md$/, '')}/SKILL.md`,
        );
    }
  }

  function descend(path: string, real: string, depth: number): void {
    if (depth > deepest) limit(`folders more than ${deepest} below ${root} are not looked at: ${path}`);
    else visit(path, real, depth);
  }

  /** A link inside the root is a folder like others; one that leads out counts only if it is a skill itself. */
  function follow(path: string, depth: number): void {
    const real = realFolder(path);
    if (real === undefined) return;
    if (isInside(rootReal, real) || skillFileOf(listed(path, report)) !== undefined)
      descend(path, real, depth);
    else
      report('link-not-followed', `${path} leads out of ${root} and is no skill; add it as a root instead`);
  }

  function take(path: string, folder: string): void {
    if (files.length >= mostSkills)
      return limit(`there are more than ${mostSkills} skills below ${root}; the rest is not read`);
    const real = realFile(path);
    if (reals.has(real)) return;
    reals.add(real);
    if (isInside(folder, real) || isInside(rootReal, real)) files.push(path);
    else
      refused.push({
        path,
        problem: {
          rule: 'escapes-root',
          severity: 'error',
          message: `link target is outside the skills root ${root}; put the file itself there`,
        },
      });
  }

  visit(root, rootReal, 0);
  return { files, refused, problems };
}

/** Entries by name, whatever order the file system has. */
function listed(dir: string, report: (rule: string, message: string) => void): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    report('unreadable', `cannot look into ${dir}: ${messageOf(error)}`);
    return [];
  }
}

/** `SKILL.md`, else the first that differs in case alone. */
function skillFileOf(entries: readonly Dirent[]): string | undefined {
  const names = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
  if (names.includes('SKILL.md')) return 'SKILL.md';
  return names.find((name) => name.toLowerCase() === 'skill.md');
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

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ELOOP', 'EACCES', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** A link that leads nowhere stays as it is: reading it says so. */
function realFile(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ELOOP', 'EACCES', 'ENOTDIR')) return path;
    throw error;
  }
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** A Markdown file with front matter where a skill's folder would stand. */
function isLooseSkill(path: string, entry: Dirent): boolean {
  if (!entry.isFile() || !entry.name.endsWith('.md') || PROSE.test(entry.name)) return false;
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(4096);
      const length = readSync(file, start, 0, start.length, 0);
      return /^\uFEFF?---\s*\n[\s\S]*^(?:name|description):/m.test(start.toString('utf8', 0, length));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'EACCES')) return false;
    throw error;
  }
}
