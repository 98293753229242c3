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
