import { expect, test } from 'vitest';
import { shownWhole } from '../../src/cli/output.ts';
import { escapeMarkup } from '../../src/disclosure/entry.ts';
import { showHidden } from '../../src/history/visible.ts';

const POINTS = [
  0x00, 0x1b, 0x7f, 0x9b, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x202e, 0x2060, 0x206a, 0x2066, 0x3164,
  0xfe00, 0xfeff, 0xffa0, 0xfff9, 0xe0041, 0xe0100, 0xe01ef,
];

test.each(POINTS.map((point) => [point.toString(16), String.fromCodePoint(point)]))(
  'U+%s reaches no prompt, and a person sees that it is there',
  (_, character) => {
    const text = `a${character}b`;
    expect(escapeMarkup(text)).toMatch(/^a ?b$/);
    expect(showHidden(text)).toMatch(/^a<U\+[0-9A-F]{4,5}>b$/);
    expect(shownWhole(text)).toMatch(/^a<U\+[0-9A-F]{4,5}>b$/);
  },
);

test('emoji, accents and scripts that join stay readable', () => {
  const text = 'warn ⚠️, café, 漢字, عربي';
  expect(showHidden(text)).toBe(text);
  expect(shownWhole(text)).toBe(text);
});
