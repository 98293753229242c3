import { KnackError, messageOf } from '../errors.ts';
import type { Git } from './git.ts';
import type { WriteArea } from './journal.ts';
import { type Entries, entriesAt, equalEntries, hasCommits } from './tree.ts';

/** A version of a skill that git has the files of, and that waits for its commit. */
export interface Waiting {
  readonly skill: string;
  readonly entries: Entries;
  /** What the index holds of it. */
  readonly tracked: Entries;
  readonly message: string;
}

/**
 * Commits these files of a skill, and nothing else; answers with the commit. The folder is not looked at: what a person
 * does there meanwhile stays an edit of theirs. Throws `lock-held` where another git keeps its lock, and `git-failed`.
 */
export async function commitSkill(git: Git, area: WriteArea, waiting: Waiting): Promise<string> {
  const { skill, entries, tracked } = waiting;
  const gone = [...tracked.keys()].filter((path) => !entries.has(path));
  const set = [...entries].filter(([path, { mode, id }]) => {
    const known = tracked.get(path);
    return known?.id !== id || known.mode !== mode;
  });
  const inRepository = (path: string) => `${area.prefix}${skill}${path === '' ? '' : `/${path}`}`;
  const index = [
    ...gone.map((path) => `0 ${'0'.repeat(tracked.get(path)?.id.length ?? 40)}\t${inRepository(path)}\0`),
    ...set.map(([path, { mode, id }]) => `${mode} ${id}\t${inRepository(path)}\0`),
  ].join('');
  await retryOnLock(() => git.feed(Buffer.from(index), 'update-index', '-z', '--index-info'));
  const tree = [
    ...gone.map((path) => `D ${quoted(inRepository(path))}\n`),
    ...set.map(([path, { mode, id }]) => `M ${mode} ${id} ${quoted(inRepository(path))}\n`),
  ].join('');
  try {
    const stream = await streamOf(git, waiting.message, tree);
    const told = await retryOnLock(() => git.feed(stream, 'fast-import', '--quiet'));
    const sha = Buffer.from(told).toString().trim();
    if (!/^[0-9a-f]{40,64}$/.test(sha))
      throw new KnackError('git-failed', `git fast-import named no commit but said: ${sha}`);
    return sha;
  } catch (error) {
    // A git that is killed may have come as far as the commit.
    const isMade = await isCommitted(git, waiting).catch(() => false);
    if (!isMade) throw error;
    await unstage(git, skill);
    return (await git.run('rev-list', '-n', '1', 'HEAD', '--', `${skill}/`)).trim();
  }
}

/** Whether the last commit has these files of a skill, and no others. */
export async function isCommitted(
  git: Git,
  { skill, entries }: Pick<Waiting, 'skill' | 'entries'>,
): Promise<boolean> {
  return equalEntries((await hasHead(git)) ? await entriesAt(git, 'HEAD', skill) : new Map(), entries);
}

/**
 * A commit on top of HEAD as `git fast-import` reads it: it knows no attributes, works on the trees alone, and moves the
 * branch only where nothing else was committed to it meanwhile. Cut off before its last line it does nothing.
 */
async function streamOf(git: Git, message: string, tree: string): Promise<Uint8Array> {
  const [author, committer, isBorn] = await Promise.all([
    git.run('var', 'GIT_AUTHOR_IDENT'),
    git.run('var', 'GIT_COMMITTER_IDENT'),
    hasHead(git),
  ]);
  const text = Buffer.from(message);
  return Buffer.concat([
    Buffer.from(
      `feature done\ncommit HEAD\nmark :1\nauthor ${author.trim()}\ncommitter ${committer.trim()}\ndata ${text.length}\n`,
    ),
    text,
    Buffer.from(`\n${isBorn ? 'from HEAD^0\n' : ''}${tree}\nget-mark :1\ndone\n`),
  ]);
}

async function hasHead(git: Git): Promise<boolean> {
  try {
    return (await git.run('rev-parse', '--verify', '--quiet', 'HEAD')).trim() !== '';
  } catch (error) {
    // The branch has no commit yet.
    if (/\(exit code 1\)/.test(messageOf(error))) return false;
    throw error;
  }
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
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

/** Somebody else's git may hold a lock for a moment; it is waited for and never removed. */
async function retryOnLock<T>(action: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await action();
    } catch (error) {
      // A person committed at the same time: on top of that, then.
      const isBehind = /Not updating HEAD|but expected/.test(messageOf(error));
      const lockFile = /Unable to create '([^']*\.lock)': File exists/.exec(messageOf(error))?.[1];
      if ((lockFile === undefined && !isBehind) || (isBehind && tries >= MOST_TRIES)) throw error;
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
