import { KnackError, messageOf } from '../errors.ts';
import type { Git } from './git.ts';
import { type Entries, type Entry, entriesAt, equalEntries, trackedIn } from './tree.ts';
import type { WriteArea } from './write-area.ts';

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
  const { gone, set } = differences(tracked, entries);
  const named = (path: string) => quoted(inRepository(area, skill, path));
  const tree = [
    ...gone.map((path) => `D ${named(path)}\n`),
    ...set.map(([path, { mode, id }]) => `M ${mode} ${id} ${named(path)}\n`),
  ].join('');
  // Settled both: what is thrown starts an undo, which no git of ours may then still be in the way of.
  const [staged, stream] = await Promise.allSettled([
    stage(git, area, skill, { from: tracked, to: entries }),
    streamOf(git, waiting.message, tree),
  ]);
  if (staged.status === 'rejected') throw staged.reason;
  try {
    if (stream.status === 'rejected') throw stream.reason;
    const told = await retryOnLock(() => git.feed(stream.value, ...'fast-import --quiet'.split(' ')));
    const sha = Buffer.from(told).toString().trim();
    if (!/^[0-9a-f]{40,64}$/.test(sha))
      throw new KnackError('git-failed', `git fast-import named no commit but said: ${sha}`);
    return sha;
  } catch (error) {
    // A git that is killed may have come as far as the commit.
    const isMade = await isCommitted(git, waiting).catch(() => false);
    if (!isMade) throw error;
    await unstage(git, area, skill);
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
  const [{ author, committer }, isBorn] = await Promise.all([identitiesOf(git), hasHead(git)]);
  const text = Buffer.from(message);
  return Buffer.concat([
    Buffer.from(
      `feature done\ncommit HEAD\nmark :1\nauthor ${author}\ncommitter ${committer}\ndata ${text.length}\n`,
    ),
    text,
    Buffer.from(`\n${isBorn ? 'from HEAD^0\n' : ''}${tree}\nget-mark :1\ndone\n`),
  ]);
}

/** Who commits now, with the time, as a commit holds it. */
export async function identitiesOf(git: Git): Promise<{ author: string; committer: string }> {
  const [author, committer] = await Promise.all([
    git.run('var', 'GIT_AUTHOR_IDENT'),
    git.run('var', 'GIT_COMMITTER_IDENT'),
  ]);
  return { author: author.trim(), committer: committer.trim() };
}

/** Whether there is a commit. */
export async function hasHead(git: Git): Promise<boolean> {
  try {
    return (await git.run('rev-parse', '--verify', '--quiet', 'HEAD')).trim() !== '';
  } catch (error) {
    // The branch has no commit yet.
    if (/\(exit code 1\)/.test(messageOf(error))) return false;
    throw error;
  }
}

/** A path as `git fast-import` reads it. */
export function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/**
 * Brings the index back to the last commit; where it is there already, it writes nothing. It reads no file of either, for
 * one that was never written whole must not be in the way.
 */
export async function unstage(git: Git, area: WriteArea, skill: string): Promise<void> {
  const from = await trackedIn(git, skill);
  const to = (await hasHead(git)) ? await entriesAt(git, 'HEAD', skill) : new Map<string, Entry>();
  // A link in the place of the skill is none of ours.
  if (!from.has('')) await stage(git, area, skill, { from, to });
}

async function stage(
  git: Git,
  area: WriteArea,
  skill: string,
  { from, to }: { readonly from: Entries; readonly to: Entries },
): Promise<void> {
  const { gone, set } = differences(from, to);
  const lines = [
    ...gone.map(
      (path) => `0 ${'0'.repeat(from.get(path)?.id.length ?? 40)}\t${inRepository(area, skill, path)}\0`,
    ),
    ...set.map(([path, { mode, id }]) => `${mode} ${id}\t${inRepository(area, skill, path)}\0`),
  ];
  if (lines.length > 0)
    await retryOnLock(() => git.feed(Buffer.from(lines.join('')), 'update-index', '-z', '--index-info'));
}

function differences(from: Entries, to: Entries): { gone: string[]; set: [string, Entry][] } {
  return {
    gone: [...from.keys()].filter((path) => !to.has(path)),
    set: [...to].filter(([path, { mode, id }]) => from.get(path)?.id !== id || from.get(path)?.mode !== mode),
  };
}

/** How git names a file from the top of its repository. */
export function inRepository({ prefix }: WriteArea, skill: string, path: string): string {
  return `${prefix}${skill}${path === '' ? '' : `/${path}`}`;
}

const MOST_TRIES = 40;

/** Somebody else's git may hold a lock for a moment; it is waited for and never removed. */
export async function retryOnLock<T>(action: () => Promise<T>): Promise<T> {
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
