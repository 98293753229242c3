import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { hasHead } from './commit-skill.ts';
import type { Git } from './git.ts';
import type { History } from './history.ts';
import { NO_VERSION, readRecords, UNNUMBERED } from './records.ts';
import type { SkillStatus } from './skill-status.ts';
import { entriesAt, hasCommits } from './tree.ts';
import type { WriteArea } from './write-area.ts';

/**
 * The last version of a skill of which somebody deleted every file without a commit, or its commit where it has no number.
 * Undefined for any other. `dirty`: what git says of it.
 */
export async function deletedVersion(
  git: Git,
  { root, prefix, intent }: WriteArea,
  skill: string,
  { dirty }: Pick<SkillStatus, 'dirty'>,
): Promise<string | undefined> {
  // Of a change that was cut off and cannot be mended now the folder lies in the area: nobody deleted it.
  if (dirty.length === 0 || existsSync(intent) || !(await hasCommits(git))) return undefined;
  const kept = [...(await entriesAt(git, 'HEAD', skill)).keys()].map((path) => `${skill}/${path}`);
  // Also a file that was renamed or is new.
  const others = dirty.map((path) => path.slice(prefix.length));
  const isThere = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  if (kept.length === 0 || [...kept, ...others].some(isThere)) return undefined;
  const [latest] = await readRecords(git, skill);
  if (latest === undefined || latest.version === NO_VERSION) return undefined;
  return latest.version === UNNUMBERED ? latest.sha.slice(0, 10) : latest.version;
}

/** The folders that the last commit has, in one look: only of these can one have been deleted so. */
export async function committedNames(git: Git): Promise<ReadonlySet<string>> {
  if (!(await hasHead(git))) return new Set();
  return new Set((await git.run('ls-tree', '-d', '-z', '--name-only', 'HEAD')).split('\0'));
}

/** What is said of such a skill wherever it is met, with both ways on. */
export function deletedByHand(skill: string, version: string): string {
  return `${skill} was deleted by hand, which is not committed; its last version is ${version}: \`knack skills restore ${skill}\` brings it back, \`knack skills retire ${skill}\` makes it final`;
}

/** The same words, where they hold of the skill as it stands. */
export async function whyDeleted(
  history: Pick<History, 'standing'>,
  skill: string,
): Promise<string | undefined> {
  const { deleted } = await history.standing(skill);
  return deleted === undefined ? undefined : deletedByHand(skill, deleted);
}
