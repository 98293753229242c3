import { join, sep } from 'node:path';
import { KnackError } from '../errors.ts';
import { type Folder, fileText, textFile, withFile } from '../folder.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import { setField } from '../skill/set-field.ts';

const FILE = 'SKILL.md';

/** The version that a skill's files name. */
export function versionIn(folder: Folder): string | undefined {
  const reading = parseSkillFolder(join(sep, 'skill'), folder);
  return reading.kind === 'loaded' ? reading.skill.version : undefined;
}

/**
 * The same files with this number as their version, so that numbers which both sides counted up are no conflict.
 * A front matter that cannot be edited stays as it is.
 */
export function withVersion(folder: Folder, version: string): Folder {
  const text = fileText(folder, FILE);
  if (text === undefined) return folder;
  try {
    return withFile(
      folder,
      FILE,
      textFile(setField(text, 'metadata.version', version), folder.get(FILE)?.executable),
    );
  } catch (error) {
    if (error instanceof KnackError && error.code === 'skill-invalid') return folder;
    throw error;
  }
}
