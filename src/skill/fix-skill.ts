import { chmod, lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { hasSystemCode, KnackError, messageOf, type Problem } from '../errors.ts';
import { strictForm } from './strict-form.ts';

/** What became of one file. Texts are as they are, or would be, on disk. */
export type SkillFix =
  | {
      readonly kind: 'changed';
      readonly path: string;
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
 * Writes the strict form of one `SKILL.md` in its place, whole or not at all, with the mode that the file has; only says
 * what it would write unless `write`. A file that is read-only or a link is left. Throws `io` for a folder that cannot be
 * written and `conflict` for a file that changes meanwhile.
 */
export async function fixSkill(path: string, { write }: { write: boolean }): Promise<SkillFix> {
  const bytes = new Uint8Array(await readFile(path));
  const form = strictForm({ path, bytes });
  if (form.kind === 'same') return { kind: 'left', path };
  const found = await lstat(path);
  if (found.isSymbolicLink()) return { kind: 'left', path, why: 'it is a link; name the file it leads to' };
  if ((found.mode & 0o222) === 0) return { kind: 'left', path, why: 'it is read-only' };
  if (write) await replaceFile(path, bytes, form.text, found.mode & 0o777);
  return {
    kind: 'changed',
    path,
    before: Buffer.from(bytes).toString(),
    after: form.text,
    mended: form.mended,
  };
}

async function replaceFile(path: string, known: Uint8Array, text: string, mode: number): Promise<void> {
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
