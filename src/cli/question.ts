import { createInterface, type Interface } from 'node:readline/promises';
import { hasSystemCode, KnackError } from '../errors.ts';
import type { Output } from './output.ts';

/** A question with a few answers. */
export interface Question<Answer> {
  readonly words: string;
  /** The answers as they are shown, such as `[y]es, [n]o`. */
  readonly choices: string;
  /** Asked in place of the words after anything that is no answer. */
  readonly again: string;
  /** By what is typed, in lower case. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** The answer of an input that ends, as Ctrl-D ends it. */
  readonly atEnd: Answer;
  /** What a stop leaves behind, such as `nothing was changed`. */
  readonly unanswered: string;
}

/** Where a question is put, and what stops it. */
export interface Asking {
  readonly output: Output;
  readonly signal: AbortSignal;
}

const YES_NO = new Map([
  ['y', true],
  ['yes', true],
  ['n', false],
  ['no', false],
]);

/** Asks until the answer is yes or no; the end of the input is a no. Throws `aborted` with `unanswered` on Ctrl-C. */
export async function askYesNo(words: string, unanswered: string, asking: Asking): Promise<boolean> {
  const question = { words, choices: '[y]es, [n]o', again: 'Please answer y or n.', answers: YES_NO };
  return withTerminal((lines) => ask(lines, { ...question, atEnd: false, unanswered }, asking));
}

/**
 * Asks until the answer is one of those that count. Throws `aborted` once the signal is aborted, in a line of its own
 * below the question.
 */
export async function ask<Answer>(
  lines: Interface,
  { words, choices, again, answers, atEnd, unanswered }: Question<Answer>,
  { output, signal }: Asking,
): Promise<Answer> {
  let close = () => {};
  const closed = new Promise<undefined>((done) => {
    close = () => done(undefined);
    lines.once('close', close);
  });
  try {
    for (let shown = words; ; shown = again) {
      const typed = await Promise.race([lines.question(`${shown} ${choices} `, { signal }), closed]);
      if (typed === undefined) {
        output.print();
        return atEnd;
      }
      const answer = answers.get(typed.trim().toLowerCase());
      if (answer !== undefined) return answer;
    }
  } catch (error) {
    // The input had ended before.
    if (hasSystemCode(error, 'ERR_USE_AFTER_CLOSE')) return atEnd;
    if (!signal.aborted) throw error;
    // The line of the question is ended already.
    throw new KnackError('aborted', `stopped; ${unanswered}`, { cause: error });
  } finally {
    lines.off('close', close);
  }
}

/** The lines of the terminal, which is read only as long as the function runs. */
export async function withTerminal<Value>(use: (lines: Interface) => Promise<Value>): Promise<Value> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: true });
  // While the terminal is read key by key, Ctrl-C is a key and no signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await use(lines);
  } finally {
    lines.close();
  }
}
