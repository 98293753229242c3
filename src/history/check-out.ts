import type { Folder, FolderFile } from '../files/folder.ts';
import type { Git } from './git.ts';
import type { RollbackTarget } from './rollback-target.ts';
import type { StandingSkill } from './standing-skill.ts';
import { checkedOut } from './stored-form.ts';
import { type Entries, entriesAt } from './tree.ts';

/**
 * The files of a rollback as they are to stand. Those that git has already are the ones that stand: how an attribute has
 * them written, or what of them git does not keep, is no part of the rollback. The others are as a checkout writes them.
 */
export async function checkOut(
  git: Git,
  skill: string,
  target: RollbackTarget,
  { folder: base, dirty, tracked }: StandingSkill,
): Promise<RollbackTarget & { readonly base: Folder | undefined; readonly stored: Entries | undefined }> {
  const { folder, restored } = target;
  if (folder === undefined || restored === undefined) return { ...target, base, stored: undefined };
  const stored = await entriesAt(git, restored.sha, skill);
  const files = new Map<string, FolderFile>(folder);
  const changed: string[] = [];
  for (const [path, file] of folder) {
    const standing = base?.get(path);
    // What a person edited is compared with the last commit, and found to be theirs.
    if (standing !== undefined && dirty.length === 0 && tracked.get(path)?.id === stored.get(path)?.id)
      files.set(path, { ...file, bytes: standing.bytes });
    else changed.push(`${skill}/${path}`);
  }
  for (const [path, bytes] of await checkedOut(git, restored.sha, changed)) {
    const name = path.slice(skill.length + 1);
    files.set(name, { bytes, executable: files.get(name)?.executable === true });
  }
  return { ...target, folder: files, base, stored };
}
