import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '../errors.ts';
import type { Library } from '../library/library.ts';
import type { Skill } from '../skill/skill.ts';
import { isKeepersFile, listResources } from './list-resources.ts';
import type { SessionDisclosure } from './session-disclosure.ts';

/** Files of a skill that are looked at: as many as its instructions name. */
export const MOST_FILES = 60;
const MOST_NAMED = 5;

/** Files of a loaded skill that came, went or changed since the conversation heard of them. */
export interface FileChange {
  /** The name that finds the skill alone. */
  readonly name: string;
  /** Relative to the skill's folder, sorted, a few at most. */
  readonly paths: string;
  /** What the conversation knows once it is told. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** Size and time of the files beside `SKILL.md` that a reader of the instructions has use for, by path. */
export async function fileStamps(skill: Skill): Promise<ReadonlyMap<string, string>> {
  const resources = (await listResources(skill)).filter(({ path }) => !isKeepersFile(path));
  const stamps = resources.slice(0, MOST_FILES).map(async ({ path }) => {
    // A file may go while the folder is looked at.
    const file = await stat(join(skill.dir, path)).catch(goneOrThrow);
    return file === undefined ? [] : [[path, `${file.size} ${file.mtimeMs}`] as const];
  });
  return new Map((await Promise.all(stamps)).flat());
}

/**
 * What is different about the files of the skills that are loaded. Of a skill that the conversation has from an earlier
 * process nothing is known: it is what it is at the first look.
 */
export async function findFileChanges(library: Library, session: SessionDisclosure): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const name of session.loaded.keys()) {
    const skill = library.find(name);
    const stamps = skill && (await stampsIfThere(skill));
    if (stamps === undefined) continue;
    const before = session.files.get(name) ?? stamps;
    session.files.set(name, before);
    const paths = [...new Set([...before.keys(), ...stamps.keys()])]
      .filter((path) => before.get(path) !== stamps.get(path))
      .sort((left, right) => (left < right ? -1 : 1));
    if (paths.length === 0) continue;
    const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
    changes.push({ name, stamps, paths: `${paths.slice(0, MOST_NAMED).join(', ')}${more}` });
  }
  return changes;
}

/** A folder may go while it is looked at; the next look at the library finds that. */
async function stampsIfThere(skill: Skill): Promise<ReadonlyMap<string, string> | undefined> {
  const stamps = await fileStamps(skill);
  return (await stat(skill.dir).catch(goneOrThrow)) === undefined ? undefined : stamps;
}

function goneOrThrow(error: unknown): undefined {
  if (!isSystemError(error)) throw error;
}
