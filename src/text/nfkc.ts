/**
 * Marks in a row that a text keeps, as in the stream-safe texts of Unicode (UAX #15): more stand on no letter of any
 * language, and to put them in their order takes time with the square of their number.
 */
const MOST_MARKS = 30;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu');

/** A text in the compatibility form NFKC, in time that grows with its length alone, whatever stands in it. */
export function toNfkc(text: string): string {
  return (text.length > MOST_MARKS ? text.replace(TOO_MANY_MARKS, '$1') : text).normalize('NFKC');
}
