import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Folder, textFile } from '../../src/files/folder.ts';

export function temporary(name = 'test'): Promise<string> {
  return mkdtemp(join(tmpdir(), `knack-${name}-`));
}

/** The text of a strict skill. */
export function skillText(
  name: string,
  body: string,
  fields: { description?: string; version?: string } = {},
): string {
  const { description = `Does ${name}. Use when ${name} is wanted.`, version = '1.0.0' } = fields;
  return `---\nname: ${name}\ndescription: "${description}"\nmetadata:\n  version: "${version}"\n---\n\n${body}\n`;
}

/** A folder value from texts; a path that ends in `*` is executable. */
export function folderOf(texts: Readonly<Record<string, string>>): Folder {
  const files = Object.entries(texts).map(
    ([path, text]) => [path.replace(/\*$/, ''), textFile(text, path.endsWith('*'))] as const,
  );
  return new Map(files.sort(([left], [right]) => (left < right ? -1 : 1)));
}
