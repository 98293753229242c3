import type { Problem } from '../errors.ts';
import { findConflictMarkers } from './conflict-markers.ts';

/** The instructions, with what stands in their headings. */
export interface BodyReading {
  readonly body: string;
  readonly headings: readonly string[];
  readonly problems: readonly Problem[];
}

const FENCE = /^(?:```|~~~)/;
const HEADING = /^#{1,6}[ \t]+(.*)$/;

/** Reads what follows the front matter; `line` is where it begins in the file. */
export function readBody(text: string, line: number): BodyReading {
  const body = text.replace(/^\n/, '');
  const isEmpty = body.trim() === '';
  const message = 'there are no instructions after the front matter';
  return {
    body,
    headings: headingsOf(body),
    problems: isEmpty
      ? [{ rule: 'body-empty', severity: 'warning', message, line }]
      : findConflictMarkers(text, line),
  };
}

/**
 * Headings outside of fenced code, without their marks. What follows a fence that is never closed counts as text. Takes
 * time linear in the text, whatever it holds.
 */
function headingsOf(body: string): string[] {
  const headings: string[] = [];
  let fence = '';
  let fenced: string[] = [];
  for (const line of body.split('\n')) {
    const mark = FENCE.exec(line)?.[0] ?? '';
    if (mark !== '' && (fence === '' || fence === mark)) {
      fence = fence === '' ? mark : '';
      fenced = [];
    }
    const title = HEADING.exec(line)?.[1];
    if (title !== undefined) (fence === '' ? headings : fenced).push(withoutClosingMarks(title.trim()));
  }
  return [...headings, ...fenced];
}

function withoutClosingMarks(title: string): string {
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  return end === 0 || /\s/.test(title[end - 1] ?? '') ? title.slice(0, end).trimEnd() : title;
}
