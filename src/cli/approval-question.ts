import { createInterface, type Interface } from 'node:readline/promises';
import { hasSystemCode } from '../errors.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../tool/approval.ts';
import { type Output, shownWhole } from './output.ts';

const ANSWERS = new Map<string, ApprovalAnswer>([
  ['y', 'once'],
  ['yes', 'once'],
  ['a', 'always'],
  ['always', 'always'],
  ['n', 'no'],
  ['no', 'no'],
]);

/**
 * Asks a person about a call until the answer is one of those that count; the end of the input is a no. What the call
 * would do stands above the question, behind a bar in each line, so that it cannot pass for the question.
 */
export async function askApproval(
  lines: Interface,
  { tool, subject, signal }: ApprovalRequest,
  output: Output,
): Promise<ApprovalAnswer> {
  output.print(`${output.style('bold', tool)} wants to run${subject === '' ? '' : ':'}`);
  for (const line of subject === '' ? [] : shownWhole(subject).split('\n')) output.print(`  │ ${line}`);
  let close = () => {};
  const closed = new Promise<string>((done) => {
    close = () => done('no');
    lines.once('close', close);
  });
  try {
    for (let question = 'Allow it?'; ; question = 'Please answer y, a or n.') {
      const given = lines.question(`${question} [y]es, [a]lways, [n]o `, { signal });
      const answer = ANSWERS.get((await Promise.race([given, closed])).trim().toLowerCase());
      if (answer !== undefined) return answer;
    }
  } catch (error) {
    // The input had ended before.
    if (hasSystemCode(error, 'ERR_USE_AFTER_CLOSE')) return 'no';
    throw error;
  } finally {
    lines.off('close', close);
  }
}

/** Asks on the terminal, which is read only as long as the question stands. */
export async function askOnTerminal(request: ApprovalRequest, output: Output): Promise<ApprovalAnswer> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: true });
  // While the terminal is read key by key, Ctrl-C is a key and no signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await askApproval(lines, request, output);
  } finally {
    lines.close();
  }
}

/** Says which flag would have allowed the call, where nobody can be asked. */
export function tellFlag({ tool, subject, pattern }: ApprovalRequest, output: Output): ApprovalAnswer {
  const remedy =
    shownWhole(pattern) === pattern
      ? `to allow it, give --allow ${quoted(pattern)}`
      : `it holds characters that do not show: ${shownWhole(subject)}`;
  output.note(`${tool} needs approval and nobody can be asked here; ${remedy}`);
  return 'nobody';
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
