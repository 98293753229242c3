import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { KnackError } from '../errors.ts';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { type ProcessOutcome, runProcess } from './process.ts';

/** `unsandboxed` only ever by the user's own word. */
export type SandboxMode = 'bubblewrap' | 'unsandboxed';

export type SandboxAvailability =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: string; readonly remedy: string };

export interface SandboxCommand {
  /** Program and arguments; looked up on the sandbox's path. */
  readonly command: readonly string[];
  /** Absolute; a fresh empty folder unless given. A given one is writable only if it stands in `writable`. */
  readonly cwd?: string;
  readonly stdin?: string;
  /** Absolute folders that the command may read, each at its own path. */
  readonly readable?: readonly string[];
  /** Absolute folders that the command may write, each at its own path. */
  readonly writable?: readonly string[];
  /** At most 120. */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

/**
 * Runs programs apart from the rest of the machine: no network, no home folders, a scrubbed environment, caps on
 * time (at most 120 s), output (256 KiB kept), file size and processes. Memory is not capped.
 */
export interface Sandbox {
  readonly mode: SandboxMode;
  /** Rejects with `sandbox-missing` where it cannot run, with `aborted` on the signal; a failing program resolves. */
  run(command: SandboxCommand): Promise<ProcessOutcome>;
}

export interface SandboxOptions {
  readonly mode: SandboxMode;
  /** `PATH` for finding programs. */
  readonly path: string;
  /** Seconds, where the command does not say. */
  readonly timeoutSeconds: number;
}

const LONGEST_SECONDS = 120;
const REMEDY =
  'Install bubblewrap (Debian: apt-get install bubblewrap), or give --unsandboxed to run without, with your own rights.';
const nodeDir = dirname(process.execPath);

/** Whether bubblewrap is there and works on this machine; the answer comes from running it once. */
export async function detectSandbox(path: string): Promise<SandboxAvailability> {
  for (const program of ['bwrap', 'prlimit']) {
    if (!path.split(delimiter).some((dir) => existsSync(join(dir, program)))) {
      return { ok: false, why: `${program} is not installed, so scripts do not run`, remedy: REMEDY };
    }
  }
  const probe = await runProcess({
    command: bubblewrap({ command: ['true'] }, '/'),
    env: { PATH: path },
    cwd: '/',
    timeoutSeconds: 10,
  });
  if (probe.exitCode === 0) return { ok: true };
  return {
    ok: false,
    why: `bubblewrap does not work on this machine: ${probe.stderr.trim()}`,
    remedy: REMEDY,
  };
}

export function createSandbox(options: SandboxOptions): Sandbox {
  let availability: Promise<SandboxAvailability> | undefined;
  const requireSandbox = async () => {
    availability ??= detectSandbox(options.path);
    const found = await availability;
    if (!found.ok) throw new KnackError('sandbox-missing', `${found.why}. ${found.remedy}`);
  };
  return {
    mode: options.mode,
    async run(command) {
      if (options.mode === 'bubblewrap') await requireSandbox();
      const work = command.cwd ?? (await makeTemporaryFolder('knack-work'));
      try {
        const inside = {
          ...command,
          cwd: work,
          writable:
            command.cwd === undefined ? [work, ...(command.writable ?? [])] : (command.writable ?? []),
        };
        return await runProcess({
          command: options.mode === 'bubblewrap' ? bubblewrap(inside, work) : command.command,
          env: options.mode === 'bubblewrap' ? { PATH: options.path } : environmentOf(options.path),
          cwd: work,
          timeoutSeconds: Math.min(command.timeoutSeconds ?? options.timeoutSeconds, LONGEST_SECONDS),
          ...(command.stdin === undefined ? {} : { stdin: command.stdin }),
          ...(command.signal === undefined ? {} : { signal: command.signal }),
        });
      } finally {
        if (command.cwd === undefined) await rm(work, { recursive: true, force: true });
      }
    },
  };
}

function environmentOf(path: string): Record<string, string> {
  return { PATH: path, HOME: '/tmp', LANG: 'C.UTF-8', TMPDIR: '/tmp' };
}

/** The bubblewrap command line; limits are set inside, where processes are counted for the sandbox alone. */
function bubblewrap(command: SandboxCommand, cwd: string): string[] {
  const environment = environmentOf(
    [...new Set([nodeDir, '/usr/local/bin', '/usr/bin', '/bin'])].join(delimiter),
  );
  return [
    'bwrap',
    ...[
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-cgroup-try',
      '--unshare-net',
    ],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...['--ro-bind', '/usr', '/usr', ...topLevel()],
    ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/localtime', '/etc/passwd'].flatMap((file) => [
      '--ro-bind-try',
      file,
      file,
    ]),
    ...['--proc', '/proc', '--dev', '/dev', '--size', '67108864', '--tmpfs', '/tmp'],
    // Node where it is installed outside /usr, with the libraries beside it.
    ...(nodeDir.startsWith('/usr/') ? [] : ['--ro-bind', dirname(nodeDir), dirname(nodeDir)]),
    ...(command.readable ?? []).flatMap((dir) => ['--ro-bind', dir, dir]),
    ...(command.writable ?? []).flatMap((dir) => ['--bind', dir, dir]),
    ...Object.entries(environment).flatMap(([key, value]) => ['--setenv', key, value]),
    ...['--chdir', cwd, '--'],
    ...['prlimit', '--nproc=256', '--fsize=104857600', '--nofile=256', '--core=0', '--', ...command.command],
  ];
}

/** `/bin`, `/lib` and their kin: links into `/usr` on most systems, folders of their own on others. */
function topLevel(): string[] {
  return ['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap((path) => {
    if (!existsSync(path)) return [];
    return lstatSync(path).isSymbolicLink()
      ? ['--symlink', readlinkSync(path), path]
      : ['--ro-bind', path, path];
  });
}
