import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KnackError, messageOf } from '../errors.ts';
import { type Folder, writeFolder } from '../files/folder.ts';
import { digestOf } from '../history/tree.ts';
import { normaliseName } from '../skill/name.ts';
import { aloneInImports, placesAside } from './mend-imports.ts';
import { editsIn, isOf, RECORD, type ReadOnlyImport, readImports } from './read-only.ts';
import { type Source, sourceName, sourceText } from './source.ts';

/** An import that is to be, with the files of its skills. */
export interface ImportContent {
  readonly record: Omit<ReadOnlyImport, 'id' | 'skills'>;
  readonly skills: readonly { readonly name: string; readonly path: string; readonly folder: Folder }[];
}

/**
 * The id that an import of this source would get: its last word, with a number where something has that. Throws
 * `refused` where the source is imported already.
 */
export async function freeId(imports: string, source: Source): Promise<string> {
  const earlier = await importOf(imports, source);
  if (earlier !== undefined) throw importedAlready(imports, earlier, source);
  const base = normaliseName(sourceName(source)) || 'source';
  let id = base;
  for (let count = 2; existsSync(join(imports, id)); count += 1) id = `${base}-${count}`;
  return id;
}

/**
 * Writes an import of a source that has none yet. Its id is chosen while no other process can take it. Where another
 * wrote the very same meanwhile that one stays. Throws `refused` where it wrote anything else of this source, `io`, and
 * `lock-held`.
 */
export async function writeNewImport(
  imports: string,
  source: Source,
  content: ImportContent,
): Promise<{ readonly id: string; readonly isThere: boolean }> {
  await makeImports(imports);
  return aloneInImports(imports, async () => {
    const earlier = await importOf(imports, source);
    if (earlier !== undefined) {
      if (isDeepStrictEqual(earlier, recordOf(earlier.id, content))) return { id: earlier.id, isThere: true };
      throw importedAlready(imports, earlier, source);
    }
    const id = await freeId(imports, source);
    await prepare(imports, id, content);
    await moveIn(imports, id, () => Promise.resolve(true));
    return { id, isThere: false };
  });
}

/** What became of an import that was to be replaced: another process wrote the very same (`there`) or something else (`moved`). */
export type Replaced =
  | { readonly kind: 'written' | 'there' | 'moved' }
  | { readonly kind: 'edited'; readonly edits: Awaited<ReturnType<typeof editsIn>> };

/**
 * Writes an import as a whole in place of the one that `before` was when it was read, unless that changed since: what
 * somebody edited, added or removed meanwhile stays, and so does what another process wrote. A failure leaves the old one, and so does a
 * crash once `mendImports` has run. Throws `io`, and `lock-held` where another process goes on writing.
 */
export async function replaceImport(
  imports: string,
  before: ReadOnlyImport,
  content: ImportContent,
): Promise<Replaced> {
  return aloneInImports(imports, async () => {
    const { id } = before;
    const now = (await readImports(imports, () => undefined)).find((each) => each.id === id);
    if (now !== undefined && isDeepStrictEqual(now, recordOf(id, content))) return { kind: 'there' };
    if (!isDeepStrictEqual(now?.skills, before.skills)) return { kind: 'moved' };
    const edits = async (at: string) => [
      ...(await editsIn(imports, { ...before, id: at })),
      ...content.skills.flatMap(({ name }) =>
        existsSync(join(imports, at, 'skills', name)) ? [] : [{ name, change: `${name} was removed` }],
      ),
    ];
    await prepare(imports, id, content);
    const isAsRead = async (at: string) => (await edits(at)).length === 0;
    try {
      if ((await isAsRead(id)) && (await moveIn(imports, id, isAsRead))) return { kind: 'written' };
    } finally {
      await rm(placesAside(imports, id).next, { recursive: true, force: true });
    }
    const found = await edits(id);
    return found.length === 0 ? { kind: 'moved' } : { kind: 'edited', edits: found };
  });
}

async function importOf(imports: string, source: Source): Promise<ReadOnlyImport | undefined> {
  return (await readImports(imports)).find((each) => isOf(each, source));
}

function importedAlready(imports: string, { id }: ReadOnlyImport, source: Source): KnackError {
  return new KnackError(
    'refused',
    `${sourceText(source)} is imported already, as ${join(imports, id)}: knack skills update ${id} takes up what changed; remove that folder to choose anew`,
  );
}

function recordOf(id: string, { record, skills }: ImportContent): ReadOnlyImport {
  return {
    ...record,
    id,
    skills: skills.map(({ name, path, folder }) => ({ name, path, tree: digestOf(folder) })),
  };
}

async function makeImports(imports: string): Promise<void> {
  try {
    await mkdir(imports, { recursive: true });
  } catch (error) {
    throw new KnackError('io', `cannot make ${imports}: ${messageOf(error)}`, { cause: error });
  }
}

/** Writes an import beside its place. */
async function prepare(imports: string, id: string, content: ImportContent): Promise<void> {
  const { next } = placesAside(imports, id);
  try {
    await rm(next, { recursive: true, force: true });
    await mkdir(join(next, 'skills'), { recursive: true });
    for (const { name, folder } of content.skills) await writeFolder(join(next, 'skills', name), folder);
    await writeFile(join(next, RECORD), `${JSON.stringify(recordOf(id, content), null, 2)}\n`);
  } catch (error) {
    await rm(next, { recursive: true, force: true });
    throw ioError(join(imports, id), error);
  }
}

/**
 * Puts what was prepared in its place. The one that stood there is looked at, under its name aside, when nobody can reach
 * it by its path any more, and comes back where it is not as it was read. Answers whether the new one stands there.
 */
async function moveIn(
  imports: string,
  id: string,
  isAsRead: (name: string) => Promise<boolean>,
): Promise<boolean> {
  const dir = join(imports, id);
  const { next, old } = placesAside(imports, id);
  let isTaken = false;
  try {
    await rm(old, { recursive: true, force: true });
    if (existsSync(dir)) await rename(dir, old);
    await rename(next, dir);
    isTaken = !existsSync(old) || (await isAsRead(basename(old)));
    if (isTaken) await rm(old, { recursive: true, force: true });
    return isTaken;
  } catch (error) {
    throw ioError(dir, error);
  } finally {
    if (!isTaken && existsSync(old)) {
      if (existsSync(dir)) await rename(dir, next);
      await rename(old, dir);
    }
  }
}

function ioError(dir: string, error: unknown): KnackError {
  if (error instanceof KnackError) return error;
  return new KnackError('io', `cannot write ${dir}: ${messageOf(error)}`, { cause: error });
}
