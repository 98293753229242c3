import type { Finding } from '../gate/gate.ts';
import type { Output } from './output.ts';
import { inOneLine } from './project-notes.ts';

/** Findings a line each, worst first, with why one was let pass; notes and old ones are left out. Nobody is asked: what the gate would ask refuses. */
export function findingLines(findings: readonly Finding[], { style }: Output): string[] {
  const shown = findings.filter(({ severity, old }) => severity !== 'note' && old === undefined);
  const rank = ({ severity }: Finding) => ['refuse', 'ask', 'warn'].indexOf(severity);
  return [...shown]
    .sort((left, right) => rank(left) - rank(right))
    .map((finding) => {
      const { check, rule, message, file, line, allowed, severity } = finding;
      const place = file === undefined ? '' : ` ${inOneLine(file)}${line === undefined ? '' : `:${line}`}`;
      const mark =
        allowed !== undefined
          ? 'allowed'
          : severity === 'ask'
            ? 'refused unless --allow'
            : severity.padEnd(6);
      return `    ${style(severity === 'warn' ? 'dim' : 'red', mark)} ${check}/${rule}${place}: ${inOneLine(message)}${allowed === undefined ? '' : `; let pass: ${allowed}`}`;
    });
}
