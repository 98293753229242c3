import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';
import { type JsonSchema, schemaFaults } from '../text/json-schema.ts';

/** A link or a copy that knack put among the skills of an agent. */
export interface MadeLink {
  /** Absolute. */
  readonly path: string;
  readonly skill: string;
  /** Of a link: what it leads to. */
  readonly target?: string;
  /** Of a copy: `digestOf` its files. */
  readonly tree?: string;
  /** The topmost folder that was made for it; goes with the last link in its folder, if nothing else is there. */
  readonly made?: string;
}

const text = { type: 'string' };
const SCHEMA: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['path', 'skill'],
    properties: {
      path: { type: 'string', pattern: '^/' },
      skill: text,
      target: text,
      tree: text,
      made: text,
    },
  },
};

/** What was made, by path. Only that is ever taken away again. */
export async function readMadeLinks(file: string): Promise<Map<string, MadeLink>> {
  try {
    const made: unknown = JSON.parse(await readOwnFile(file));
    const [fault] = schemaFaults(SCHEMA, made);
    if (fault !== undefined) throw new TypeError(fault);
    return new Map((made as MadeLink[]).map((link) => [link.path, link]));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return new Map();
    throw new KnackError(
      'conflict',
      `${file} cannot be read (${messageOf(error)}); it says which links knack made: remove it, and the links by hand`,
      { cause: error },
    );
  }
}

/** Whole or not at all. Throws `io`. */
export async function writeMadeLinks(file: string, made: ReadonlyMap<string, MadeLink>): Promise<void> {
  const sorted = [...made.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
  const next = `${file}.${randomUUID()}.new`;
  try {
    await writeFile(next, `${JSON.stringify(sorted, null, 2)}\n`);
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw new KnackError('io', `cannot write ${file}: ${messageOf(error)}`, { cause: error });
  }
}
