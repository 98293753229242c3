import { equalFolders, type Folder } from '../files/folder.ts';
import { deletedByHand } from '../history/deleted.ts';
import type { History } from '../history/history.ts';
import { NO_VERSION } from '../history/records.ts';
import type { Override } from '../history/revision.ts';
import type { SkillHistory } from './skill-history.ts';

/** One version of a skill as a person looks at it. */
export interface ShownVersion {
  readonly folder: Folder;
  readonly overrides: readonly Override[];
  /** What is to be known beside it: other commits of the number, edits that are no part of it. */
  readonly notes: readonly string[];
}

/**
 * Finds the files of a version. Of a number that stands on several commits, as after an edit by hand that kept it, the
 * newest is shown. Throws as `History.folderAt` does.
 */
export async function showVersion(
  { history, revisions }: SkillHistory,
  name: string,
  version: string,
): Promise<ShownVersion> {
  const same = version === NO_VERSION ? [] : revisions.filter((revision) => revision.version === version);
  const [newest, ...older] = same;
  const folder = await history.folderAt(name, newest?.sha ?? version);
  const others: string[] = [];
  for (const { sha } of older)
    if (!equalFolders(folder, await history.folderAt(name, sha))) others.push(sha.slice(0, 10));
  const revision =
    newest ?? (version === 'HEAD' ? revisions[0] : revisions.find(({ sha }) => sha.startsWith(version)));
  const severalOf =
    others.length === 0
      ? []
      : [
          `${version} stands on ${others.length + 1} commits with other files, and this is the newest, ${newest?.sha.slice(0, 10)}; \`knack skills show ${name}@${others[0]}\` shows ${others.length === 1 ? 'the other one' : `another (${others.join(', ')})`}`,
        ];
  return {
    folder,
    overrides: revision?.overrides ?? [],
    notes: [...severalOf, ...(await notesOfEdits(history, name))],
  };
}

async function notesOfEdits(history: History, name: string): Promise<string[]> {
  const { dirty, deleted } = await history.standing(name);
  if (deleted !== undefined) return [deletedByHand(name, deleted)];
  return dirty.length === 0
    ? []
    : [
        `${name} has edits that are not committed, in ${dirty.join(', ')}, which are no part of it; \`knack skills diff ${name}\` shows them`,
      ];
}
