import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN, environmentIn, freshKnack, type Ran, ROOT, runProgram } from '../support/command-line.ts';
import { chunk, startScriptedModel } from '../support/scripted-model.ts';
import { temporary } from '../support/skills.ts';

const { workspace } = await freshKnack('signals');

/** Runs a command whose model begins an answer and never ends it, and sends the signal when it has been asked. */
async function interrupted(args: string[], signal: NodeJS.Signals): Promise<Ran> {
  let child: ReturnType<typeof spawn> | undefined;
  const server = await startScriptedModel([
    {
      answer: () => {
        child?.kill(signal);
        return { raw: [chunk({ role: 'assistant', content: 'I be' })], ending: 'hang' };
      },
    },
  ]);
  const env = environmentIn(workspace, { OPENAI_BASE_URL: server.url });
  const ran = await new Promise<Ran>((done) => {
    child = spawn(process.execPath, [BIN, ...args], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('close', (code) => done({ code: code ?? 0, stdout, stderr }));
  });
  await server.close();
  return ran;
}

async function sessionFile(): Promise<string> {
  const file = join(await temporary('session'), 'session.json');
  const messages = [
    { role: 'user', content: 'Add up the figures.' },
    { role: 'assistant', content: 'They come to 7.' },
    { role: 'user', content: 'No, that is wrong: from now on always leave out the returns.' },
    { role: 'assistant', content: 'They come to 5.' },
  ];
  await writeFile(file, JSON.stringify(messages));
  return file;
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a run with 130', async (signal) => {
  const { code, stdout } = await interrupted(['run', 'x', '--json'], signal);
  expect([code, JSON.parse(stdout).stop]).toEqual([130, 'aborted']);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a review with 130, and it says that it was stopped',
  async (signal) => {
    const { code, stdout } = await interrupted(['review', await sessionFile()], signal);
    expect([code, stdout.trim().split('\n').at(-1)]).toEqual([
      130,
      '0 sessions: none came to an end; 0 tokens; stopped: the same command goes on from here',
    ]);
  },
);

/** Sends the signal to itself as soon as somebody listens for one. */
const INTERRUPTED = `data:text/javascript,${encodeURIComponent(`
  const { on } = process;
  process.on = function (event, listener) {
    on.call(process, event, listener);
    if (event === 'SIGTERM') process.kill(process.pid, 'SIGINT');
    return process;
  };
`)}`;

test.each([
  ['skills', 'list'],
  ['skills', 'validate', 'skills'],
  ['skills', 'search', 'commit'],
  ['stats'],
  ['doctor'],
])('SIGINT ends %s %s with 130, without its report', async (...args) => {
  const { code, stdout, stderr } = await runProgram(
    process.execPath,
    ['--import', INTERRUPTED, BIN, ...args.filter((word) => word !== undefined)],
    { workspace },
  );
  expect([code, stdout, stderr]).toEqual([130, '', expect.stringMatching(/^knack: .*: stopped\n$/)]);
});

test('SIGINT ends the demo with 130', async () => {
  expect((await interrupted(['demo', '--json'], 'SIGINT')).code).toBe(130);
});

test('a live demo whose model fails ends with 1', async () => {
  const server = await startScriptedModel([{ status: 400, error: { error: { message: 'no such model' } } }]);
  const { knack } = await freshKnack('live-demo');
  const { code, stdout } = await knack(['demo'], { OPENAI_BASE_URL: server.url });
  await server.close();
  expect([code, stdout]).toEqual([1, expect.stringContaining('This run ended as "failed"')]);
});
