import { KnackError } from '../errors.ts';
import { splitFrontMatter } from './front-matter.ts';

/** Where the front matter stands in a text as it is on disk, without its fences. */
export interface BlockRange {
  readonly start: number;
  readonly end: number;
  /** Offset behind the line of the closing fence. */
  readonly bodyStart: number;
  /** The line break of the opening fence. */
  readonly newline: string;
}

/**
 * Finds the block between two lines of `---`, the first of them at the start of the text or behind a byte-order mark.
 * Throws `skill-invalid` where there is no such block, or one with line ends that YAML does not know.
 */
export function blockRange(text: string): BlockRange {
  const opening = /^\uFEFF?---[ \t]*(\r?\n)/.exec(text);
  if (opening === null) throw fault('is not between two lines of ---');
  const start = opening[0].length;
  for (let at = start; at <= text.length; ) {
    const lineEnd = text.indexOf('\n', at);
    const stop = lineEnd < 0 ? text.length : lineEnd;
    if (/^---[ \t]*\r?$/.test(text.slice(at, stop))) {
      const block = text.slice(start, at);
      if (/\r(?!\n)/.test(block)) throw fault('has line ends of a bare carriage return');
      if (!isReadAs(text, block)) throw fault('is not the one that is read');
      return { start, end: at, bodyStart: lineEnd < 0 ? stop : stop + 1, newline: opening[1] ?? '\n' };
    }
    at = stop + 1;
  }
  throw fault('is not between two lines of ---');
}

/** What is edited has to be what the reader takes for the front matter. */
function isReadAs(text: string, block: string): boolean {
  const read = splitFrontMatter(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  return read.kind === 'found' && read.block === block.replace(/\r\n/g, '\n').replace(/\n$/, '');
}

function fault(what: string): KnackError {
  return new KnackError('skill-invalid', `the front matter ${what}; mend it first`);
}
