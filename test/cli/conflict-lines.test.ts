import { expect, test } from 'vitest';
import { conflictLines } from '../../src/cli/conflict-lines.ts';
import { createOutput } from '../../src/cli/output.ts';

function shown(ours: string, theirs: string): string[] {
  const conflict = {
    file: 'SKILL.md',
    lines: [[5, 5]] as const,
    clashes: [{ lines: [5, 5] as const, ours, theirs }],
    reason: 'changed on both sides',
  };
  return conflictLines(conflict, createOutput(true)).slice(2);
}

const LONG = 'a'.repeat(500);
const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);

test('short sides are shown whole, and one that is empty is named', () => {
  expect(shown('one', 'two\nthree')).toEqual([
    '      - yours: one',
    '      + theirs: two',
    '      + theirs: three',
  ]);
  expect(shown('', 'two')).toEqual(['      - yours: nothing', '      + theirs: two']);
});

const CUT: [what: string, ours: string, theirs: string, shownOurs: string, shownTheirs: string][] = [
  ['at the end', `${LONG}mine`, `${LONG}yours`, `…${'a'.repeat(156)}mine`, `…${'a'.repeat(155)}yours`],
  [
    'in the middle',
    `${LONG}mine${LONG}`,
    `${LONG}yours${LONG}`,
    `…${'a'.repeat(40)}mine${'a'.repeat(116)}…`,
    `…${'a'.repeat(40)}yours${'a'.repeat(115)}…`,
  ],
  ['at the beginning', `x${LONG}`, `y${LONG}`, `x${'a'.repeat(159)}…`, `y${'a'.repeat(159)}…`],
  ['where one side goes on', LONG, `${LONG}!`, `…${'a'.repeat(160)}`, `…${'a'.repeat(159)}!`],
  [
    'within no letter of two units',
    `${'😀'.repeat(200)}x`,
    `${'😀'.repeat(200)}y`,
    `…${'😀'.repeat(80)}x`,
    `…${'😀'.repeat(80)}y`,
  ],
];

test.each(CUT)('a long line is cut around what differs: %s', (_, ours, theirs, shownOurs, shownTheirs) => {
  expect(shown(ours, theirs)).toEqual([`      - yours: ${shownOurs}`, `      + theirs: ${shownTheirs}`]);
});

test('a long line is held against the one that it is most like, where another stands before it', () => {
  expect(shown(`new\n${LONG}mine`, `${LONG}yours`)[1]).toBe(`      - yours: …${'a'.repeat(156)}mine`);
});

test('of many lines those that differ are shown', () => {
  const [ours, theirs] = ['mine', 'yours'].map((word) => [...LINES.slice(0, 20), word, ...LINES.slice(21)]);
  const lines = shown(ours?.join('\n') ?? '', theirs?.join('\n') ?? '');
  expect(lines).toHaveLength(26);
  expect(lines.slice(0, 5)).toEqual([
    '      - yours: … 18 lines that both have',
    '      - yours: line 19',
    '      - yours: line 20',
    '      - yours: mine',
    '      - yours: line 22',
  ]);
  expect(
    shown(LINES.join('\n'), 'other')
      .slice(0, 1)
      .concat(shown(LINES.join('\n'), 'other').slice(12, 13)),
  ).toEqual(['      - yours: line 1', '      - yours: … 18 more lines; --json has all']);
});
