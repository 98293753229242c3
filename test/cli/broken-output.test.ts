import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN, freshKnack, runProgram } from '../support/command-line.ts';
import { temporary } from '../support/skills.ts';

const { knack, workspace } = await freshKnack('broken');
await knack(['init']);
const shell = (script: string, env: Record<string, string> = {}) =>
  runProgram('bash', ['-c', script], { workspace, env: { KNACK: `${process.execPath} ${BIN}`, ...env } });

const COMMANDS = ['skills list', 'skills list --json', 'demo', '--version', '--help', 'doctor'];

test.each(COMMANDS)(
  'a reader that goes away ends `%s` without a word, and nothing is left behind',
  async (command) => {
    const temp = join(await temporary('pipe'), 'tmp');
    await mkdir(temp);
    const { stderr } = await shell(`$KNACK ${command} | true`, { TMPDIR: temp });
    expect([stderr, await readdir(temp)]).toEqual(['', []]);
  },
);

test.each(['skills list', 'skills list --json', '--version', '--help', 'doctor'])(
  'a full disk is one line and exit 1: %s',
  async (command) => {
    const ran = await shell(`$KNACK ${command} > /dev/full`);
    expect(ran).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'knack: cannot write the output: ENOSPC: no space left on device, write; free some space and run it again\n',
    });
  },
);
