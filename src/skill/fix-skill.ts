import { lstatSync, type Stats } from 'node:fs';
import { chmod, chown, lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasSystemCode, KnackError, messageOf, type Problem } from '../errors.ts';
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
    }
  | {
      readonly kind: 'left';
      readonly path: string /** Why, where it could be changed. */;
      readonly why?: string;
    };

/**
 * Writes the strict form of one `SKILL.md` in its place, under that name, whole or not at all, with the mode and the owner that the file has; only
 * says what it would write unless `write`. A file that is read-only, a link, another user's or has several names is left. Throws `io` for a folder that cannot be
 * written and `conflict` for a file that changes meanwhile.
 */
export async function fixSkill(path: string, { write }: { write: boolean }): Promise<SkillFix> {
  const bytes = new Uint8Array(await readFile(path));
  const form = strictForm({ path, bytes });
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
  if (write && after !== before) await replaceFile(path, bytes, after, found);
  if (write && to !== path) await renameFile(path, to);
  const mended = form.kind === 'same' ? [] : form.mended;
  return { kind: 'changed', path, to, before, after, mended: to === path ? mended : [...mended, WRONG_CASE] };
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

async function renameFile(path: string, to: string): Promise<void> {
  try {
    await rename(path, to);
  } catch (error) {
    throw new KnackError('io', `cannot rename ${path} to ${to}: ${messageOf(error)}`, { cause: error });
  }
}

async function replaceFile(path: string, known: Uint8Array, text: string, like: Stats): Promise<void> {
  const mode = like.mode & 0o777;
  const fresh = `${path}.new`;
  let isOurs = false;
  try {
    const handle = await open(fresh, 'wx', mode);
    isOurs = true;
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const { uid, gid } = await lstat(fresh);
    if (uid !== like.uid || gid !== like.gid) await chown(fresh, like.uid, like.gid);
    await chmod(fresh, mode);
    if (Buffer.compare(await readFile(path), known) !== 0)
      throw new KnackError('conflict', `${path} was changed meanwhile; run it again`);
    await rename(fresh, path);
  } catch (error) {
    if (isOurs) await rm(fresh, { force: true });
    if (error instanceof KnackError) throw error;
    const remedy = hasSystemCode(error, 'EEXIST') ? `; remove ${fresh} if no other knack is at work` : '';
    throw new KnackError('io', `cannot write ${path}: ${messageOf(error)}${remedy}`, { cause: error });
  }
}
