import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../../errors.ts';
import { readOwnFileSync } from '../../files/own-file.ts';
import type { ProjectContent } from './project-content.ts';

/** What a person trusted: a place, and every byte that it held then. */
export interface TrustRecord {
  /** Absolute, without links. */
  readonly dir: string;
  /** ISO 8601. */
  readonly at: string;
  /** As in `ProjectContent.files`. */
  readonly files: ReadonlyMap<string, string>;
}

/** What differs from what was trusted, by path relative to the place. */
export interface TrustChange {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
}

/** What is kept of a place: the hashes, and the texts that a later look is compared with. */
export type TrustedContent = Pick<ProjectContent, 'files'> & Partial<Pick<ProjectContent, 'texts'>>;

/** The records of one workspace: a file for each place, mode 0600, which no checkout can write. */
export interface TrustStore {
  /** Undefined where nothing was trusted, and where the record cannot be read as one. */
  find(dir: string): TrustRecord | undefined;
  /**
   * The texts of a record that were kept with it, by path: those whose hash is the one that was trusted. Empty where
   * they are gone or cannot be read.
   */
  textsOf(record: TrustRecord): ReadonlyMap<string, string>;
  /** By place. */
  list(): TrustRecord[];
  /** Takes the place of an earlier record, whole or not at all. Throws `io`. */
  add(dir: string, content: TrustedContent, at: string): void;
  /** Whether there was a record. Throws `io`. */
  remove(dir: string): boolean;
}

/** Opens the records in a folder, which is made when the first one is added. */
export function openTrustStore(folder: string): TrustStore {
  const fileOf = (dir: string, ending = 'json') =>
    join(folder, `${createHash('sha256').update(dir).digest('hex')}.${ending}`);
  const put = (file: string, value: unknown) => {
    const fresh = `${file}.${process.pid}`;
    rmSync(fresh, { force: true });
    writeFileSync(fresh, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  };
  const failed = (what: string, error: unknown) =>
    new KnackError('io', `cannot ${what} in ${folder}: ${messageOf(error)}`, { cause: error });
  return {
    find(dir) {
      const record = readRecord(fileOf(dir));
      return record?.dir === dir ? record : undefined;
    },
    list() {
      return namesIn(folder)
        .flatMap((name) => (name.endsWith('.json') ? (readRecord(join(folder, name)) ?? []) : []))
        .sort((left, right) => (left.dir < right.dir ? -1 : 1));
    },
    textsOf({ dir, files }) {
      return new Map(
        readTexts(fileOf(dir, 'texts')).filter(([path, text]) => files.get(path)?.slice(2) === sha256(text)),
      );
    },
    add(dir, { files, texts = new Map() }, at) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        // Of their own, as every command reads the record; if this ends here, they are not those of the old record.
        put(fileOf(dir, 'texts'), [...texts]);
        put(fileOf(dir), { dir, at, files: [...files] });
      } catch (error) {
        throw failed(`keep that ${dir} is trusted`, error);
      }
    },
    remove(dir) {
      try {
        rmSync(fileOf(dir, 'texts'), { force: true });
        rmSync(fileOf(dir));
        return true;
      } catch (error) {
        if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return false;
        throw failed(`remove the trust of ${dir}`, error);
      }
    },
  };
}

/** What differs between what was trusted and what is there, sorted by path; empty where every byte is the same. */
export function changesSince(
  record: TrustRecord,
  content: Pick<ProjectContent, 'files'>,
): readonly TrustChange[] {
  const paths = [...new Set([...record.files.keys(), ...content.files.keys()])].sort((left, right) =>
    left < right ? -1 : 1,
  );
  return paths.flatMap((path): TrustChange[] => {
    const [before, now] = [record.files.get(path), content.files.get(path)];
    if (before === now) return [];
    return [{ path, kind: before === undefined ? 'added' : now === undefined ? 'removed' : 'changed' }];
  });
}

/** A record that is not whole trusts nothing. */
function readRecord(file: string): TrustRecord | undefined {
  try {
    const { dir, at, files } = JSON.parse(readOwnFileSync(file)) as Record<string, unknown>;
    const isWhole = isString(dir) && isString(at) && Array.isArray(files) && files.every(isPair);
    return isWhole ? { dir, at, files: new Map(files) } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || isUnreadable(error)) return undefined;
    throw error;
  }
}

function readTexts(file: string): [string, string][] {
  try {
    const texts: unknown = JSON.parse(readOwnFileSync(file));
    return Array.isArray(texts) ? texts.filter(isPair) : [];
  } catch (error) {
    if (error instanceof SyntaxError || isUnreadable(error)) return [];
    throw error;
  }
}

/** What is no file to read trusts nothing either. */
function isUnreadable(error: unknown): boolean {
  return (
    error instanceof KnackError ||
    hasSystemCode(error, 'ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENXIO')
  );
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every(isString);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
