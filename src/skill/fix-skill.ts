import { lstatSync, type Stats } from 'node:fs';
import { chmod, chown, type FileHandle, lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasSystemCode, KnackError, messageOf, type Problem } from '../errors.ts';
import { isProcessAlive } from '../process-alive.ts';
import { isSkillFile } from './name.ts';
import { strictForm } from './strict-form.ts';

/** What became of one file. Texts are as they are, or would be, on disk. */
export type SkillFix =
  | {
      readonly kind: 'changed';
      readonly path: string;
      /** Where it stands then: another path where its name had another case. */
      readonly to: string;
      readonly before: string;
      readonly after: string;
      readonly mended: readonly Problem[];
      /** Files beside it that a write which broke off left, perhaps: they stay. */
      readonly asides: readonly string[];
      /** The text was written, but the file could not be given its proper name. */
      readonly fault?: KnackError;
    }
  | {
      readonly kind: 'left';
      readonly path: string /** Why, where it could be changed. */;
      readonly why?: string;
    };

interface FixRequest {
  readonly write: boolean;
  /** Names that become no alias. */
  readonly shared?: ReadonlySet<string>;
}

const MOST_ATTEMPTS = 4;

/**
 * Writes the strict form of one `SKILL.md` in its place, under that name, whole or not at all, with the mode and the owner that the file has; only
 * says what it would write unless `write`. A file that is read-only, a link, another user's or has several names is left. One that
 * changes meanwhile is read anew. Throws `io` for a file that cannot be read or written, and `conflict` for one that changes again and again.
 */
export async function fixSkill(path: string, request: FixRequest): Promise<SkillFix> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await fixOnce(path, request);
    } catch (error) {
      const isConflict = error instanceof KnackError && error.code === 'conflict';
      if (!isConflict || attempt === MOST_ATTEMPTS) throw error;
    }
}

async function fixOnce(path: string, { write, shared }: FixRequest): Promise<SkillFix> {
  const bytes = await readBytes(path);
  const form = strictForm({ path, bytes, ...(shared === undefined ? {} : { shared }) });
  const to = properPath(path);
  if (form.kind === 'same' && to === path) return { kind: 'left', path };
  const found = await lstat(path);
  if (found.isSymbolicLink()) return { kind: 'left', path, why: 'it is a link; name the file it leads to' };
  if ((found.mode & 0o222) === 0) return { kind: 'left', path, why: 'it is read-only' };
  const isWritten = form.kind === 'changed';
  // It is written anew, so another name of it would keep the old text.
  if (isWritten && found.nlink > 1) return { kind: 'left', path, why: SHARED };
  if (isWritten && isOfAnother(found)) return { kind: 'left', path, why: 'it belongs to another user' };
  const before = Buffer.from(bytes).toString();
  const after = form.kind === 'same' ? before : form.text;
  const mended = form.kind === 'same' ? [] : form.mended;
  const changed = { kind: 'changed', path, before, after, asides: await asidesOf(path) } as const;
  if (write && after !== before) await replaceFile(path, bytes, after, found);
  const fault = write && to !== path ? await renameFile(path, to) : undefined;
  // What was written is told in any case.
  if (fault !== undefined && after === before) throw fault;
  if (fault !== undefined) return { ...changed, to: path, mended, fault };
  return { ...changed, to, mended: to === path ? mended : [...mended, WRONG_CASE] };
}

const SHARED =
  'it has other names (hard links), which would keep the old text; put a copy in its place first';

/** Whether a new file could not be given to its owner. */
function isOfAnother({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && own !== 0 && own !== uid;
}

const WRONG_CASE: Problem = {
  rule: 'filename-case',
  severity: 'warning',
  message: 'the file is called SKILL.md now',
};

/** `SKILL.md` beside a file that differs from it in case alone; the path itself where another file has that name. */
function properPath(path: string): string {
  if (basename(path) === 'SKILL.md' || !isSkillFile(basename(path))) return path;
  const proper = join(dirname(path), 'SKILL.md');
  const there = lstatSync(proper, { throwIfNoEntry: false });
  // On a disk that makes nothing of case it is the very file.
  return there === undefined || there.ino === lstatSync(path).ino ? proper : path;
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    throw new KnackError('io', `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** Answers with what went wrong. */
async function renameFile(path: string, to: string): Promise<KnackError | undefined> {
  try {
    await rename(path, to);
    return undefined;
  } catch (error) {
    return new KnackError('io', `cannot rename ${path} to ${to}: ${messageOf(error)}`, { cause: error });
  }
}

async function replaceFile(path: string, known: Uint8Array, text: string, like: Stats): Promise<void> {
  const mode = like.mode & 0o777;
  let fresh: string | undefined;
  try {
    const aside = await openAside(path, mode);
    fresh = aside.path;
    try {
      await aside.handle.writeFile(text);
      await aside.handle.sync();
    } finally {
      await aside.handle.close();
    }
    const { uid, gid } = await lstat(fresh);
    if (uid !== like.uid || gid !== like.gid) await chown(fresh, like.uid, like.gid);
    await chmod(fresh, mode);
    if (Buffer.compare(await readFile(path), known) !== 0)
      throw new KnackError('conflict', `${path} was changed meanwhile; run it again`);
    await rename(fresh, path);
  } catch (error) {
    if (fresh !== undefined) await rm(fresh, { force: true });
    if (error instanceof KnackError) throw error;
    const remedy = 'it is as it was; see that it and its folder can be written, and run it again';
    throw new KnackError('io', `cannot write ${path}: ${messageOf(error)}; ${remedy}`, { cause: error });
  }
}

const MOST_ASIDES = 1000;

/** A new file beside it, of a name that no other process has, nor an earlier one of the same number left. */
async function openAside(path: string, mode: number): Promise<{ path: string; handle: FileHandle }> {
  for (let turn = 1; ; turn += 1) {
    const aside = `${path}.${process.pid}-${turn}.new`;
    try {
      return { path: aside, handle: await open(aside, 'wx', mode) };
    } catch (error) {
      if (!hasSystemCode(error, 'EEXIST') || turn === MOST_ASIDES) throw error;
    }
  }
}

async function asidesOf(path: string): Promise<string[]> {
  const names = await readdir(dirname(path));
  return names
    .filter((name) => {
      const [, pid] = /^skill\.md\.(?:(\d+)-\d+\.)?new$/i.exec(name) ?? [name, 'none'];
      return pid === undefined || (pid !== 'none' && !isProcessAlive(Number(pid)));
    })
    .sort()
    .map((name) => join(dirname(path), name));
}
