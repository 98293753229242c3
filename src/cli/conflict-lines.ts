import { counted } from '../text/counted.ts';
import type { Conflict } from '../transfer/merge-folders.ts';
import { type Output, shownWhole } from './output.ts';
import { inOneLine } from './project-notes.ts';

/** Of one side of one clash; --json has more. */
const MOST_LINES = 12;
const LONGEST_LINE = 160;
/** What is shown before the first difference, where the rest has to be cut. */
const LINES_BEFORE = 1;
const CHARACTERS_BEFORE = 40;

/**
 * A conflict with the text of both sides, as a diff shows it: yours with `-`, that of the source with `+`. What is too
 * long is cut around the place where the sides begin to differ.
 */
export function conflictLines({ file, lines, clashes, reason }: Conflict, output: Output): string[] {
  const spans = lines.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  return [
    `    ${inOneLine(file)}${spans.length === 0 ? '' : `:${spans.join(', ')}`}: ${reason}`,
    ...clashes.flatMap(({ ours, theirs }, index) => [
      `      ${inOneLine(file)}:${spans[index]}`,
      ...sideLines('yours', ours, theirs).map((line) => output.style('red', line)),
      ...sideLines('theirs', theirs, ours).map((line) => output.style('green', line)),
    ]),
  ];
}

function sideLines(side: 'yours' | 'theirs', text: string, other: string): string[] {
  const lead = `      ${side === 'yours' ? '-' : '+'} ${side}: `;
  if (text === '') return [`${lead}nothing`];
  const [lines, others] = [text.split('\n'), other.split('\n')];
  const differing = lines.findIndex((line, index) => line !== others[index]);
  const same = differing < 0 ? lines.length : differing;
  const from = Math.max(0, Math.min(same - LINES_BEFORE, lines.length - MOST_LINES));
  const after = lines.length - from - MOST_LINES;
  const facing = others.slice(from, from + MOST_LINES);
  return [
    ...(from > 0 ? [`${lead}… ${counted(from, 'line')} that both have`] : []),
    ...lines.slice(from, from + MOST_LINES).map((line) => `${lead}${shownWhole(cutLine(line, facing))}`),
    ...(after > 0 ? [`${lead}… ${counted(after, 'more line')}; --json has all`] : []),
  ];
}

/** A line around the place where it begins to differ from the one of the other side that is most like it. */
function cutLine(line: string, others: readonly string[]): string {
  if (line.length <= LONGEST_LINE) return line;
  const same = others.includes(line) ? 0 : Math.max(0, ...others.map((other) => sharedLength(line, other)));
  const from = Math.max(0, Math.min(same - CHARACTERS_BEFORE, line.length - LONGEST_LINE));
  const [start, end] = [wholeAt(line, from), wholeAt(line, from + LONGEST_LINE)];
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}

function sharedLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length += 1;
  return length;
}

/** The same place, or the one before where a letter of two units would be cut in half. */
function wholeAt(text: string, at: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at - 1 : at;
}
