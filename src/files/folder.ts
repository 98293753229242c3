import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { chmod, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { openReal } from './open-real.ts';

/** One regular file of a folder. `executable` is the git mode: 100755 or 100644. */
export interface FolderFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/**
 * A folder as a value: relative path (always `/`, never leading `./` or `..`) to file, sorted by path.
 * This is what the gate compares, what a revision writes and what an import checks.
 */
export type Folder = ReadonlyMap<string, FolderFile>;

export interface FolderLimits {
  /** Also the most folders. @default 2000 */
  readonly files: number;
  /** @default 64 MiB */
  readonly bytes: number;
}

const LIMITS: FolderLimits = { files: 2000, bytes: 64 * 1024 * 1024 };
const SKIPPED = new Set(['.git', 'node_modules']);

/**
 * Whether a file is there that ends when it is read: no pipe and no device. Throws what the system says of a path that
 * cannot be looked at.
 */
export function isRegularFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether a path leads through a folder that no folder is read with: `.git` or `node_modules`. */
export function isSkipped(path: string): boolean {
  return path.split('/').some((part) => SKIPPED.has(part));
}

/**
 * Reads every regular file below `dir`, but for `.git`, `node_modules` and the relative paths that `reads` declines. A link is read as what it leads to if
 * that lies inside `dir`, and refused (`refused`) if it leads out or nowhere. Throws `not-found` for a folder that does
 * not exist, `refused` beyond the limits, `io` for what cannot be read.
 */
export async function readFolder(
  dir: string,
  options: { readonly limits?: Partial<FolderLimits>; readonly reads?: (path: string) => boolean } = {},
): Promise<Folder> {
  const limits = { ...LIMITS, ...options.limits };
  const root = await realpath(dir).catch((error: unknown) => {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR'))
      throw new KnackError('not-found', `${dir} does not exist; expected a folder`, { cause: error });
    throw new KnackError('io', `cannot read ${dir}: ${messageOf(error)}`, { cause: error });
  });
  const files: [string, FolderFile][] = [];
  let bytes = 0;
  let folders = 0;
  const checkLimits = () => {
    if (files.length > limits.files || folders > limits.files || bytes > limits.bytes)
      throw new KnackError(
        'refused',
        `${dir} holds more than ${limits.files} files or folders, or ${limits.bytes} bytes; a skill is smaller`,
      );
  };

  async function visit(relative: string, trail: ReadonlySet<string>): Promise<void> {
    const here = await contained(join(root, relative), join(dir, relative));
    const found = await stat(here);
    if (found.isDirectory()) {
      // A link to a folder above itself would never end.
      if (trail.has(here)) return;
      folders += 1;
      checkLimits();
      const names = (await readdir(here, 'buffer')).map((name) => [name.toString(), name] as const);
      for (const [name, bytes] of names.sort(([left], [right]) => (left < right ? -1 : 1))) {
        const path = relative === '' ? name : `${relative}/${name}`;
        if (SKIPPED.has(name) || options.reads?.(path) === false) continue;
        if (!isUtf8(bytes))
          throw new KnackError(
            'refused',
            `the name of ${join(dir, relative, spelledName(bytes))} is not UTF-8; give it another name`,
          );
        await visit(path, new Set([...trail, here]));
      }
      return;
    }
    if (!found.isFile()) return;
    bytes += found.size;
    checkLimits();
    files.push([relative, { bytes: await bytesOf(here), executable: (found.mode & 0o100) !== 0 }]);
    checkLimits();
  }

  async function contained(path: string, shown: string): Promise<string> {
    const real = await realpath(path).catch((error: unknown) => {
      if (hasSystemCode(error, 'ENOENT', 'ELOOP'))
        throw new KnackError('refused', `${shown} is a link that leads nowhere; remove it`, { cause: error });
      throw error;
    });
    if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return real;
    throw new KnackError(
      'refused',
      `${shown} is a link that leads out of ${dir}; copy what it leads to, or remove it`,
    );
  }

  try {
    if (!(await stat(root)).isDirectory())
      throw new KnackError('not-found', `${dir} is a file; expected a folder`);
    await visit('', new Set());
  } catch (error) {
    if (error instanceof KnackError) throw error;
    throw new KnackError('io', `cannot read ${dir}: ${messageOf(error)}`, { cause: error });
  }
  return sorted(files);
}

async function bytesOf(real: string): Promise<Uint8Array> {
  const handle = await openReal(real);
  try {
    return new Uint8Array(await handle.readFile());
  } finally {
    await handle.close();
  }
}

/**
 * Writes a folder where nothing is yet, modes 755 and 644, each file flushed to the disk. Throws `refused` for a path
 * that leads out, `io` for what cannot be written; what a failure leaves half-made is removed again.
 */
export async function writeFolder(dir: string, folder: Folder): Promise<void> {
  const stray = [...folder.keys()].find((path) => !isContainedPath(path));
  if (stray !== undefined)
    throw new KnackError(
      'refused',
      `${JSON.stringify(stray)} is no path within a folder; nothing was written to ${dir}`,
    );
  let made = false;
  try {
    await mkdir(dirname(dir), { recursive: true });
    await mkdir(dir);
    made = true;
    for (const [path, file] of folder) await writeFlushed(join(dir, path), file);
  } catch (error) {
    if (made) await rm(dir, { recursive: true, force: true });
    throw new KnackError('io', `cannot write ${dir}: ${messageOf(error)}`, { cause: error });
  }
}

/** A name that is not UTF-8 with each byte beyond ASCII as `\xe9`. */
export function spelledName(bytes: Uint8Array): string {
  const spelled = (byte: string) => `\\x${byte.charCodeAt(0).toString(16)}`;
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\x80-\xff]/g, spelled);
}

/**
 * A path as ids and prompts have it, with `/` on every platform. `separator` is the platform's own: where that is no
 * backslash, one is a part of a name and stays.
 */
export function withSlashes(path: string, separator: string = sep): string {
  return separator === '/' ? path : path.replaceAll(separator, '/');
}

/**
 * Whether this is a relative path with `/` that stays within its folder and out of a repository's own files: one that can
 * be written and that git checks out.
 */
export function isContainedPath(path: string): boolean {
  return (
    !path.includes('\0') &&
    !/^[a-z]:/i.test(path) &&
    path.split(/[/\\]/).every((part) => !['', '.', '..'].includes(part) && !isGitFolderName(part))
  );
}

/** Whether a name is that of a repository's own folder on any disk: git checks out no tree that holds one. */
function isGitFolderName(name: string): boolean {
  // What HFS+ passes over, and where NTFS ends a name.
  const plain = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .replace(/:.*$/s, '')
    .replace(/[ .]+$/, '');
  return ['.git', 'git~1'].includes(plain.toLowerCase());
}

/** Whether both hold the same files with the same bytes and modes. */
export function equalFolders(left: Folder | undefined, right: Folder | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (left.size !== right.size) return false;
  for (const [path, file] of left) {
    const other = right.get(path);
    if (
      other === undefined ||
      other.executable !== file.executable ||
      Buffer.compare(other.bytes, file.bytes) !== 0
    )
      return false;
  }
  return true;
}

/** A file's text as UTF-8 with its line ends and byte-order mark; undefined if there is none of that name. */
export function fileText(folder: Folder, path: string): string | undefined {
  const file = folder.get(path);
  return file === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes);
}

/** Bytes in which a NUL tells that a file is no text. */
export const TEXT_START = 8192;

/** The text of bytes that a reader is given as text, with its byte-order mark and line ends; undefined for other bytes. */
export function readableText(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, TEXT_START).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A file of this text in UTF-8. */
export function textFile(text: string, executable = false): FolderFile {
  return { bytes: new TextEncoder().encode(text), executable };
}

/** The folder with this file in place of the one of that name, or without it. */
export function withFile(folder: Folder, path: string, file: FolderFile | undefined): Folder {
  const others = [...folder].filter(([name]) => name !== path);
  return sorted(file === undefined ? others : [...others, [path, file]]);
}

async function writeFlushed(target: string, file: FolderFile): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const mode = file.executable ? 0o755 : 0o644;
  const handle = await open(target, 'wx', mode);
  try {
    await handle.writeFile(file.bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // The mode of `open` is cut by the user's umask.
  await chmod(target, mode);
}

function sorted(files: [string, FolderFile][]): Folder {
  return new Map(files.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}
