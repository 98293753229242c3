/**
 * All places where a global pattern stands in a text, as `matchAll` finds them. Of a text without any, which most are,
 * nothing is made: `matchAll` copies the pattern each time.
 */
export function allMatches(text: string, pattern: RegExp): RegExpExecArray[] {
  return text.search(pattern) < 0 ? [] : [...text.matchAll(pattern)];
}
