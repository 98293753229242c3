import { createInterface } from 'node:readline/promises';

/** Asks on the terminal until the answer is yes or no; the end of the input is a no. */
export async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: true });
  // While the terminal is read key by key, Ctrl-C is a key and no signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<string>((done) => {
    lines.once('close', () => done('no'));
  });
  try {
    for (let words = question; ; words = 'Please answer y or n.') {
      const given = lines.question(`${words} [y]es, [n]o `);
      const answer = (await Promise.race([given, closed])).trim().toLowerCase();
      if (['y', 'yes'].includes(answer)) return true;
      if (['n', 'no'].includes(answer)) return false;
    }
  } finally {
    lines.close();
  }
}
