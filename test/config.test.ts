import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig, readEnvironment } from '../src/config.ts';

test.each([
  [{ model: { idleSeconds: 86_401 } }, 'model.idleSeconds must be <= 86400'],
  [{ review: { idleMinutes: 20_161 } }, 'review.idleMinutes must be <= 20160'],
])('refuses a time that no timer can wait: %j', async (settings, fault) => {
  const dir = mkdtempSync(join(tmpdir(), 'knack-config-'));
  writeFileSync(join(dir, 'knack.json'), JSON.stringify(settings));
  await expect(loadConfig(dir, readEnvironment({}))).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining(fault) as string,
  });
});

test.each([
  ['/', '/home/me', 'which the home folder lies in'],
  ['/home', '/home/me', 'which the home folder lies in'],
  ['~', '/home/me', 'which is the home folder'],
  ['/home/me/', '/home/me', 'which is the home folder'],
])('refuses a root that holds everything: %s', async (root, home, why) => {
  const dir = mkdtempSync(join(tmpdir(), 'knack-config-'));
  writeFileSync(join(dir, 'knack.json'), JSON.stringify({ roots: [root] }));
  await expect(loadConfig(dir, readEnvironment({ HOME: home }))).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining(`${why}; name the folder that holds the skills`) as string,
  });
});

test('takes roots in the home, beside it, and of projects', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'knack-config-'));
  const roots = ['~/.claude/skills', '/home/mean', '/srv', '.claude/skills'];
  writeFileSync(join(dir, 'knack.json'), JSON.stringify({ roots }));
  expect((await loadConfig(dir, readEnvironment({ HOME: '/home/me' }))).roots.length).toBe(4);
});
