import { hearSignals } from '../pause.ts';
import type { CommandContext } from './command.ts';

/** Shows how far long work is, on stderr, and lets a Ctrl-C end it: throws `aborted` then. */
export type Step = (done: number) => Promise<void>;

export function stepsOf({ output, signal }: CommandContext, what: string): Step {
  let shown = -1;
  return async (done) => {
    const percent = Math.floor(done * 100);
    if (percent !== shown) output.progress(`${what}: ${percent} %`);
    shown = percent;
    await hearSignals(signal, what);
  };
}
