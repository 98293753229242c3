import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { lintSecrets } from '../../src/gate/safety/secretlint.ts';

test('a known secret is found, and no text leaves marks that slow the next one down', async () => {
  const before = performance.getEntriesByType('mark').length;
  const token = `ghp_${'a1B2'.repeat(9)}`;
  expect(await lintSecrets(`token: ${token}`)).toEqual([{ rule: 'github', start: 7, end: 7 + token.length }]);
  expect(await lintSecrets('nothing here')).toEqual([]);
  expect(performance.getEntriesByType('mark').length).toBe(before);
});
