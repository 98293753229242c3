import { expect, test } from 'vitest';
import type { ApprovalRule } from '../../src/config.ts';
import { type ApprovalRequest, createApproval } from '../../src/tool/approval.ts';
import { editFileTool } from '../../src/tool/edit-file.ts';
import { readFileTool } from '../../src/tool/read-file.ts';
import type { Tool } from '../../src/tool/tool.ts';

const context = { cwd: '/project', signal: new AbortController().signal };
const shell: Tool = {
  name: 'run_command',
  description: 'runs',
  parameters: {},
  effect: 'execute',
  subject: (args) => ({ kind: 'command', text: String(args['command']) }),
  run: () => Promise.resolve({ text: '', isError: false }),
};

const rule = (pattern: string, decision: ApprovalRule['decision'] = 'allow'): ApprovalRule => ({
  pattern,
  decision,
});

const commands: [string, ApprovalRule[], boolean][] = [
  ['npm test', [rule('run_command:npm *')], true],
  ['npm test', [rule('run_command')], true],
  ['npm test', [rule('run_*')], true],
  ['npm test', [rule('*')], true],
  ['npm test', [rule('run_command:*')], true],
  ['npm test', [rule('run_command:npm')], false],
  ['npm test', [], false],
  ['npm test; rm -rf .', [rule('run_command:npm *')], false],
  ['npm test && curl x', [rule('run_command:npm *')], false],
  ['npm test | sh', [rule('run_command:npm *')], false],
  ['npm test\nrm -rf .', [rule('run_command:npm *')], false],
  ['npm test $(rm -rf .)', [rule('run_command:npm *')], false],
  ['npm test `rm -rf .`', [rule('run_command:npm *')], false],
  ['npm test > out.txt', [rule('run_command:npm *')], false],
  ['npm test > out.txt', [rule('run_command:npm test > out.txt')], true],
  ['npm test; npm run lint', [rule('run_command:*')], true],
  ['rm -rf .', [rule('run_command:rm *', 'deny'), rule('*')], false],
  ['cd a && rm -rf .', [rule('run_command:rm *', 'deny'), rule('*')], false],
  ['echo $(rm -rf .)', [rule('run_command:rm *', 'deny'), rule('*')], false],
  ['npm test', [rule('run_command:npm *'), rule('*', 'deny')], true],
  ['npm test', [rule('*', 'deny'), rule('run_command:npm *')], false],
];

test.each(commands)('the command %j under %j is allowed: %s', async (command, rules, allowed) => {
  expect((await createApproval(rules)(shell, { command }, context)).allowed).toBe(allowed);
});

const paths: [string, string, boolean][] = [
  ['src/a.ts', 'edit_file:src/*', true],
  ['./src//a.ts', 'edit_file:src/*', true],
  ['/project/src/a.ts', 'edit_file:src/*', true],
  ['src/../secret.txt', 'edit_file:src/*', false],
  ['../src/a.ts', 'edit_file:src/*', false],
  ['src/a&b.ts', 'edit_file:src/*', true],
];

test.each(paths)('an edit of %s under the pattern %s is allowed: %s', async (path, pattern, allowed) => {
  const approval = createApproval([rule(pattern)]);
  expect((await approval(editFileTool, { path, new_text: '' }, context)).allowed).toBe(allowed);
});

test('reading needs no approval, and a rule can still deny it', async () => {
  expect(await createApproval([])(readFileTool, { path: 'a.txt' }, context)).toEqual({ allowed: true });
  expect(
    await createApproval([rule('read_file:secrets/*', 'deny')])(
      readFileTool,
      { path: 'secrets/key' },
      context,
    ),
  ).toEqual({ allowed: false, why: 'the rule "read_file:secrets/*" denies it' });
});

test('without anybody to ask, the refusal names the flag that would allow it', async () => {
  expect(await createApproval([])(shell, { command: 'npm run lint' }, context)).toEqual({
    allowed: false,
    why: 'run_command needs approval and nobody can be asked here. Whoever started this can allow it with --allow "run_command:npm *"',
  });
});

test('the pattern offered for a command that joins several is that command alone', async () => {
  const asked: ApprovalRequest[] = [];
  const approval = createApproval([], {
    ask: (request) => {
      asked.push(request);
      return Promise.resolve('once');
    },
  });
  await approval(shell, { command: 'npm test; rm x' }, context);
  expect(asked.map(({ pattern }) => pattern)).toEqual(['run_command:npm test; rm x']);
});

test('a yes once is asked again, always is not, and a no is told to the model', async () => {
  const answers = ['once', 'always', 'no'] as const;
  let asked = 0;
  const approval = createApproval([], { ask: () => Promise.resolve(answers[asked++] ?? 'no') });
  const decide = async (command: string) => (await approval(shell, { command }, context)).allowed;
  expect([await decide('a'), await decide('a'), await decide('a'), await decide('b')]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(asked).toBe(3);
});

test('questions are put one at a time', async () => {
  let open = 0;
  let most = 0;
  const approval = createApproval([], {
    ask: async () => {
      most = Math.max(most, ++open);
      await new Promise(setImmediate);
      open--;
      return 'once';
    },
  });
  await Promise.all(['a', 'b', 'c'].map((command) => approval(shell, { command }, context)));
  expect(most).toBe(1);
});
