import type { GateResult } from '../gate/gate.ts';
import type { PendingView } from '../review/pending.ts';
import { renderGate } from './commands/gate.ts';
import type { Output } from './output.ts';
import { inOneLine } from './project-notes.ts';

/** The two commands that answer a change, a line each. */
export function howToDecide(id: string): string[] {
  return [`  knack skills approve ${id}`, `  knack skills reject ${id} --why "…"`];
}

/** A change that waits, with all that a person decides by; of one that was answered, how and why. */
export function describeChange(
  { entry, diff, evidence }: PendingView,
  review: { readonly dir: string; readonly gate: GateResult | undefined },
  output: Output,
): string {
  const [why = 'no reason was kept', ...vetoes] = entry.why;
  const findings = review.gate === undefined ? vetoes.map((veto) => `  ${inOneLine(veto)}`) : [];
  const gate = review.gate === undefined ? `verdict: ${entry.verdict}` : renderGate(review.gate, output);
  return [
    `${output.style('bold', entry.id)}  ${entry.decision} ${entry.skill}  ${entry.state}  ${entry.created}`,
    inOneLine(entry.summary),
    '',
    ...decided(entry),
    ...(entry.state === 'stale'
      ? [`stale: ${entry.skill} changed since this was drafted; approval applies it to what is there now`]
      : []),
    `why it waits: ${inOneLine(why)}`,
    `lesson: ${inOneLine(entry.lesson)}`,
    ...evidence.map(
      ({ session, event, quote }) =>
        `taught by ${inOneLine(`${session} ${event}`)}: “${inOneLine(quote.replace(/\s+/g, ' ').trim())}”`,
    ),
    'the gate:',
    ...findings,
    gate,
    `all of the review: ${review.dir}`,
    ...(entry.state === 'waiting' || entry.state === 'stale'
      ? ['', diff, 'To answer:', ...howToDecide(entry.id)]
      : []),
  ].join('\n');
}

function decided({ state, answer, skill, version, sha }: PendingView['entry']): string[] {
  switch (state) {
    case 'approved':
      return [
        `approved: committed as ${skill} ${version} (${sha?.slice(0, 10)}); \`knack skills show ${skill}@${version}\` shows it`,
      ];
    case 'rejected':
      return [`rejected: ${answer === undefined ? 'no reason was given' : inOneLine(answer)}`];
    case 'waiting':
    case 'stale':
      return [];
  }
}
