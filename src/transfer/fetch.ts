import { mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { type Git, openGit } from '../history/git.ts';
import { askedAddress, explainFetch } from './fetch-fault.ts';
import type { TransferParts } from './parts.ts';
import { type Source, withoutSecrets } from './source.ts';

/** A source that lies on this disk. */
export interface OpenSource {
  /** Absolute and real. */
  readonly dir: string;
  /** The commit that it is; absent for a folder. */
  readonly commit?: string;
  /** Folders that stand for other repositories and are empty, relative to `dir`. */
  readonly emptySubmodules: readonly string[];
  /** Removes what was fetched; leaves a folder alone. */
  close(): Promise<void>;
}

/** Bounds of one fetch. */
const MOST_BYTES = 1024 * 1024 * 1024;
const MOST_MINUTES = 15;
const WATCH_MILLISECONDS = 500;

/**
 * Nothing is asked, no program of the repository runs, and no protocol but these is spoken, also where a redirect or a
 * setting of the person's says so.
 */
const VARIABLES = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'https:http:ssh:file',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=20',
  GIT_LFS_SKIP_SMUDGE: '1',
};
const SETTINGS = [
  'core.askPass=',
  'fetch.recurseSubmodules=false',
  'submodule.recurse=false',
  'core.symlinks=true',
];
/** Files are what the commit holds, to the byte. */
const ATTRIBUTES = '* -text -eol -filter -ident -working-tree-encoding\n';

type FetchParts = Pick<TransferParts, 'environment' | 'signal' | 'onProgress'>;

/** Opens a source: a folder as it stands, a repository by a shallow fetch into a temporary folder. */
async function openSource(source: Source, parts: FetchParts): Promise<OpenSource> {
  if (source.kind === 'git') return fetchSource(source, parts);
  if (!(await stat(source.dir)).isDirectory())
    throw new KnackError('not-found', `${source.dir} is a file; expected a folder of skills`);
  const dir = await realpath(source.dir);
  const named = await submodulesNamed(dir);
  return { dir, emptySubmodules: await emptyOnes(dir, named), close: () => Promise.resolve() };
}

/** Opens a source, hands it over and removes what was fetched whatever happens. */
export async function withSource<T>(
  source: Source,
  parts: FetchParts,
  action: (open: OpenSource) => Promise<T>,
): Promise<T> {
  const open = await openSource(source, parts);
  try {
    return await action(open);
  } finally {
    await open.close();
  }
}

async function fetchSource(source: Source & { kind: 'git' }, parts: FetchParts): Promise<OpenSource> {
  const dir = await realpath(await makeTemporaryFolder('knack-fetch'));
  const close = () => rm(dir, { recursive: true, force: true });
  const limit = watch(dir);
  let git: Git | undefined;
  try {
    const { environment, onProgress } = parts;
    git = await openGit(dir, environment, {
      remote: {
        variables: { ...environment.network, ...VARIABLES },
        settings: SETTINGS,
        signal: AbortSignal.any([parts.signal, limit.signal]),
        onProgress: (line) => onProgress(`${source.shown}: ${withoutSecrets(line, source)}`),
      },
    });
    await git.run('init', '--quiet', '--template=');
    await mkdir(join(dir, '.git/info'), { recursive: true });
    await writeFile(join(dir, '.git/info/attributes'), ATTRIBUTES);
    const fetch = ['fetch', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
    const wanted = source.ref ?? 'HEAD';
    await git.run(...fetch, '--progress', '--', source.url, `+${wanted}:refs/knack/source`);
    const commit = (await git.run('rev-parse', 'refs/knack/source^{commit}')).trim();
    await git.run('checkout', '--quiet', '--detach', commit);
    const links = await git.run('ls-files', '--stage', '-z');
    const modules = links.split('\0').flatMap((entry) => /^160000 [^\t]*\t(.*)$/s.exec(entry)?.[1] ?? []);
    return { dir, commit, emptySubmodules: await emptyOnes(dir, modules), close };
  } catch (error) {
    const stopped = parts.signal.aborted;
    const asked = git === undefined || stopped ? source.url : await askedAddress(git, source.url);
    await close();
    throw explainFetch(error, source, { asked, limit: limit.reason(), stopped });
  } finally {
    limit.end();
  }
}

/** Ends a fetch that takes too much time or room. */
function watch(dir: string): { signal: AbortSignal; reason(): string | undefined; end(): void } {
  const controller = new AbortController();
  let reason: string | undefined;
  const stop = (why: string) => {
    reason ??= why;
    controller.abort();
  };
  const time = setTimeout(() => stop(`it took more than ${MOST_MINUTES} minutes`), MOST_MINUTES * 60_000);
  const room = setInterval(() => {
    sizeOf(dir).then(
      (bytes) => bytes > MOST_BYTES && stop(`it is larger than ${MOST_BYTES / 1024 ** 2} MiB`),
      // Files come and go while git writes; the next look sees them.
      () => undefined,
    );
  }, WATCH_MILLISECONDS);
  const end = () => {
    clearTimeout(time);
    clearInterval(room);
  };
  return { signal: controller.signal, reason: () => reason, end };
}

async function sizeOf(dir: string): Promise<number> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true });
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

/** The paths that a `.gitmodules` names. */
async function submodulesNamed(dir: string): Promise<string[]> {
  try {
    const text = await readOwnFile(join(dir, '.gitmodules'));
    return [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].flatMap(([, path = '']) =>
      path.startsWith('/') || path.split('/').includes('..') ? [] : [path],
    );
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'EISDIR')) return [];
    throw new KnackError('io', `cannot look into the source ${dir}: ${messageOf(error)}`, { cause: error });
  }
}

async function emptyOnes(dir: string, paths: readonly string[]): Promise<string[]> {
  const empty: string[] = [];
  for (const path of paths) {
    const entries = await readdir(join(dir, path)).catch((error: unknown) => {
      if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return [];
      throw error;
    });
    if (entries.length === 0) empty.push(path);
  }
  return empty;
}
