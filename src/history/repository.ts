import { createHash } from 'node:crypto';
import { constants, existsSync, readdirSync, statSync } from 'node:fs';
import { access, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { type Git, openGit } from './git.ts';
import type { HistoryOptions } from './history.ts';
import { recover } from './journal.ts';
import { withLock } from './lock.ts';
import { type WriteArea, writeAreaOf } from './write-area.ts';

/** The repository of the writable root, opened when it is first asked for. */
export interface Repository {
  /** Made if there is none; what a crash left behind is mended. */
  git(): Promise<Git>;
  /** Runs `action` while no other process writes. The journal is closed then: what it held is finished or undone. */
  alone<T>(action: (git: Git, area: WriteArea) => Promise<T>): Promise<T>;
  /** As `alone`, for an action that only reads. */
  settled<T>(read: (git: Git, area: WriteArea) => Promise<T>): Promise<T>;
}

interface Opened {
  readonly git: Git;
  readonly area: WriteArea;
}

export function createRepository(options: HistoryOptions): Repository {
  const { root } = options;
  let opened: Promise<Opened> | undefined;
  const mend = async ({ git, area }: Opened): Promise<void> => {
    try {
      const line = await recover(git, area);
      if (line !== undefined) options.log?.(line);
    } catch (error) {
      if (error instanceof KnackError) throw error;
      throw new KnackError('io', `cannot mend an interrupted change in ${root}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };
  const open = (): Promise<Opened> => {
    opened ??= openRepository(options).then(
      async (found) => {
        // The journal of a process that lives is open too: its end is waited for.
        if (existsSync(found.area.intent)) await mendIfPossible(found);
        // It may be made later.
        if (found.git === NOTHING) opened = undefined;
        return found;
      },
      (error: unknown) => {
        // Tried anew when it is asked for again, as when a full disk has space.
        opened = undefined;
        throw error;
      },
    );
    return opened;
  };
  /** Where nothing can be written, or git does not take it, what is there can still be read. */
  const mendIfPossible = async (found: Opened): Promise<void> => {
    try {
      await withLock(found.area.lock, () => mend(found));
    } catch (error) {
      const isPassing = error instanceof KnackError && ['io', 'git-failed', 'lock-held'].includes(error.code);
      if (!isPassing) throw error;
      options.log?.(`an interrupted change in ${root} cannot be mended now: ${error.message}`);
    }
  };
  const alone = async <T>(action: (git: Git, area: WriteArea) => Promise<T>): Promise<T> => {
    await options.beforeWrite?.();
    const fault = await whyReadOnly(root);
    if (fault !== undefined)
      throw new KnackError('io', `cannot write in ${root}: ${messageOf(fault)}`, { cause: fault });
    const found = await open();
    return withLock(found.area.lock, async () => {
      await mend(found);
      return action(found.git, found.area);
    });
  };
  const settled = async <T>(read: (git: Git, area: WriteArea) => Promise<T>): Promise<T> => {
    const found = await open();
    // Where nothing can be written nobody else writes either.
    if (found.git === NOTHING || (await whyReadOnly(root)) !== undefined) return read(found.git, found.area);
    return alone(read);
  };
  return { git: async () => (await open()).git, alone, settled };
}

function whyReadOnly(dir: string): Promise<unknown> {
  return access(dir, constants.W_OK).then(
    () => undefined,
    (error: unknown) => (hasSystemCode(error, 'EROFS', 'EACCES') ? error : undefined),
  );
}

/** Stands for a repository that was never made, where none can or shall be made: it holds nothing. */
const NOTHING: Git = {
  run: () => Promise.resolve(''),
  feed: () => Promise.resolve(new Uint8Array()),
  blobs: (ids) =>
    Promise.reject(new KnackError('not-found', `there is no history, and so no ${ids.join(', ')}`)),
};

/** Why a commit cannot be made now, as when a person is in the middle of something. Throws `git-failed`. */
export async function whyBusy(git: Git, area: WriteArea): Promise<string | undefined> {
  const busy = whyBusyInFiles(area);
  if (busy !== undefined) return busy;
  try {
    // Names the branch also before its first commit.
    await git.run('symbolic-ref', 'HEAD');
    return undefined;
  } catch (error) {
    if (!/is not a symbolic ref/.test(messageOf(error))) throw error;
    return whyDetached(area);
  }
}

export function whyDetached({ root }: WriteArea): string {
  return `HEAD is detached in ${root}; check out a branch first`;
}

/** As `whyBusy`, without asking git: all but a HEAD that is detached. */
export function whyBusyInFiles({ root, gitDir }: WriteArea): string | undefined {
  if (statSync(gitDir).dev !== statSync(root).dev)
    return `the git folder of ${root}, ${gitDir}, lies on another file system, where no skill can be moved to; bring them together`;
  const states: Record<string, string> = {
    MERGE_HEAD: 'a merge',
    CHERRY_PICK_HEAD: 'a cherry-pick',
    REVERT_HEAD: 'a revert',
    'rebase-merge': 'a rebase',
    'rebase-apply': 'a rebase',
    BISECT_LOG: 'a bisect',
  };
  const found = Object.entries(states).find(([file]) => existsSync(join(gitDir, file)));
  return found && `${found[1]} is under way in ${root}; finish or abort it first`;
}

async function openRepository(options: HistoryOptions): Promise<Opened> {
  const { root, environment, inRepository } = options;
  const looksOnly = typeof options.looksOnly === 'function' ? options.looksOnly() : options.looksOnly;
  const isThere = existsSync(root) && (inRepository === true || existsSync(join(root, '.git')));
  if (looksOnly === true && !isThere) return { git: NOTHING, area: writeAreaOf(root, join(root, '.git')) };
  try {
    await mkdir(root, { recursive: true });
  } catch (error) {
    throw new KnackError('io', `cannot make ${root}: ${messageOf(error)}`, { cause: error });
  }
  const entry = join(root, '.git');
  if (inRepository === true && !existsSync(entry)) return openOuter(await realpath(root), environment);
  if (!existsSync(entry) && (await whyReadOnly(root)) !== undefined)
    return { git: NOTHING, area: writeAreaOf(root, entry) };
  const git = await openGit(await realpath(root), environment);
  // A folder inside somebody else's repository gets one of its own: nothing is ever committed to the outer one.
  const isMade = () => existsSync(entry) && !isHalfMade(entry);
  if (!isMade())
    // Two that make it at once, each half of it, stop each other.
    await withLock(join(root, '.making'), async () => {
      if (!isMade()) await git.run('init', '--quiet', '--template=', '--initial-branch=main');
    });
  return { git, area: writeAreaOf(root, statSync(entry).isFile() ? await linkedDir(git, entry) : entry) };
}

/** The repository further up, by somebody's choice: what is committed there stays within the skills' paths. */
async function openOuter(root: string, environment: HistoryOptions['environment']): Promise<Opened> {
  const git = await openGit(root, environment, { above: true });
  const told = await git.run('rev-parse', '--absolute-git-dir', '--show-prefix').catch((error: unknown) => {
    throw new KnackError(
      'git-failed',
      `history.inRepository in knack.json says that ${root} lies in a repository, and git finds none (${messageOf(error)}); make one there with git, or take the setting out`,
      { cause: error },
    );
  });
  const [gitDir = '', prefix = ''] = told.split('\n');
  const name = `knack-${createHash('sha256').update(prefix).digest('hex').slice(0, 12)}`;
  return { git, area: writeAreaOf(root, gitDir, { name, prefix }) };
}

/** Where the `.git` of a worktree or a submodule leads to. */
async function linkedDir(git: Git, entry: string): Promise<string> {
  try {
    return (await git.run('rev-parse', '--absolute-git-dir')).trim();
  } catch (error) {
    throw new KnackError(
      'git-failed',
      `${entry} is the file of a worktree or a submodule and leads to no repository that git can use (${messageOf(error)}); mend it with \`git worktree repair\` or \`git submodule update --init\` in the repository that it belongs to`,
      { cause: error },
    );
  }
}

/** Whether the making of it was cut off, by a crash or a full disk: then it is made again. */
function isHalfMade(dir: string): boolean {
  const has = (part: string) => existsSync(join(dir, part));
  if (['HEAD', 'objects', 'refs'].every(has) || !statSync(dir).isDirectory()) return false;
  // With a branch it was whole once: somebody has to look at it.
  return !has('packed-refs') && (!has('refs/heads') || readdirSync(join(dir, 'refs/heads')).length === 0);
}
