import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { type Folder, writeFolder } from '../folder.ts';
import { digestOf } from '../history/tree.ts';
import { type JsonSchema, schemaFaults } from '../json-schema.ts';
import { readOwnFile } from '../own-file.ts';
import { normaliseName } from '../skill/name.ts';
import { aloneInImports, placesAside } from './mend-imports.ts';
import { type Source, sourceName, sourceText } from './source.ts';
import { changeSinceWritten } from './written-copy.ts';

/** Skills of one source that are only read: a copy in the workspace, `imports/<id>/skills`. */
export interface ReadOnlyImport {
  readonly id: string;
  readonly source: string;
  readonly ref?: string;
  readonly commit?: string;
  /** The folder of the source that was searched. */
  readonly within?: string;
  readonly skills: readonly ImportedSkill[];
}

export interface ImportedSkill {
  readonly name: string;
  /** In the source. */
  readonly path: string;
  /** `digestOf` its files as they were written. */
  readonly tree: string;
}

const RECORD = 'origin.json';

/** The folders of skills of every import, sorted by id; none where there is no import. Reads names alone. */
export function importRoots(imports: string): { readonly name: string; readonly dir: string }[] {
  try {
    return readdirSync(imports)
      .filter((name) => !name.startsWith('.') && existsSync(join(imports, name, 'skills')))
      .sort()
      .map((name) => ({ name, dir: join(imports, name, 'skills') }));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw new KnackError('io', `cannot read ${imports}: ${messageOf(error)}`, { cause: error });
  }
}

const text = { type: 'string' };
const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['source', 'skills'],
  properties: {
    source: text,
    ref: text,
    commit: text,
    within: text,
    skills: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'path', 'tree'],
        properties: { name: text, path: text, tree: text },
      },
    },
  },
};

/** Every import with its record. A record that somebody broke throws `conflict`, or is told to `onBroken` and left out. */
export async function readImports(
  imports: string,
  onBroken?: (id: string, why: string) => void,
): Promise<ReadOnlyImport[]> {
  const found: ReadOnlyImport[] = [];
  for (const { name } of importRoots(imports)) {
    const file = join(imports, name, RECORD);
    try {
      const record: unknown = JSON.parse(await readOwnFile(file));
      const [fault] = schemaFaults(SCHEMA, record);
      if (fault !== undefined) throw new TypeError(fault);
      found.push({ ...(record as ReadOnlyImport), id: name });
    } catch (error) {
      const why = `${file} does not say where the skills beside it come from (${messageOf(error)}); remove ${join(imports, name)} and add them again`;
      if (onBroken === undefined) throw new KnackError('conflict', why, { cause: error });
      onBroken(name, why);
    }
  }
  return found;
}

/** The id of a source: that of its present import, else its last word, with a number where another has that. */
export function importId(source: Source, known: readonly ReadOnlyImport[]): string {
  const same = known.find((each) => isOf(each, source));
  if (same !== undefined) return same.id;
  const base = normaliseName(sourceName(source)) || 'source';
  let id = base;
  for (let count = 2; known.some((each) => each.id === id); count += 1) id = `${base}-${count}`;
  return id;
}

export function isOf(known: ReadOnlyImport, source: Source): boolean {
  return (
    known.source === sourceText(source) && known.ref === (source.kind === 'git' ? source.ref : undefined)
  );
}

/** What somebody put into an import or edited there. `name` is that of the skill, else that of the import. */
export async function editsIn(
  imports: string,
  { id, skills }: ReadOnlyImport,
): Promise<{ readonly name: string; readonly change: string }[]> {
  const dir = join(imports, id);
  const foreign = [
    ...(await foreignIn(dir, [RECORD, 'skills'])),
    ...(await foreignIn(
      join(dir, 'skills'),
      skills.map(({ name }) => name),
    )),
  ];
  const edits = foreign.map((path) => ({ name: id, change: `${path} was not put there by knack` }));
  for (const { name, tree } of skills) {
    // One that was removed is no edit that could be lost.
    if (!existsSync(join(dir, 'skills', name))) continue;
    const change = await changeSinceWritten(join(dir, 'skills', name), tree);
    if (change !== undefined) edits.push({ name, change });
  }
  return edits;
}

/** Paths of what lies in a folder under other names than these, sorted. */
async function foreignIn(dir: string, known: readonly string[]): Promise<string[]> {
  const names = await readdir(dir);
  return names
    .filter((name) => !known.includes(name))
    .sort()
    .map((name) => join(dir, name));
}

/**
 * Writes an import as a whole, in place of the one of that id. A failure leaves the old one, and so does a crash once
 * `mendImports` has run. Throws `io`, and `lock-held` where another process goes on writing.
 */
export async function writeImport(
  imports: string,
  record: Omit<ReadOnlyImport, 'skills'>,
  skills: readonly { readonly name: string; readonly path: string; readonly folder: Folder }[],
): Promise<void> {
  try {
    await mkdir(imports, { recursive: true });
  } catch (error) {
    throw new KnackError('io', `cannot make ${imports}: ${messageOf(error)}`, { cause: error });
  }
  await aloneInImports(imports, () => replaceImport(imports, record, skills));
}

async function replaceImport(
  imports: string,
  record: Parameters<typeof writeImport>[1],
  skills: Parameters<typeof writeImport>[2],
): Promise<void> {
  const dir = join(imports, record.id);
  const { next, old } = placesAside(imports, record.id);
  try {
    await rm(next, { recursive: true, force: true });
    await mkdir(join(next, 'skills'), { recursive: true });
    for (const { name, folder } of skills) await writeFolder(join(next, 'skills', name), folder);
    const kept: ReadOnlyImport = {
      ...record,
      skills: skills.map(({ name, path, folder }) => ({ name, path, tree: digestOf(folder) })),
    };
    await writeFile(join(next, RECORD), `${JSON.stringify(kept, null, 2)}\n`);
    await rm(old, { recursive: true, force: true });
    if (existsSync(dir)) await rename(dir, old);
    await rename(next, dir);
    await rm(old, { recursive: true, force: true });
  } catch (error) {
    if (!existsSync(dir) && existsSync(old)) await rename(old, dir);
    await rm(next, { recursive: true, force: true });
    if (error instanceof KnackError) throw error;
    throw new KnackError('io', `cannot write ${dir}: ${messageOf(error)}`, { cause: error });
  }
}
