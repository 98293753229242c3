import { expect, test } from 'vitest';
import { shown, shownWhole, styled } from '../../src/cli/output.ts';

test.each([
  ['plain text with a tab\tand\nlines', 'plain text with a tab\tand\nlines'],
  ['line ends of Windows\r\n', 'line ends of Windows\n'],
  ['\u001b[1mbold\u001b[22m', '<U+001B>[1mbold<U+001B>[22m'],
  [`\u001b[31;0123456789abcdef`, '<U+001B>[31;0123456789abcdef'],
  [styled('red', 'ours, with \u001b[32mtheirs'), '\u001b[31mours, with <U+001B>[32mtheirs\u001b[39m'],
  ['mark \u200f and line \u2028', 'mark <U+200F> and line <U+2028>'],
  ['\u001b[8mconcealed', '<U+001B>[8mconcealed'],
  ['\u001b[2Jcleared', '<U+001B>[2Jcleared'],
  ['\u001b]0;a title\u0007', '<U+001B>]0;a title<U+0007>'],
  ['overwritten\rwith this', 'overwritten<U+000D>with this'],
  ['\u202egnp.exe', '<U+202E>gnp.exe'],
  ['tag \u{e0041}', 'tag <U+E0041>'],
  ['\u009b2J', '<U+009B>2J'],
  [
    '\u{1f469}\u200d\u{1f4bb} and \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u{1f469}\u200d\u{1f4bb} and \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  ],
])('a terminal is given %j as %j', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test('what a person decides about also shows what does not show', () => {
  expect(shownWhole('r\u200bm \u00ad\u200d x\r\n\ty')).toBe('r<U+200B>m <U+00AD><U+200D> x<U+000D>\n\ty');
});
