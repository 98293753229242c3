import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGit } from '../../src/history/git.ts';
import { temporary } from '../support/skills.ts';

const PATH = process.env['PATH'] ?? '';

/** A git that fails at `write-tree`, after it has said these. */
async function gitSaying(stdout: string, stderr: string) {
  const home = await temporary('words-of-git');
  await mkdir(join(home, 'bin'));
  const said = `printf '${stdout}'; printf '${stderr}' >&2; exit 128`;
  const script = `#!/bin/sh\ncase "$*" in *write-tree*) ${said};; esac\nPATH='${PATH}' exec git "$@"\n`;
  await writeFile(join(home, 'bin/git'), script);
  await chmod(join(home, 'bin/git'), 0o755);
  return { home, git: await openGit(home, { home, path: `${home}/bin:${PATH}` }) };
}

const HASH = '0a91a2ab9f0a91a2ab9f0a91a2ab9f0a91a2ab9f\\n';

test.each([
  [
    'a full disk',
    HASH,
    'error: unable to write\\nfatal: No space left on device\\n',
    'git cannot write in HOME: error: unable to write; fatal: No space left on device; free some space and run it again',
  ],
  ['any fault', HASH, 'fatal: odd\\n', 'git write-tree failed in HOME: fatal: odd'],
  [
    'a fault told on stdout alone',
    'nothing to do\\n',
    '',
    'git write-tree failed in HOME: nothing to do; (exit code 128)',
  ],
])('%s is told in one line, in the words of stderr if there are any', async (_, stdout, stderr, message) => {
  const { home, git } = await gitSaying(stdout, stderr);
  await expect(git.run('write-tree')).rejects.toMatchObject({ message: message.replace('HOME', home) });
});
