import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN, environmentIn, freshKnack, ROOT } from '../support/command-line.ts';
import { startScriptedModel } from '../support/scripted-model.ts';

test('a session goes on in one process: the second is told in which, and may when that one is gone', async () => {
  const { knack, workspace } = await freshKnack('resume');
  const requests = new EventEmitter();
  const server = await startScriptedModel([
    { text: 'The sum is 3.' },
    {
      answer: () => {
        requests.emit('arrived');
        return { raw: [], ending: 'hang' };
      },
    },
  ]);
  const env = { OPENAI_BASE_URL: server.url };
  const { session } = JSON.parse((await knack(['run', 'Add up.', '--json'], env)).stdout) as {
    session: string;
  };
  const arrived = once(requests, 'arrived');
  const first = spawn(process.execPath, [BIN, 'chat', '--resume', session], {
    cwd: ROOT,
    env: environmentIn(workspace, env),
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  first.stdin.write('And now?\n');
  await arrived;
  const second = await knack(['chat', '--resume', session], env);
  expect([second.code, second.stderr]).toEqual([
    1,
    `knack: session ${session} is open in process ${first.pid}; end it there, or begin a new one\n`,
  ]);
  first.kill('SIGKILL');
  await once(first, 'close');
  expect((await knack(['chat', '--resume', session], env)).code).toBe(0);
  expect(await readdir(join(workspace, 'logs/sessions'))).toEqual([`${session}.jsonl`]);
  await server.close();
});
