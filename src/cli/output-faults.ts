import { hasSystemCode, messageOf } from '../errors.ts';

/** What became of stdout and stderr while a command ran. */
export interface BrokenOutput {
  isBroken(): boolean;
  /** Waits until everything is written; the exit code of an output that broke, undefined if it is whole. */
  exitCode(): Promise<number | undefined>;
}

/** As shells count a process that SIGPIPE ended. */
const NOBODY_READS = 141;

/**
 * Watches stdout and stderr. A reader that went away (`| head -1`) ends the command quietly; anything else, such as a
 * full disk, is a fault with a line of its own. `onBreak` is called once.
 */
export function watchOutput(onBreak: () => void): BrokenOutput {
  let code: number | undefined;
  for (const [stream, other] of [
    [process.stdout, process.stderr],
    [process.stderr, undefined],
  ] as const)
    stream.on('error', (error: unknown) => {
      if (code !== undefined) return;
      code = hasSystemCode(error, 'EPIPE') ? NOBODY_READS : 1;
      if (code === 1) other?.write(`knack: cannot write the output: ${messageOf(error)}\n`);
      onBreak();
    });
  return {
    isBroken: () => code !== undefined,
    async exitCode() {
      for (const stream of [process.stdout, process.stderr])
        if (!stream.destroyed) await new Promise<void>((done) => stream.write('', () => done()));
      return code;
    },
  };
}
