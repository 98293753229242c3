import { existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/scripts/sandbox.ts';
import { createApproval } from '../../src/tool/approval.ts';
import { runTool } from '../../src/tool/run-tool.ts';
import { createShellTool } from '../../src/tool/shell-tool.ts';

const path = process.env['PATH'] ?? '/usr/bin:/bin';
const tool = createShellTool(createSandbox({ mode: 'unsandboxed', path, timeoutSeconds: 30 }));

function run(command: string, options: { cwd?: string; rules?: boolean; shell?: typeof tool } = {}) {
  return runTool(
    [options.shell ?? tool],
    { id: 'c1', name: 'run_command', arguments: JSON.stringify({ command }) },
    { cwd: options.cwd ?? tmpdir(), signal: new AbortController().signal },
    createApproval(options.rules === false ? [] : [{ pattern: '*', decision: 'allow' }]),
  );
}

test.each([
  ['echo hello', { text: 'exit code 0\nhello', isError: false, exitCode: 0 }],
  ['echo out; echo bad >&2; exit 3', { text: 'exit code 3\nout\n[stderr]\nbad', isError: true, exitCode: 3 }],
  ['true', { text: 'exit code 0', isError: false, exitCode: 0 }],
  ['kill -9 $$', { text: 'exit code none (ended by a signal)', isError: true }],
])('%s', async (command, result) => {
  expect(await run(command)).toEqual(result);
});

test('runs in the working folder', async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'knack-shell-')));
  await run('echo kept > made.txt', { cwd });
  expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('kept\n');
});

test('is not run without approval', async () => {
  expect(await run('echo hello', { rules: false })).toEqual({
    text: 'Not run: run_command needs approval and nobody can be asked here. Whoever started this can allow it with --allow "run_command:echo *"',
    isError: true,
    notRun: 'denied',
  });
});

test('without bubblewrap it is refused with the remedy', async () => {
  const shell = createShellTool(createSandbox({ mode: 'bubblewrap', path: '/nowhere', timeoutSeconds: 5 }));
  const result = await run('echo hello', { shell });
  expect({ ...result, text: /sandbox-missing.*--unsandboxed/.test(result.text) }).toEqual({
    text: true,
    isError: true,
  });
});

test('an abort ends a running command and is a result', async () => {
  const stop = new AbortController();
  const started = join(mkdtempSync(join(tmpdir(), 'knack-shell-')), 'started');
  const call = {
    id: 'c1',
    name: 'run_command',
    arguments: JSON.stringify({ command: `touch ${started}; sleep 60` }),
  };
  const result = runTool(
    [tool],
    call,
    { cwd: tmpdir(), signal: stop.signal },
    createApproval([{ pattern: '*', decision: 'allow' }]),
  );
  await expect.poll(() => existsSync(started)).toBe(true);
  stop.abort();
  expect(await result).toEqual({ text: 'stopped by the user while it ran', isError: true });
});
