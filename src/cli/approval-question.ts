import type { Interface } from 'node:readline/promises';
import type { ApprovalAnswer, ApprovalRequest } from '../tool/approval.ts';
import { type Output, shownWhole } from './output.ts';
import { ask, withTerminal } from './question.ts';

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
  const question = {
    words: 'Allow it?',
    choices: '[y]es, [a]lways, [n]o',
    again: 'Please answer y, a or n.',
    answers: ANSWERS,
    atEnd: 'no' as const,
    unanswered: `${tool} was not run`,
  };
  return ask(lines, question, { output, signal });
}

/** Asks on the terminal, which is read only as long as the question stands. */
export async function askOnTerminal(request: ApprovalRequest, output: Output): Promise<ApprovalAnswer> {
  return withTerminal((lines) => askApproval(lines, request, output));
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
