import { type Folder, type FolderFile, isSkipped } from '../files/folder.ts';
import { deletedVersion } from './deleted.ts';
import type { Git } from './git.ts';
import { readSkill } from './private-files.ts';
import { type SkillStatus, statusOf } from './skill-status.ts';
import { cleanIds, isFilterFault, rawIdOf } from './stored-form.ts';
import { type Entries, isFileEntry, trackedIn } from './tree.ts';
import { whyAbsent, whyUnwritable } from './unwritable.ts';
import type { WriteArea } from './write-area.ts';

/** A skill as it stands, with what git has of it. Only under the lock. */
export interface StandingSkill {
  readonly folder: Folder | undefined;
  /** Files that differ from the last commit, as git names them; sorted. */
  readonly dirty: readonly string[];
  readonly tracked: Entries;
  /** Why no change of it can be written now; edits are no such reason. */
  readonly blocked?: string;
  /** The last version of a skill that somebody deleted without a commit; see `deletedVersion`. */
  readonly deleted?: string;
  /** False where the repository says that the x bits of the disk mean nothing. */
  readonly hasModes: boolean;
}

/** Looks at all of it. */
export async function lookAt(git: Git, area: WriteArea, skill: string): Promise<StandingSkill> {
  const [status, tracked] = await Promise.all([statusOf(git, area, skill), trackedIn(git, skill)]);
  const { edited, gone, ...found } = await readTracked(git, area, skill, { status, tracked });
  const blocked =
    whyUnwritable(area, skill, { status, tracked }) ?? (await whyAbsent(git, area, skill, gone));
  const dirty = [...new Set([...status.dirty, ...edited])].sort((left, right) => (left < right ? -1 : 1));
  const deleted = blocked === undefined ? await deletedVersion(git, area, skill, { dirty }) : undefined;
  return {
    ...found,
    tracked,
    dirty,
    ...(blocked === undefined ? {} : { blocked }),
    ...(deleted === undefined ? {} : { deleted }),
  };
}

interface Differing {
  /** As git names them. */
  readonly edited: readonly string[];
  /** Those of them that are not there, by their paths in the folder. */
  readonly gone: readonly string[];
}

/**
 * The files of a skill, and those whose bytes or x bits are not what git has of them. A look at the content, for git can
 * be told not to see edits (`assume-unchanged`, `skip-worktree`, `core.fileMode`). Where x bits mean nothing on this disk
 * the ones that git has are those of the files.
 */
export async function readTracked(
  git: Git,
  { root, prefix }: WriteArea,
  skill: string,
  { status, tracked }: { readonly status: Pick<SkillStatus, 'ignored'>; readonly tracked: Entries },
): Promise<Pick<StandingSkill, 'folder' | 'hasModes'> & Differing> {
  const found = await readSkill(root, skill, status);
  const files = new Map<string, FolderFile>(found);
  const [gone, bytes, modes]: [string[], string[], string[]] = [[], [], []];
  for (const [path, entry] of tracked) {
    if (!isFileEntry(entry) || isSkipped(path)) continue;
    const file = files.get(path);
    if (file === undefined) gone.push(path);
    else if (rawIdOf(file.bytes, entry.id.length) !== entry.id) bytes.push(path);
    if (file !== undefined && file.executable !== (entry.mode === '100755')) modes.push(path);
  }
  const hasModes = modes.length === 0 || (await countsModes(git));
  if (!hasModes)
    for (const path of modes) {
      const file = files.get(path);
      if (file !== undefined) files.set(path, { ...file, executable: !file.executable });
    }
  const changed = await alteredIn(git, skill, bytes, tracked);
  const edited = [...gone, ...changed, ...(hasModes ? modes : [])].map((path) => `${prefix}${skill}/${path}`);
  return { folder: found && files, hasModes, edited, gone };
}

/** Of files that are not byte by byte what git has: those that are not so either after what attributes make of them. */
async function alteredIn(
  git: Git,
  skill: string,
  paths: readonly string[],
  tracked: Entries,
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const ids = await cleanIds(
    git,
    paths.map((path) => `${skill}/${path}`),
  ).catch((error: unknown) => {
    // A filter that is not installed: nobody can tell, so it counts as an edit.
    if (isFilterFault(error)) return [];
    throw error;
  });
  return paths.filter((path, index) => ids[index] !== tracked.get(path)?.id);
}

async function countsModes(git: Git): Promise<boolean> {
  return (await git.run('config', '--type=bool', '--default=true', 'core.fileMode')).trim() === 'true';
}
