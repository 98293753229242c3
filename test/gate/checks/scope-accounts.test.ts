import { expect, test } from 'vitest';
import { checkRules, libraryOf, skillFolder } from '../../support/gate-lab.ts';

test.each<[text: string, rules: string[]]>([
  ['Pay to DE02 1203 0000 0000 2020 51.', ['refuse bank-account']],
  ['Pay to `DE02120300000000202051`.', ['refuse bank-account']],
  ['Pay to DE03 1203 0000 0000 2020 51.', []],
  ['An account looks like DE89 3704 0044 0532 0130 00.', []],
  ['Charge 4539 1488 0343 6467.', ['refuse card-number']],
  ['Charge 4539 1488 0343 6468.', []],
  ['Test with 4242 4242 4242 4242 or 4111-1111-1111-1111.', []],
])('%s: %j', async (text, expected) => {
  const candidate = skillFolder(`# Steps\n\n${text}`);
  expect(await checkRules('scope', { candidate, library: await libraryOf() })).toEqual(expected);
});
