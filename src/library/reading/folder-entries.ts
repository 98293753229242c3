import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { hasSystemCode, isSystemError, messageOf } from '../../errors.ts';
import { isSkillFile } from '../../skill/name.ts';

/** What lies in a folder, as far as it can be told. */
export interface FolderEntries {
  /** By name, whatever order the file system has. */
  readonly entries: readonly Dirent[];
  /** Folders, links and some files whose names no text can hold, with their bytes as `\\xNN`. */
  readonly unnamed: readonly string[];
  /** Why it could not be looked into. */
  readonly fault?: string;
}

/** Where a link or path ends. */
export type Target =
  | { readonly kind: 'file' | 'folder' | 'other'; readonly real: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreachable'; readonly why: string };

const MARKDOWN = /\.md$/;

/**
 * Looks into a folder. Never throws for what the file system says. Of the files whose names no text can hold those are
 * told that match `telling`.
 */
export function listFolder(dir: string, telling = MARKDOWN): FolderEntries {
  try {
    const entries = readdirSync(dir, { withFileTypes: true }).sort((left, right) =>
      left.name < right.name ? -1 : 1,
    );
    // Bytes that are no UTF-8 are shown as U+FFFD, under which nothing would be found.
    if (!entries.some(({ name }) => name.includes('\ufffd'))) return { entries, unnamed: [] };
    return {
      entries: entries.filter(({ name }) => hasTrueName(dir, name)),
      unnamed: unnamedIn(dir, telling),
    };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { entries: [], unnamed: [], fault: messageOf(error) };
  }
}

/** `SKILL.md`, else the first that differs in case alone. */
export function skillFileOf(entries: readonly Dirent[]): Dirent | undefined {
  const files = entries.filter((entry) => !entry.isDirectory() && isSkillFile(entry.name));
  return files.find((entry) => entry.name === 'SKILL.md') ?? files[0];
}

/** Where a path ends when links are followed. A link of the kernel may have a name for its end that is no path. */
export function targetOf(path: string): Target {
  try {
    const real = realpathSync(path);
    const found = statSync(real);
    return { kind: found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other', real };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (hasSystemCode(error, 'ENOENT', 'ELOOP', 'EACCES', 'ENOTDIR') && !isThere(path))
      return { kind: 'missing' };
    return { kind: 'unreachable', why: messageOf(error) };
  }
}

/** Whether a path is a folder or lies in it. Both absolute and without links. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** `join` for a name as a folder has it: several times as fast, which ten thousand folders show. */
export function within(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/** A name in bytes as text: bytes that are no UTF-8 as `\\xNN`. Undefined if all are. */
export function escapedName(name: Uint8Array): string | undefined {
  const text = Buffer.from(name).toString('utf8');
  if (Buffer.from(text, 'utf8').equals(name)) return undefined;
  return [...name]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`))
    .join('');
}

function unnamedIn(dir: string, telling: RegExp): string[] {
  return readdirSync(dir, { withFileTypes: true, encoding: 'buffer' }).flatMap((entry) => {
    const name = escapedName(entry.name);
    if (name === undefined) return [];
    return entry.isDirectory() || entry.isSymbolicLink() || telling.test(name) ? [name] : [];
  });
}

/** A name may also hold U+FFFD itself. */
function hasTrueName(dir: string, name: string): boolean {
  if (!name.includes('\ufffd')) return true;
  return readdirSync(dir, { encoding: 'buffer' }).some((each) => each.equals(Buffer.from(name, 'utf8')));
}

/** A link of the kernel leads somewhere even where its end has no path. */
function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}
