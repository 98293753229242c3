import type { Git } from './git.ts';
import type { WriteArea } from './write-area.ts';

/** What git says of a skill's folder and of where a commit would go, in one look. */
export interface SkillStatus {
  /** HEAD is no branch. */
  readonly isDetached: boolean;
  /** Files that differ from the last commit, untracked ones included, as git names them; sorted. */
  readonly dirty: readonly string[];
  /**
   * The paths in the folder that git ignores and does not track, relative to it; a folder stands for all that is in it,
   * and the empty path for the folder itself. They are the person's: no part of the skill, and never written, moved out
   * or deleted.
   */
  readonly ignored: ReadonlySet<string>;
}

/** How many words stand between the kind of an entry and its path. */
const WORDS_BEFORE: Readonly<Record<string, number>> = { '1': 7, u: 9, '?': 0, '!': 0 };

/** Takes that look. Only under the lock: outside it another process's half-done change looks like a person's edit. */
export async function statusOf(
  git: Git,
  { prefix }: Pick<WriteArea, 'prefix'>,
  skill: string,
): Promise<SkillStatus> {
  const command = ['status', '--porcelain=v2', '--branch', '-z', '--no-renames', '--no-ahead-behind'];
  // Whatever a submodule is told to hide: an edit in it is an edit.
  const all = ['--untracked-files=all', '--ignored=matching', '--ignore-submodules=none'];
  const listing = await git.run(...command, ...all, '--', skill);
  let isDetached = false;
  const dirty: string[] = [];
  const ignored = new Set<string>();
  for (const entry of listing.split('\0')) {
    const [kind = '', ...words] = entry.split(' ');
    const path = words.slice(WORDS_BEFORE[kind]).join(' ');
    if (kind === '#') isDetached ||= entry === '# branch.head (detached)';
    else if (kind === '!') ignored.add(path.slice(`${prefix}${skill}/`.length).replace(/\/$/, ''));
    else if (kind !== '') dirty.push(path);
  }
  return { isDetached, dirty: dirty.sort((left, right) => (left < right ? -1 : 1)), ignored };
}
