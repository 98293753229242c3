import { beforeAll, expect, test } from 'vitest';
import { countTokens, loadTokenizer } from '../../src/model/tokens.ts';

beforeAll(loadTokenizer);

const COUNTS: [title: string, text: string, tokens: number][] = [
  ['words', 'hello world', 2],
  ['nothing', '', 0],
  ['a long text', 'x '.repeat(100), 101],
  ['a run of letters', 'x'.repeat(1600), 200],
];

test.each(COUNTS)('counts %s, and the same again', (_, text, tokens) => {
  expect([countTokens(text), countTokens(text)]).toEqual([tokens, tokens]);
});

test('control tokens count as text', () => {
  expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
});

test('a megabyte without a break is counted to the end', () => {
  expect(countTokens('x'.repeat(1_000_000))).toBe(125_000);
});

test.each([0, 1, 99, 100, 199, 200, 201, 350])(
  'a run of more than 400 is counted in pieces wherever it stands: behind %d words',
  (words) => {
    const before = 'a '.repeat(words);
    const [first, rest] = ['xy'.repeat(200), 'xy'.repeat(20)];
    expect(countTokens(`${before}${first}${rest} z`)).toBe(
      countTokens(`${before}${first}`) + countTokens(`${rest} z`),
    );
  },
);
