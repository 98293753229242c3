import { existsSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';
import { type JsonSchema, schemaFaults } from '../text/json-schema.ts';
import { type Source, sourceText } from './source.ts';
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

/** The file of an import that says where its skills come from. */
export const RECORD = 'origin.json';

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

/** Whether an import is of this source, at the same branch, tag or commit. */
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
  const names = await readdir(dir).catch((error: unknown) => {
    throw new KnackError('io', `cannot look through ${dir}: ${messageOf(error)}`, { cause: error });
  });
  return names
    .filter((name) => !known.includes(name))
    .sort()
    .map((name) => join(dir, name));
}
