import { chmod, lstat, mkdir, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { hasSystemCode, KnackError } from '../errors.ts';
import { isContainedPath } from '../files/folder.ts';
import { type Git, openGit } from './git.ts';

/** The last commit of a repository from before a moment. */
export interface EarlierCommit {
  readonly git: Git;
  readonly commit: string;
  /** The top folder of the repository, absolute. */
  readonly top: string;
  /** Where the folder that was asked for lies in it; empty for the top. */
  readonly inside: string;
}

const MOST_FILES = 20_000;
const MOST_BYTES = 256 * 1024 * 1024;
/** Bytes of files that are read at once. */
const BATCH = 16 * 1024 * 1024;
const LINK = '120000';

/**
 * What the history of HEAD held when `moment` (ISO 8601) came, for a folder in a repository of this machine. Reads
 * alone: no file, index or reference of the repository changes. Throws `not-found` where there is no such folder,
 * repository or commit, `git-missing` and `git-failed`.
 */
export async function commitBefore(
  folder: string,
  moment: string,
  environment: { readonly path: string; readonly home: string },
): Promise<EarlierCommit> {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) throw new KnackError('not-found', `${JSON.stringify(moment)} is no time`);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      if (hasSystemCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')) return false;
      throw error;
    },
  );
  if (!isFolder) throw new KnackError('not-found', `the folder ${folder} is not on this machine`);
  const git = await openGit(await realpath(folder), environment, { above: true });
  const places = await git
    .run('rev-parse', '--is-inside-work-tree', '--show-toplevel', '--show-prefix')
    .catch((error: unknown) => {
      if (!(error instanceof KnackError) || error.code !== 'git-failed') throw error;
      throw new KnackError('not-found', `${folder} is in no git repository`, { cause: error });
    });
  const [, top = '', prefix = ''] = places.split('\n');
  // Git counts whole seconds; of one made in the same second nobody knows.
  const before = new Date((Math.ceil(time / 1000) - 1) * 1000).toISOString().replace('.000', '');
  const commit = (
    await git.run('rev-list', '-1', `--before=${before}`, 'HEAD').catch((error: unknown) => {
      // A repository without a commit has no HEAD.
      if (error instanceof KnackError && error.code === 'git-failed') return '';
      throw error;
    })
  ).trim();
  if (commit === '') throw new KnackError('not-found', `${folder} has no commit from before ${moment}`);
  return { git, commit, top, inside: prefix.replace(/\/$/, '') };
}

/**
 * Writes the files of a commit as they were committed, by reading its blobs: no filter, hook or attribute of the
 * repository has a say. Links are made only where they stay within. What lies in other repositories is left out.
 * `target` must not exist. Throws `refused` beyond 20,000 files or 256 MiB and for a path that leads out.
 */
export async function copyCommit({ git, commit }: EarlierCommit, target: string): Promise<void> {
  const listing = await git.run('ls-tree', '-r', '-z', '-l', '--full-tree', commit);
  const entries = listing.split('\0').flatMap((line) => {
    const [, mode = '', kind, id = '', size, path = ''] =
      /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
    return kind === 'blob' ? [{ mode, id, size: Number(size), path }] : [];
  });
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  if (entries.length > MOST_FILES || bytes > MOST_BYTES)
    throw new KnackError(
      'refused',
      `the commit ${commit.slice(0, 10)} has ${entries.length} files of ${bytes} bytes; at most ${MOST_FILES} files of ${MOST_BYTES} bytes are copied`,
    );
  const linked = new Set(entries.flatMap(({ mode, path }) => (mode === LINK ? [path] : [])));
  // A tree made by hand may hold a file below a link.
  const isBelowLink = (path: string) =>
    path.split('/').some((_, at, all) => at > 0 && linked.has(all.slice(0, at).join('/')));
  const stray = entries.find(({ path }) => !isContainedPath(path) || isBelowLink(path));
  if (stray !== undefined)
    throw new KnackError('refused', `${JSON.stringify(stray.path)} is no path within a folder`);
  await mkdir(target);
  const links: [path: string, to: string][] = [];
  for (const part of batchesOf(entries)) {
    const contents = await git.blobs(part.map(({ id }) => id));
    for (const [index, { mode, path }] of part.entries()) {
      const content = contents[index] ?? new Uint8Array();
      if (mode === LINK) {
        links.push([path, Buffer.from(content).toString()]);
        continue;
      }
      await mkdir(dirname(join(target, path)), { recursive: true });
      await writeFile(join(target, path), content, { flag: 'wx', mode: mode === '100755' ? 0o755 : 0o644 });
    }
  }
  // After all files, so that none is written through a link.
  for (const [path, to] of links) {
    const leadsTo = posix.join(posix.dirname(path), to);
    if (posix.isAbsolute(to) || leadsTo === '..' || leadsTo.startsWith('../')) continue;
    await mkdir(dirname(join(target, path)), { recursive: true });
    await symlink(to, join(target, path));
  }
}

function batchesOf<Entry extends { readonly size: number }>(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  let left = 0;
  for (const entry of entries) {
    left -= entry.size;
    if (left < 0 || batches.length === 0) {
      batches.push([]);
      left = BATCH - entry.size;
    }
    batches.at(-1)?.push(entry);
  }
  return batches;
}

/** Removes a folder in which a program worked, also what the program made unreadable. */
export async function removeCopy(dir: string): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true });
  } catch (error) {
    if (!hasSystemCode(error, 'EACCES', 'EPERM')) throw error;
    await openFolders(dir);
    await rm(dir, { recursive: true, force: true });
  }
}

async function openFolders(dir: string): Promise<void> {
  if (!(await lstat(dir)).isDirectory()) return;
  await chmod(dir, 0o700);
  for (const name of await readdir(dir)) await openFolders(join(dir, name));
}
