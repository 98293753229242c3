import { createInterface } from 'node:readline/promises';

/** Asks on the terminal; everything but a yes is a no, the end of the input too. */
export async function askYesNo(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: true });
  // While the terminal is read key by key, Ctrl-C is a key and no signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const ended = new Promise<string>((done) => void lines.once('close', () => done('')));
    const answer = await Promise.race([lines.question(`${question} [y]es, [n]o `, { signal }), ended]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
