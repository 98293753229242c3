import { dirname } from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';

/** Git in one folder: the output of each command as text. Throws `git-missing` and `git-failed`. */
export interface Git {
  run(...args: readonly string[]): Promise<string>;
  /** The bytes of one blob. */
  blob(id: string): Promise<Uint8Array>;
}

/** What keeps a repository's own settings from running programs, prompting or rewriting what we commit. */
const SAFE = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'commit.gpgSign=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.quotePath=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

/** Set where the user has no identity of their own, so that a commit never fails for the want of one. */
const IDENTITY = ['user.name=knack', 'user.email=knack@localhost'];

/**
 * Opens git in a folder that exists. The environment is ours: no inherited `GIT_*` can redirect a command, no hook and
 * no signature prompt can run. Paths are taken literally.
 */
export async function openGit(
  dir: string,
  environment: { readonly path: string; readonly home: string },
): Promise<Git> {
  const start = (config: readonly string[]): SimpleGit =>
    simpleGit({
      baseDir: dir,
      config: [...SAFE, ...config],
      unsafe: {
        allowUnsafeHooksPath: true,
        allowUnsafeFsMonitor: true,
        allowUnsafeTemplateDir: true,
      } as Record<string, boolean>,
      allowEnvironment: ['GIT_CEILING_DIRECTORIES', 'GIT_OPTIONAL_LOCKS'],
      maxConcurrentProcesses: 4,
      // Also without a word on stderr, as when git was killed.
      errors: (error, { exitCode, stdErr, stdOut }) =>
        error ??
        (exitCode === 0
          ? undefined
          : Buffer.concat([...stdErr, ...stdOut, Buffer.from(`(exit code ${exitCode ?? 'none'})`)])),
    }).env({
      PATH: environment.path,
      HOME: environment.home,
      LC_ALL: 'C',
      LANG: 'C',
      // A repository that git cannot make sense of is an error: it never turns to one further up.
      GIT_CEILING_DIRECTORIES: dirname(dir),
      // Reading takes no lock of the index from somebody who writes.
      GIT_OPTIONAL_LOCKS: '0',
    });
  const run = async (git: SimpleGit, args: readonly string[]): Promise<string> => {
    try {
      return await git.raw(['--literal-pathspecs', ...args]);
    } catch (error) {
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
  const named = identified && (await run(plain, ['config', '--default', '', 'user.email'])).trim() !== '';
  const git = named ? plain : start(IDENTITY);
  return {
    run: (...args) => run(git, args),
    async blob(id) {
      try {
        return new Uint8Array(await git.binaryCatFile(['blob', id]));
      } catch (error) {
        throw explain(error, ['cat-file', 'blob', id], dir);
      }
    },
  };
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
  const words = messageOf(error).trim();
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
  return new KnackError('git-failed', `git ${args[0]} failed in ${dir}: ${words}`, { cause: error });
}
