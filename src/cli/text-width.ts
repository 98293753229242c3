import stringWidth from 'string-width';

const ONE_EACH = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Columns that a terminal shows a text in: two for most Chinese, Japanese and Korean letters and for pictures. */
export function columnsOf(text: string): number {
  return ONE_EACH.test(text) ? text.length : stringWidth(text);
}

/** The beginning of a text that takes at most so many columns. */
export function cutAt(text: string, columns: number): string {
  if (ONE_EACH.test(text)) return text.slice(0, Math.max(0, columns));
  let [length, taken] = [0, 0];
  for (const { segment } of graphemes.segment(text)) {
    taken += columnsOf(segment);
    if (taken > columns) break;
    length += segment.length;
  }
  return text.slice(0, length);
}

/** The text with blanks after it, up to so many columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}
