import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHistory } from '../../src/history/history.ts';
import { formatMessage, readMessage } from '../../src/history/message.ts';
import type { Change, Origin } from '../../src/history/revision.ts';
import { createLedger } from '../../src/review/ledger.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

// Put together here, so that nobody takes this file for one that leaks.
const TOKEN = ['ghp', 'R4nD0mT0kenR4nD0mT0kenR4nD0mT0ken1234'].join('_');
const MARK = '[REDACTED:github-token:1]';

const CHANGE: Change = {
  skill: 'csv',
  base: undefined,
  target: folderOf({ 'SKILL.md': skillText('csv', 'one', { version: '1.0.0' }) }),
  to: '1.0.0',
  what: 'start',
  why: 'y',
  actor: 'user',
  sessions: [],
  operations: [],
};
const origin = (source: string): Origin => ({ source, path: 'csv', name: 'csv', tree: 'a'.repeat(64) });

test('what a person says of a rollback is in no commit with the key that it names', async () => {
  const root = join(await temporary('redacted'), 'skills');
  const history = createHistory({ root, environment: { home: root, path: process.env['PATH'] ?? '' } });
  const first = await history.commit(CHANGE);
  expect(first.kind).toBe('committed');
  const outcome = await history.rollback('csv', 'none', `leaked key ${TOKEN}`);
  expect(outcome).toMatchObject({ revision: { why: `leaked key ${MARK}` } });
  expect(execFileSync('git', ['log', '--format=%B'], { cwd: root }).toString()).not.toContain(TOKEN);
});

test('neither an override nor a source brings a token into a message, the same one under one number', () => {
  const source = `/data/${TOKEN}/skills`;
  const message = formatMessage({
    ...CHANGE,
    what: `import from ${source}`,
    overrides: [{ rule: 'safety/secret', why: `it is ${TOKEN}, revoked` }],
    origin: origin(source),
  });
  expect(message).not.toContain(TOKEN);
  expect(message).toContain(`Knack-Override: safety/secret: it is ${MARK}, revoked`);
  expect(readMessage(message)).toMatchObject({
    what: `import from /data/${MARK}/skills`,
    origin: origin(`/data/${MARK}/skills`),
  });
});

test.each([
  '/home/somebody/skills',
  'https://example.org/a/b.git',
  'git@example.org:a/b.git',
  'ssh://person@host.dev/skills',
  '/data/Drive-person@mail.dev/skills',
])('%s is kept as it is, so that it is found again', (source) => {
  expect(readMessage(formatMessage({ ...CHANGE, origin: origin(source) }))?.origin?.source).toBe(source);
});

test('a token before the at-sign of an address is none the less one', () => {
  const source = `/data/${TOKEN}@mail.dev/skills`;
  expect(formatMessage({ ...CHANGE, origin: origin(source) })).not.toContain(TOKEN);
});

test('the ledger keeps why a rule was overridden without the secret', async () => {
  const ledger = createLedger(join(await temporary('redacted'), 'ledger.jsonl'));
  const entry = { type: 'override', at: '2026-01-01T00:00:00.000Z', skill: 'csv', rule: 'secret' } as const;
  await ledger.append({ ...entry, why: `it is ${TOKEN}, revoked` });
  expect(await ledger.entries()).toEqual([{ ...entry, why: `it is ${MARK}, revoked` }]);
});
