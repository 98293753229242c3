import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { hasSystemCode, isSystemError, KnackError, messageOf } from '../errors.ts';
import { openReal } from '../files/open-real.ts';
import { listFolder } from '../library/reading/folder-entries.ts';
import { isSkillFile } from '../skill/name.ts';
import type { Skill } from '../skill/skill.ts';

/** A file beside `SKILL.md`. */
export interface Resource {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly kind: 'reference' | 'script' | 'asset' | 'other';
}

const KEEPERS_FILES = /^(?:evals\/|(?:tests|tools)\.ya?ml$)/;

/** Whether a file is for those who keep the skill, not for those who follow it; its tools are told with their schemas. */
export function isKeepersFile(path: string): boolean {
  return KEEPERS_FILES.test(path);
}

/** Files that a list has at most. */
export const MOST_LISTED = 2000;
/** A name that could pass for a line of its own, or for another name. */
const ODD_NAME = /[\p{Cc}\p{Zl}\p{Zp}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/u;
const EVERY_NAME = /(?:)/;
const KINDS: Record<string, Resource['kind']> = {
  references: 'reference',
  scripts: 'script',
  assets: 'asset',
};
/** Of a link that leads nowhere, and of what went while the folder was looked at. */
const GONE = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/**
 * The files of a skill but `SKILL.md`, sorted, at most `MOST_LISTED` from the one at `offset`; nested skills, links out
 * of the folder and names with line breaks or invisible characters are left out. What cannot be looked at is passed over,
 * for `unlistedIn` to say: never throws for what the file system says.
 */
export async function listResources(skill: Skill, offset = 0): Promise<Resource[]> {
  return (await walk(skill, offset)).found;
}

/** What the list of a skill's files has to pass over, a line each with the reason. */
export async function unlistedIn(skill: Skill): Promise<string[]> {
  return (await walk(skill, 0)).passedOver;
}

async function walk(skill: Skill, offset: number): Promise<{ found: Resource[]; passedOver: string[] }> {
  const found: Resource[] = [];
  const passedOver: string[] = [];
  let passed = 0;
  const root = await lookedAt('', () => realpath(skill.dir));

  /** Undefined for what is not there any more, and for what is passed over. */
  async function lookedAt<T>(path: string, look: () => Promise<T>): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (!hasSystemCode(error, ...GONE))
        passedOver.push(`${join(skill.dir, path)} cannot be looked at: ${messageOf(error)}`);
      return undefined;
    }
  }

  async function visit(root: string, relative: string): Promise<void> {
    const { entries, unnamed, fault } = listFolder(join(root, relative), EVERY_NAME);
    const shown = (name: string) => join(skill.dir, relative, name);
    if (fault !== undefined) passedOver.push(`${shown('')} cannot be looked into: ${fault}`);
    if (relative !== '' && entries.some(({ name }) => isSkillFile(name))) return;
    for (const name of unnamed)
      passedOver.push(`${shown(name)} has a name that is not UTF-8 (\\xNN is a byte); rename it`);
    for (const entry of entries) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      const isPassed =
        entry.name.startsWith('.') ||
        entry.name === 'node_modules' ||
        path.toLowerCase() === 'skill.md' ||
        ODD_NAME.test(entry.name);
      if (isPassed || found.length >= MOST_LISTED) continue;
      if (entry.isDirectory()) await visit(root, path);
      else {
        const file = await lookedAt(path, () => fileIn(root, path));
        if (file === undefined) continue;
        if (passed < offset) passed += 1;
        else found.push({ path, size: file.size, kind: KINDS[path.split('/')[0] ?? ''] ?? 'other' });
      }
    }
  }

  if (root !== undefined) await visit(root, '');
  return { found, passedOver };
}

/** Undefined for what is no file, and for one that a link leads to out of the folder. */
async function fileIn(root: string, path: string): Promise<{ readonly size: number } | undefined> {
  const real = await realpath(join(root, path));
  if (!real.startsWith(root + sep)) return undefined;
  const handle = await openReal(real, 'look').catch((error: unknown) => {
    if (error instanceof KnackError && error.code === 'refused') return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const file = await handle.stat();
    return file.isFile() ? file : undefined;
  } finally {
    await handle.close();
  }
}
