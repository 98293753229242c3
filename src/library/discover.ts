import type { Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { hasSystemCode, KnackError, messageOf, type Problem } from '../errors.ts';

export interface Discovery {
  /** Absolute paths of the files, each real file once, in an order that does not depend on the file system. */
  readonly files: readonly string[];
  /** Files that are not read, with the reason. */
  readonly refused: readonly { readonly path: string; readonly problem: Problem }[];
  /** Loose files, and limits that were met. */
  readonly problems: readonly Problem[];
}

export interface DiscoveryLimits {
  /** Folders below the root. @default 10 */
  readonly depth: number;
  /** Folders looked into. @default 200000 */
  readonly folders: number;
}

const LIMITS: DiscoveryLimits = { depth: 10, folders: 200_000 };
const NO_SKILL = /^(readme|changelog|agents|claude|license|licence|contributing|index|skill)\.md$/i;

/**
 * Finds the `SKILL.md` files below a folder. Looks no further below one, skips folders that begin with a dot and
 * `node_modules`, follows links to folders, and never reads a `SKILL.md` that is a link out of the root. Throws
 * `not-found` where there is no such folder.
 */
export async function discoverSkills(root: string, limits: DiscoveryLimits = LIMITS): Promise<Discovery> {
  const files: string[] = [];
  const refused: { path: string; problem: Problem }[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const rootPath = await realpath(root).catch((error: unknown) => {
    throw new KnackError('not-found', `${root} does not exist; expected a folder of skills`, {
      cause: error,
    });
  });

  async function visit(dir: string, depth: number): Promise<void> {
    const real = await realpath(dir);
    if (seen.has(real)) return;
    seen.add(real);
    if (seen.size > limits.folders)
      return limit(`more than ${limits.folders} folders below ${root}; the rest is not read`);
    const entries = await readdir(dir, { withFileTypes: true }).catch((error: unknown) => {
      problems.push({ rule: 'io', severity: 'warning', message: `cannot read ${dir}: ${messageOf(error)}` });
      return [] as Dirent[];
    });
    const file = skillFileOf(entries.map((entry) => entry.name));
    if (file !== undefined) return addSkill(join(dir, file), real);
    const names = entries.filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules');
    for (const entry of names.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      const path = join(dir, entry.name);
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(path)))) {
        if (depth >= limits.depth)
          limit(`folders more than ${limits.depth} below ${root} are not read: ${path}`);
        else await visit(path, depth + 1);
      } else if (
        depth === 0 &&
        entry.isFile() &&
        entry.name.endsWith('.md') &&
        !NO_SKILL.test(entry.name) &&
        (await hasFence(path))
      ) {
        problems.push({
          rule: 'loose-file',
          severity: 'warning',
          message: `${path} is not used: a skill is a folder; move it to ${path.replace(/\.md$/, '')}/SKILL.md`,
        });
      }
    }
  }

  async function addSkill(path: string, folder: string): Promise<void> {
    const real = await realpath(path).catch(() => path);
    if (!real.startsWith(rootPath + sep) && !real.startsWith(folder + sep)) {
      refused.push({
        path,
        problem: {
          rule: 'escapes-root',
          severity: 'error',
          message: 'link target is outside the skills root',
        },
      });
    } else if (!seen.has(real)) {
      seen.add(real);
      files.push(path);
    }
  }

  function limit(message: string): void {
    if (!problems.some((problem) => problem.rule === 'discovery-limit'))
      problems.push({ rule: 'discovery-limit', severity: 'warning', message });
  }

  await visit(root, 0);
  return { files, refused, problems };
}

/** `SKILL.md`, else the one that differs in case alone. */
function skillFileOf(names: readonly string[]): string | undefined {
  if (names.includes('SKILL.md')) return 'SKILL.md';
  return names.filter((name) => name.toLowerCase() === 'skill.md').sort()[0];
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ELOOP', 'EACCES')) return false;
    throw error;
  }
}

async function hasFence(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\uFEFF/, '')
      .startsWith('---');
  } finally {
    await file.close();
  }
}
