export { serializeSkill } from './serialize.ts';
export { setField } from './set-field.ts';

/** An edit by anchor: the new text, or why it cannot be made. */
export type EditOutcome =
  | {
      readonly kind: 'edited';
      readonly text: string;
      /** Where the new piece begins, and its length, in `text`. */
      readonly at: number;
      readonly length: number;
    }
  | { readonly kind: 'fault'; readonly fault: 'anchor-missing' | 'anchor-ambiguous' | 'anchor-empty' };

/** Puts `replacement` in the place of the one `anchor`. */
export function replaceExact(text: string, anchor: string, replacement: string): EditOutcome {
  const at = find(text, anchor);
  if (typeof at === 'string') return { kind: 'fault', fault: at };
  return {
    kind: 'edited',
    text: splice(text, at, at + anchor.length, replacement),
    at,
    length: replacement.length,
  };
}

/** Puts `block` on lines of its own after the line on which the one `anchor` ends. */
export function insertAfter(text: string, anchor: string, block: string): EditOutcome {
  const found = find(text, anchor);
  if (typeof found === 'string') return { kind: 'fault', fault: found };
  const anchorEnd = found + anchor.replace(/\n+$/, '').length;
  const lineEnd = text.indexOf('\n', anchorEnd);
  const newline = lineBreakAt(text, lineEnd < 0 ? text.lastIndexOf('\n') : lineEnd);
  const at = lineEnd < 0 ? text.length : lineEnd + 1;
  const lead = lineEnd < 0 && text !== '' ? newline : '';
  const piece = block.replace(/\r?\n$/, '').replace(/\r?\n/g, newline);
  return {
    kind: 'edited',
    text: splice(text, at, at, `${lead}${piece}${newline}`),
    at: at + lead.length,
    length: piece.length,
  };
}

/** Removes the one `anchor`, with the line break of a line that it fills. */
export function deleteExact(text: string, anchor: string): EditOutcome {
  const at = find(text, anchor);
  if (typeof at === 'string') return { kind: 'fault', fault: at };
  const end = at + anchor.length;
  const fillsLine = (at === 0 || text[at - 1] === '\n') && !anchor.endsWith('\n');
  const lineBreak = fillsLine ? (/^\r?\n/.exec(text.slice(end, end + 2))?.[0] ?? '') : '';
  return { kind: 'edited', text: splice(text, at, end + lineBreak.length, ''), at, length: 0 };
}

function find(text: string, anchor: string): number | 'anchor-missing' | 'anchor-ambiguous' | 'anchor-empty' {
  if (anchor.trim() === '') return 'anchor-empty';
  const at = text.indexOf(anchor);
  if (at < 0) return 'anchor-missing';
  return text.indexOf(anchor, at + 1) < 0 ? at : 'anchor-ambiguous';
}

/** The kind of line break that stands at an offset; in a text of one line the usual one. */
function lineBreakAt(text: string, offset: number): string {
  return offset > 0 && text[offset - 1] === '\r' ? '\r\n' : '\n';
}

function splice(text: string, start: number, end: number, piece: string): string {
  return text.slice(0, start) + piece + text.slice(end);
}
