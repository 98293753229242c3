import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { type SimpleGit, type SimpleGitProgressEvent, simpleGit } from 'simple-git';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';

/** Git in one folder: the output of each command as text. Throws `git-missing` and `git-failed`. */
export interface Git {
  run(...args: readonly string[]): Promise<string>;
  /** The bytes of these blobs in their order, read by one process. */
  blobs(ids: readonly string[]): Promise<Uint8Array[]>;
  /** A command that reads this input; the bytes that it answers with. */
  feed(input: Uint8Array, ...args: readonly string[]): Promise<Uint8Array>;
}

/** For commands that reach other repositories. */
export interface RemoteUse {
  /** Beside those that every command gets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Settings of git, such as `fetch.fsckObjects=true`. */
  readonly settings: readonly string[];
  readonly signal: AbortSignal;
  /** A line that says how far git is. */
  readonly onProgress: (line: string) => void;
}

/** What keeps a repository's own settings from running programs, prompting or rewriting what we commit. */
const SAFE = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'commit.gpgSign=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  // A commit holds the bytes that were decided on, on every machine: attributes count where the repository brings them.
  'core.attributesFile=/dev/null',
  'core.quotePath=false',
  'gc.auto=0',
  'maintenance.auto=false',
  // A diff reads the same for everybody, and a file that orders it need not exist.
  'diff.orderFile=/dev/null',
  'diff.noprefix=false',
  'diff.mnemonicPrefix=false',
  'diff.srcPrefix=a/',
  'diff.dstPrefix=b/',
  'diff.context=3',
  'diff.interHunkContext=0',
  'diff.algorithm=myers',
  'diff.indentHeuristic=true',
  'diff.renames=true',
  'diff.renameLimit=1000',
  'diff.suppressBlankEmpty=false',
  'diff.relative=false',
  'diff.submodule=short',
  'core.abbrev=auto',
  'core.bigFileThreshold=512m',
  // A log tells of every commit by the files that it touched.
  'log.showRoot=true',
  'log.follow=false',
  // Messages are written and read in UTF-8, whatever the person reads theirs in.
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
];

/** Set where the user has no identity of their own, so that a commit never fails for the want of one. */
const IDENTITY = ['user.name=knack', 'user.email=knack@localhost'];

/**
 * Opens git in a folder that exists. The environment is ours: no inherited `GIT_*` can redirect a command, no hook and
 * no signature prompt can run. Paths are taken literally. With `above` the repository may lie further up.
 */
export async function openGit(
  dir: string,
  environment: { readonly path: string; readonly home: string },
  { remote, above = false }: { readonly remote?: RemoteUse; readonly above?: boolean } = {},
): Promise<Git> {
  const variables = {
    PATH: environment.path,
    HOME: environment.home,
    LC_ALL: 'C',
    LANG: 'C',
    // A repository that git cannot make sense of is an error: it never turns to one further up.
    ...(above ? {} : { GIT_CEILING_DIRECTORIES: dirname(dir) }),
    GIT_ATTR_NOSYSTEM: '1',
    // Reading takes no lock of the index from somebody who writes.
    GIT_OPTIONAL_LOCKS: '0',
    ...remote?.variables,
  };
  const start = (config: readonly string[]): SimpleGit =>
    simpleGit({
      baseDir: dir,
      config: [...SAFE, ...(remote?.settings ?? []), ...config],
      unsafe: {
        allowUnsafeHooksPath: true,
        allowUnsafeFsMonitor: true,
        allowUnsafeTemplateDir: true,
        // What asks for a password is switched off by them.
        allowUnsafeAskPass: remote !== undefined,
        allowUnsafeSshCommand: remote !== undefined,
      } as Record<string, boolean>,
      allowEnvironment: Object.keys(variables).filter((name) => name.startsWith('GIT_')),
      maxConcurrentProcesses: 4,
      ...(remote === undefined
        ? {}
        : {
            abort: remote.signal,
            progress: ({ stage, progress, processed, total }: SimpleGitProgressEvent) =>
              remote.onProgress(`${stage} ${progress} % (${processed} of ${total})`),
          }),
      // What it was to print, such as a hash, is no word about a fault. Also without one, as when git was killed.
      errors: (error, { exitCode, stdErr, stdOut }) => {
        if (exitCode === 0) return error;
        if (stdErr.length > 0) return Buffer.concat(stdErr);
        return error ?? Buffer.concat([...stdOut, Buffer.from(`(exit code ${exitCode ?? 'none'})`)]);
      },
    }).env(variables);
  const run = async (git: SimpleGit, args: readonly string[]): Promise<string> => {
    try {
      return await git.raw(['--literal-pathspecs', ...args]);
    } catch (error) {
      if (remote?.signal.aborted)
        throw new KnackError('aborted', `git ${args[0]} was stopped`, { cause: error });
      throw explain(error, args, dir);
    }
  };
  const plain = start([]);
  const identified = await run(plain, ['var', 'GIT_COMMITTER_IDENT']).then(
    () => true,
    (error: unknown) => {
      if (error instanceof KnackError && error.code === 'git-missing') throw error;
      return false;
    },
  );
  const fed = [...SAFE, ...(remote?.settings ?? [])].flatMap((setting) => ['-c', setting]);
  const named = identified && (await run(plain, ['config', '--default', '', 'user.email'])).trim() !== '';
  const git = named ? plain : start(IDENTITY);
  return {
    async run(...args) {
      try {
        return await run(git, args);
      } catch (error) {
        // `blame.ignoreRevsFile` adds up and is opened before an empty value takes it back: read without it.
        if (args[0] !== 'blame' || !/could not open object name list/.test(messageOf(error))) throw error;
        const alone = { ...variables, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
        return (await feed([...fed, '--literal-pathspecs', ...args], '', dir, alone)).toString();
      }
    },
    async blobs(ids) {
      if (ids.length === 0) return [];
      try {
        return readBatch(await feed(['cat-file', '--batch'], `${ids.join('\n')}\n`, dir, variables), ids);
      } catch (error) {
        throw explain(error, ['cat-file'], dir);
      }
    },
    async feed(input, ...args) {
      try {
        return await feed([...fed, '--literal-pathspecs', ...args], input, dir, variables);
      } catch (error) {
        throw explain(error, args, dir);
      }
    },
  };
}

/** What git answers to this input, which simple-git cannot give it. */
function feed(
  args: readonly string[],
  input: string | Uint8Array,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd, env });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    // A git that ends early is told of by its exit code.
    child.stdin.on('error', () => undefined);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(output));
      else reject(new Error(`${Buffer.concat(errors).toString()}(exit code ${code ?? 'none'})`));
    });
    child.stdin.end(input);
  });
}

/** The contents out of `ID blob SIZE`, a line, the bytes and a line end, again and again. */
function readBatch(output: Buffer, ids: readonly string[]): Uint8Array[] {
  let at = 0;
  return ids.map((id) => {
    const end = output.indexOf(10, at);
    const head = output.toString('latin1', at, end);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(head)?.[1];
    if (end < 0 || size === undefined) throw new Error(head === '' ? `no answer about ${id}` : head);
    at = end + 1 + Number(size) + 1;
    return new Uint8Array(output.subarray(end + 1, at - 1));
  });
}

/** What git says of a folder that it cannot write in, and what to do about it. */
const REMEDIES: Readonly<Record<string, string>> = {
  'No space left on device': 'free some space and run it again',
  'Out of diskspace': 'free some space and run it again',
  'Disk quota exceeded': 'free some space and run it again',
  "couldn't write": 'see whether the disk is full or read-only',
  'Read-only file system': 'make it writable and run it again',
  'Permission denied': 'ask its owner for access',
};

function explain(error: unknown, args: readonly string[], dir: string): KnackError {
  const words = messageOf(error)
    .trim()
    .split(/\s*\n\s*/)
    .join('; ');
  if (hasSystemCode(error, 'ENOENT') || /spawn git ENOENT/.test(words)) {
    return new KnackError(
      'git-missing',
      'git is not installed or not on the PATH; install it (Debian: apt-get install git). The library can be read without it, but nothing is learned or taken back',
      { cause: error },
    );
  }
  const remedy = Object.entries(REMEDIES).find(([fault]) => words.includes(fault))?.[1];
  if (remedy !== undefined)
    return new KnackError('io', `git cannot write in ${dir}: ${words}; ${remedy}`, { cause: error });
  const command = args.find((word, at) => !word.startsWith('-') && args[at - 1] !== '-c');
  return new KnackError('git-failed', `git ${command} failed in ${dir}: ${words}`, { cause: error });
}
