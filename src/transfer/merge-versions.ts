import { join, sep } from 'node:path';
import { KnackError } from '../errors.ts';
import { type Folder, fileText, textFile, withFile } from '../files/folder.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import { setVersion, setVersions } from '../skill/set-version.ts';

const FILE = 'SKILL.md';

/** The number of a skill's files, as a commit may name it. */
export function numberIn(folder: Folder): string | undefined {
  const version = versionIn(folder);
  return version !== undefined && /^[\w.+-]{1,40}$/.test(version) ? version : undefined;
}

const known = new WeakMap<Folder, string | undefined>();

/** The version that a skill's files name. */
export function versionIn(folder: Folder): string | undefined {
  if (!known.has(folder)) known.set(folder, readVersion(folder));
  return known.get(folder);
}

function readVersion(folder: Folder): string | undefined {
  const reading = parseSkillFolder(join(sep, 'skill'), folder);
  return reading.kind === 'loaded' ? reading.skill.version : undefined;
}

/**
 * The same files with this number as their version, so that numbers which both sides counted up are no conflict.
 * A front matter that cannot be edited stays as it is.
 */
export function withVersion(folder: Folder, version: string, set = setVersion): Folder {
  const text = fileText(folder, FILE);
  if (text === undefined) return folder;
  try {
    return withFile(folder, FILE, textFile(set(text, version), folder.get(FILE)?.executable));
  } catch (error) {
    if (error instanceof KnackError && error.code === 'skill-invalid') return folder;
    throw error;
  }
}

/** The same with this number in each place that has one: what stands below them in the file stays on its line. */
export function withVersions(folder: Folder, version: string): Folder {
  return versionIn(folder) === undefined ? folder : withVersion(folder, version, setVersions);
}
