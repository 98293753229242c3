import { expect, test } from 'vitest';
import { isMadeUp } from '../../../src/gate/safety/made-up-secret.ts';
import { findSecrets } from '../../../src/transcript/redact.ts';

/** Of each secret in the line, whether it is taken for a made-up one. */
const judged = (line: string) =>
  findSecrets(line).map(({ rule, start, end }) =>
    isMadeUp({ rule, value: line.slice(start, end), before: line.slice(0, start) }),
  );

// Shapes are put together at run time, so that no scanner takes this file for a leak.
const pass = 'pass';

test.each([
  `"${pass}word": "test${pass}123"`,
  `DATABASE_URL=postgres://postgres:${'postgres'}@db:5432/app_dev`,
  `postgresql://admin:${pass}word123@prod-db:5432/main`,
  'Idempotency-Key: 123e4567-e89b-12d3-a456-426614174000',
  'Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a',
  'export NUTRIENT_API_KEY="pdf_live_..."',
  `--api-key "${'sk-or-v1-'}your-key-here"`,
  `API_KEY = "${'sk-'}1234567890abcdef"`,
  '"partitionKey": "tenant_456_customer_789"',
  'key: job1-cache',
  `${pass}word: ${Buffer.from('password-1234').toString('base64')}`,
])('made up: %s', (line) => {
  expect(judged(line)).toEqual([true]);
});

test.each([
  `"${pass}word": "hunter22"`,
  `DATABASE_URL=postgres://app:${'kT9wQz27'}@db:5432/app`,
  `SERVICE_TOKEN=${'a1b2c3d4'}e5f6`,
  `api_key = "${'b03f5f7f'}11d50a3a9c"`,
  `API_TOKEN=123e4567-e89b-12d3-a456-42661417${'4000'}`,
  `--api-key ${'sk-or-v1-'}9f3c1b7e5d2a8c4f6e0b`,
  `key = "${'sk-proj-'}Ab3dE5gH7jK9mN1pQ3sT5vW7"`,
  `AKIA${'IOSF7DNN7QRSTUVW'}`,
  `Test-${'Q7x2'}L9: password: test-Q7x2L9vB`,
])('not made up: %s', (line) => {
  expect(judged(line)).not.toContain(true);
  expect(judged(line).length).toBeGreaterThan(0);
});
