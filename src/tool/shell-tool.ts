import type { ProcessOutcome } from '../scripts/process.ts';
import type { Sandbox } from '../scripts/sandbox.ts';
import type { Tool, ToolResult } from './tool.ts';

/** Runs a command in the sandbox: the working folder is writable, there is no network and no home folder. */
export function createShellTool(sandbox: Sandbox): Tool {
  return {
    name: 'run_command',
    description:
      'Run a bash command in the working folder. It runs in a sandbox without network and without input; files outside of the working folder cannot be changed.',
    effect: 'execute',
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['command'],
      properties: {
        command: { type: 'string', minLength: 1 },
        timeout_s: { type: 'integer', minimum: 1, maximum: 120 },
      },
    },
    subject: (args) => ({ kind: 'command', text: String(args['command']) }),
    async run(args, { cwd, signal }) {
      const outcome = await sandbox.run({
        command: ['bash', '-c', String(args['command'])],
        cwd,
        writable: [cwd],
        signal,
        ...(typeof args['timeout_s'] === 'number' ? { timeoutSeconds: args['timeout_s'] } : {}),
      });
      return asResult(outcome);
    },
  };
}

function asResult(outcome: ProcessOutcome): ToolResult {
  const head = outcome.timedOut
    ? 'stopped: it took too long'
    : `exit code ${outcome.exitCode ?? 'none (ended by a signal)'}`;
  const parts = [
    head,
    outcome.stdout.trimEnd(),
    outcome.stderr.trim() === '' ? '' : `[stderr]\n${outcome.stderr.trimEnd()}`,
    outcome.truncated ? '[more was written than is kept]' : '',
  ];
  return {
    text: parts.filter((part) => part !== '').join('\n'),
    isError: outcome.exitCode !== 0,
    ...(outcome.exitCode === undefined ? {} : { exitCode: outcome.exitCode }),
  };
}
