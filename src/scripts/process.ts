import { spawn } from 'node:child_process';
import { hasSystemCode, KnackError } from '../errors.ts';

export interface ProcessCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin?: string;
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
}

export interface ProcessOutcome {
  /** Absent when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** More was written than is kept. */
  readonly truncated: boolean;
}

const KEPT_BYTES = 256 * 1024;
/** A program that writes this many times what is kept is ended. */
const FLOOD = 64;
/** How long what a program leaves behind may write on after its end; then it is ended, and then no longer listened to. */
const AFTER_MS = 250;

/**
 * Runs one program to its end in a process group of its own, so that nothing it started outlives it: what it leaves
 * running is ended shortly after it. A program that fails resolves with its exit code; one that cannot be started
 * rejects with `not-found` or `io`, an abort with `aborted`.
 */
export function runProcess(options: ProcessCommand): Promise<ProcessOutcome> {
  const [program, ...args] = options.command;
  if (program === undefined) return Promise.reject(new KnackError('usage', 'no program to run'));
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted) return reject(new KnackError('aborted', 'stopped before it began'));
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let timedOut = false;
    // The whole group, also when the program itself has ended: a child of it may live and hold the pipes.
    const end = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        if (!hasSystemCode(error, 'ESRCH')) throw error;
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, options.timeoutSeconds * 1000);
    options.signal?.addEventListener('abort', end);
    const stdout = collect(child.stdout, end);
    const stderr = collect(child.stderr, end);
    // A program that does not read its input closes the pipe; that is its right.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
    let after: NodeJS.Timeout | undefined;
    child.on('exit', () => {
      clearTimeout(timer);
      after = setTimeout(() => {
        end();
        // One that left the group lives on. In between, what is still in the pipes is read.
        after = setTimeout(() => {
          child.stdout.destroy();
          child.stderr.destroy();
        }, AFTER_MS);
      }, AFTER_MS);
    });
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(after);
      options.signal?.removeEventListener('abort', end);
    };
    child.on('error', (error) => {
      settle();
      const missing = hasSystemCode(error, 'ENOENT');
      reject(
        new KnackError(missing ? 'not-found' : 'io', `cannot start ${program}: ${error.message}`, {
          cause: error,
        }),
      );
    });
    child.on('close', (code) => {
      settle();
      if (options.signal?.aborted) return reject(new KnackError('aborted', `${program} was stopped`));
      resolve({
        exitCode: code ?? undefined,
        stdout: stdout.text(),
        stderr: stderr.text(),
        timedOut,
        truncated: stdout.truncated() || stderr.truncated(),
      });
    });
  });
}

function collect(
  stream: NodeJS.ReadableStream,
  flooded: () => void,
): { text(): string; truncated(): boolean } {
  const chunks: Buffer[] = [];
  let kept = 0;
  let seen = 0;
  stream.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (kept < KEPT_BYTES) chunks.push(chunk.subarray(0, KEPT_BYTES - kept));
    kept = Math.min(KEPT_BYTES, seen);
    if (seen > KEPT_BYTES * FLOOD) flooded();
  });
  return { text: () => new TextDecoder().decode(Buffer.concat(chunks)), truncated: () => seen > KEPT_BYTES };
}
