import type { Draft, DraftOperation } from '../gate/draft.ts';
import type { Output } from './output.ts';
import { inOneLine } from './project-notes.ts';

/** A draft for a person: each operation with what it takes away and brings, then the queries that it names. */
export function describeDraft(draft: Draft, attempt: number, output: Output): string {
  const retires = draft.retires === undefined ? '' : `, retires ${draft.retires}`;
  return [
    output.style('bold', `  draft ${attempt}: ${draft.decision} ${draft.skill ?? ''}${retires}`),
    ...draft.operations.flatMap((operation) =>
      describeOperation(operation, output).map((line) => `    ${line}`),
    ),
    ...draft.triggers.map(
      ({ query, should_trigger }) =>
        `    ${should_trigger ? 'should' : 'should not'} bring it up: “${inOneLine(query)}”`,
    ),
  ].join('\n');
}

function describeOperation({ op, file, anchor = '', text = '' }: DraftOperation, output: Output): string[] {
  const gone = linesOf(anchor).map((line) => output.style('red', `- ${line}`));
  const come = linesOf(text).map((line) => output.style('green', `+ ${line}`));
  switch (op) {
    case 'set':
      return [inOneLine(`set ${anchor} in ${file}`), ...come];
    case 'replace':
      return [inOneLine(`replace in ${file}`), ...gone, ...come];
    case 'delete':
      return [inOneLine(`delete in ${file}`), ...gone];
    case 'insert_after':
      return [
        inOneLine(`insert_after in ${file}`),
        ...linesOf(anchor).map((line) => output.style('dim', `  ${line}`)),
        ...come,
      ];
    case 'write_file':
      return [inOneLine(`write_file ${file}`), ...come];
  }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.trimEnd().split('\n');
}
