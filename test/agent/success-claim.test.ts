import { expect, test } from 'vitest';
import { claimsSuccess } from '../../src/agent/success-claim.ts';

test.each([
  ['Done.', true],
  ['The bug is fixed and all tests pass.', true],
  ['I have successfully installed it.', true],
  ['The file was created.', true],
  ['Das ist erledigt.', true],
  ['Listo, ya funciona bien.', true],
  ['已完成。', true],
  ['修正しました。', true],
  ['I could not fix it: the call failed.', false],
  ['It is not done yet.', false],
  ['Unfortunately the file was not written.', false],
  ['Leider ist das fehlgeschlagen.', false],
  ['无法完成。', false],
  ['Which file do you mean?', false],
  ['', false],
])('%s claims success: %s', (text, claims) => {
  expect(claimsSuccess(text)).toBe(claims);
});
