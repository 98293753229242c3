import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN, runProgram } from '../support/command-line.ts';
import { skillText, temporary } from '../support/skills.ts';

test('more skills than a process may open files are all read', async () => {
  const dir = await temporary('many');
  const names = Array.from({ length: 600 }, (_, index) => `skill-${index}`);
  for (const name of names) {
    await mkdir(join(dir, name));
    await writeFile(join(dir, name, 'SKILL.md'), skillText(name, '- one'));
  }
  const script = 'ulimit -n 128 && exec "$0" "$@"';
  const command = [process.execPath, BIN, 'skills', 'validate', '--json', dir];
  const { stdout } = await runProgram('sh', ['-c', script, ...command], {
    workspace: join(dir, '.workspace'),
  });
  expect((JSON.parse(stdout) as { summary: unknown }).summary).toEqual({
    found: 600,
    loadable: 600,
    strict: 600,
  });
});
