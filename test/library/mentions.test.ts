import { expect, test } from 'vitest';
import { mentionsIn } from '../../src/library/mentions.ts';

/** What counts as given in backticks, as one pattern for all of a text. */
const QUOTED = /`(\/)?([\p{L}\p{N}_-]+:)?([\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{0,63})`( skill\b)?/gu;

function plainly(body: string): string[] {
  const named = [...body.matchAll(QUOTED)].filter(
    ([, slash, namespace, name = '', after]) =>
      slash !== undefined || namespace !== undefined || after !== undefined || name.includes('-'),
  );
  return [...new Set(named.map(([, , , name = '']) => name.toLowerCase().replaceAll('_', '-')))];
}

test.each<[body: string, names: string[]]>([
  ['see `pdf-forms`, `/review` and `ours:notes`', ['pdf-forms', 'review', 'notes']],
  ['the `docx` skill, not the `docx` skills', ['docx']],
  ['run `npm`, `npm test` or `_x-y`', []],
  ['in ../Other_One/SKILL.md', ['other-one']],
  ['`数据-库` and `é-a`', ['数据-库', 'é-a']],
  [`\`${'a'.repeat(65)}\` skill`, []],
  ['an open ` and an `a-b', []],
  ['``a-b`` and `x``c-d`', ['a-b', 'c-d']],
])('%j names %j', (body, names) => {
  expect(mentionsIn(body)).toEqual(names);
});

test('any row of signs names what one pattern for all of it finds', () => {
  const pieces = [
    '`',
    '`',
    '`',
    'a',
    'b-c',
    '_',
    '/',
    ':',
    '-',
    ' skill',
    ' skills',
    '数据',
    '.',
    ' ',
    '9',
    'A',
  ];
  pieces.push('x'.repeat(63));
  let seed = 7;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
  for (let round = 0; round < 5000; round += 1) {
    const body = Array.from({ length: 3 + (round % 12) }, () => pieces[next(pieces.length)]).join('');
    const trimmed = plainly(body).map((name) => name.replace(/-+/g, '-').replace(/^-|-$/g, ''));
    expect([body, mentionsIn(body)]).toEqual([body, [...new Set(trimmed)]]);
  }
});
