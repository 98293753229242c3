import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Git } from './git.ts';
import { whyBusyInFiles, whyDetached } from './repository.ts';
import type { SkillStatus } from './skill-status.ts';
import { type Entries, isRepositoryEntry } from './tree.ts';
import type { WriteArea } from './write-area.ts';

/**
 * Why no change of a skill can be written now, whatever the change is, and what to do about it: a person is in the middle
 * of something, no branch is checked out, the skill or a part of it is another repository, whose files this one does not
 * keep. Undefined if it can, edits of a person apart.
 */
export function whyUnwritable(
  area: WriteArea,
  skill: string,
  { status, tracked }: { readonly status: SkillStatus; readonly tracked: Entries },
): string | undefined {
  const busy = existsSync(area.gitDir) ? whyBusyInFiles(area) : undefined;
  if (busy !== undefined) return busy;
  if (status.isDetached) return whyDetached(area);
  const other = repositoryIn(area, skill, tracked);
  return (
    other &&
    `${other} is a repository of its own, as a submodule is, whose files the library's history does not keep; change it with git in there, or make plain files of it: take ${other}/.git out of the library, then \`git rm --cached -f ${other}\` and \`git add ${other}\` in ${area.root}`
  );
}

/** As `whyUnwritable`, of tracked files that are not there: a sparse checkout leaves them out. */
export async function whyAbsent(
  git: Git,
  { root }: WriteArea,
  skill: string,
  gone: readonly string[],
): Promise<string | undefined> {
  if (gone.length === 0) return undefined;
  const isSparse = await git.run('config', '--type=bool', '--default=false', 'core.sparseCheckout');
  if (isSparse.trim() !== 'true') return undefined;
  const listing = (await git.run('ls-files', '-t', '-z', '--', skill)).split('\0');
  const skipped = listing.flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []));
  const left = gone.map((path) => `${skill}/${path}`).filter((path) => skipped.includes(path));
  if (left.length === 0) return undefined;
  const what = left.length === listing.length - 1 ? skill : left[0];
  return `${what} is not checked out here (a sparse checkout); \`git sparse-checkout add ${skill}\` in ${root} brings it here`;
}

/** The skill's folder or one in it that is another repository: as git has it, or with a `.git` of its own. */
function repositoryIn({ root }: WriteArea, skill: string, tracked: Entries): string | undefined {
  const inRoot = (path: string) => (path === '' ? skill : `${skill}/${path}`);
  const entry = [...tracked].find(([, each]) => isRepositoryEntry(each));
  if (entry !== undefined) return inRoot(entry[0]);
  const folders = new Set([skill]);
  for (const path of tracked.keys())
    for (let folder = dirname(inRoot(path)); folder.startsWith(skill); folder = dirname(folder))
      folders.add(folder);
  return [...folders].find((folder) => existsSync(join(root, folder, '.git')));
}
