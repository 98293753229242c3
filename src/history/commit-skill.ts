import { writeFile } from 'node:fs/promises';
import { KnackError, messageOf } from '../errors.ts';
import type { Folder } from '../folder.ts';
import type { Git } from './git.ts';
import type { WriteArea } from './journal.ts';
import { digestOf, hasCommits, headFolder } from './tree.ts';

/** A skill that stands in the working tree, and waits for its commit. */
interface Standing {
  readonly skill: string;
  readonly folder: Folder | undefined;
  /** What the index holds of it. */
  readonly tracked: readonly string[];
}

/**
 * Commits a skill's paths as they stand, and nothing else; answers with the commit. Throws `lock-held` where another git
 * keeps its lock, and `git-failed`.
 */
export async function commitSkill(
  git: Git,
  area: WriteArea,
  { skill, folder, tracked }: Standing,
): Promise<string> {
  const written = [...(folder?.keys() ?? [])].map((path) => `${skill}/${path}`);
  const paths = new Set([...tracked, ...written]);
  // What is tracked the commit itself takes up.
  if (paths.size > tracked.length) {
    await writeFile(area.paths, [...paths].join('\0'));
    // Forced, for an old version may hold what is ignored by now; by name, so that nothing else in the folder is added.
    const add = ['add', '--all', '--force', `--pathspec-from-file=${area.paths}`, '--pathspec-file-nul'];
    await retryOnLock(() => git.run(...add));
  }
  const command = ['-c', 'core.abbrev=40', 'commit', '--no-verify', '--cleanup=verbatim', '--only'];
  try {
    const said = await retryOnLock(() => git.run(...command, '-F', area.message, '--', skill));
    // `[main 0123…] subject`, with all of the id or enough of it; no name of a branch holds a space.
    const sha = /^\[(?:\S+|detached HEAD)(?: \(root-commit\))? ([0-9a-f]{40,})\] /.exec(said)?.[1];
    if (sha === undefined) throw new KnackError('git-failed', `git commit named no commit but said: ${said}`);
    return sha;
  } catch (error) {
    // The git of a process that was killed lives on for a moment, and may have been the faster one; and a git that is
    // killed itself may have come as far as the commit, and not to the index.
    const isMade = await headFolder(git, skill).then(
      (head) => digestOf(head) === digestOf(folder),
      // The first fault is the one to tell.
      () => false,
    );
    if (!isMade) throw error;
    await unstage(git, skill);
    return (await git.run('rev-list', '-n', '1', 'HEAD', '--', `${skill}/`)).trim();
  }
}

/** Brings the index back to the last commit; where it is there already, it writes nothing. */
export async function unstage(git: Git, skill: string): Promise<void> {
  if (!(await hasCommits(git))) {
    await retryOnLock(() => git.run('rm', '-r', '--cached', '--quiet', '--ignore-unmatch', '--', skill));
    return;
  }
  const staged = await git.run('diff', '--cached', '--name-only', '-z', '--', skill);
  if (staged !== '') await retryOnLock(() => git.run('reset', '--quiet', '--', skill));
}

const MOST_TRIES = 40;

/** Somebody else's git may hold the index for a moment; its lock is waited for and never removed. */
async function retryOnLock(action: () => Promise<string>): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await action();
    } catch (error) {
      const lockFile = /Unable to create '([^']*\.lock)': File exists/.exec(messageOf(error))?.[1];
      if (lockFile === undefined) throw error;
      if (tries >= MOST_TRIES)
        throw new KnackError(
          'lock-held',
          `another git holds ${lockFile}; wait for it to end, or remove the file if none runs`,
          { cause: error },
        );
      await new Promise((resolve) => setTimeout(resolve, 20 + 60 * Math.random()));
    }
  }
}
