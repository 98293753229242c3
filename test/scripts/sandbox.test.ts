import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, detectSandbox } from '../../src/scripts/sandbox.ts';
import { runSkillTests } from '../../src/scripts/skill-tests.ts';
import { runSkillTool } from '../../src/scripts/skill-tool.ts';
import type { Skill, SkillToolSpec } from '../../src/skill/skill.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const availability = await detectSandbox(PATH);
const hasSandbox = availability.ok;
const sandbox = createSandbox({ mode: 'bubblewrap', path: PATH, timeoutSeconds: 20 });
const bare = createSandbox({
  mode: 'unsandboxed',
  path: `${process.execPath.replace(/\/node$/, '')}:${PATH}`,
  timeoutSeconds: 20,
});

test('continuous integration has a sandbox, so that its tests ran', () => {
  expect(process.env['CI'] === undefined || hasSandbox).toBe(true);
});

test('without bubblewrap a run is refused with the remedy', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'knack-path-'));
  expect(await detectSandbox(empty)).toEqual({
    ok: false,
    why: 'bwrap is not installed, so scripts do not run',
    remedy:
      'Install bubblewrap (Debian: apt-get install bubblewrap), or give --unsandboxed to run without, with your own rights.',
  });
  await expect(
    createSandbox({ mode: 'bubblewrap', path: empty, timeoutSeconds: 5 }).run({ command: ['true'] }),
  ).rejects.toMatchObject({
    code: 'sandbox-missing',
    message: expect.stringContaining('--unsandboxed') as string,
  });
});

describe.runIf(hasSandbox)('in the sandbox', () => {
  test('a program runs, reads its input and gets a scrubbed environment', async () => {
    process.env['KNACK_TEST_SECRET'] = 'do not pass this on';
    const outcome = await sandbox.run({
      command: ['sh', '-c', 'cat; env | sort | grep -v ^PWD'],
      stdin: 'input\n',
    });
    delete process.env['KNACK_TEST_SECRET'];
    const [input, ...environment] = outcome.stdout.trim().split('\n');
    expect(input).toBe('input');
    expect(environment.map((line) => line.split('=')[0])).toEqual(['HOME', 'LANG', 'PATH', 'TMPDIR']);
  });

  test('home folders are not to be seen', async () => {
    const outcome = await sandbox.run({ command: ['ls', homedir()] });
    expect(outcome.exitCode).not.toBe(0);
  });

  test('a server on loopback is not to be reached', async () => {
    let reached = 0;
    const server = createServer((_, response) => {
      reached += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const outcome = await sandbox.run({
      command: [
        'node',
        '-e',
        `fetch('http://127.0.0.1:${port}').then(() => process.exit(0), () => process.exit(7))`,
      ],
    });
    server.close();
    expect({ exitCode: outcome.exitCode, reached }).toEqual({ exitCode: 7, reached: 0 });
  });

  test('a readable folder cannot be written, a writable one can', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'knack-sandbox-'));
    const [readable, writable] = [join(dir, 'r'), join(dir, 'w')];
    await mkdir(readable);
    await mkdir(writable);
    const outcome = await sandbox.run({
      command: ['sh', '-c', `touch ${readable}/x; touch ${writable}/y`],
      readable: [readable],
      writable: [writable],
    });
    expect([
      outcome.stderr.includes('Read-only'),
      existsSync(join(readable, 'x')),
      existsSync(join(writable, 'y')),
    ]).toEqual([true, false, true]);
  });

  test('at the time limit a program ends with all that it started', async () => {
    const outcome = await sandbox.run({
      command: ['sh', '-c', 'setsid sleep 600 & sleep 600'],
      timeoutSeconds: 1,
    });
    expect(outcome.timedOut).toBe(true);
  });

  test('a flood of output is cut and said to be', async () => {
    const outcome = await sandbox.run({ command: ['sh', '-c', 'head -c 1000000 /dev/zero'] });
    expect([outcome.truncated, outcome.stdout.length]).toEqual([true, 256 * 1024]);
  });

  test('an abort ends it', async () => {
    const controller = new AbortController();
    const running = sandbox.run({ command: ['sleep', '600'], signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
  });
});

const ADD: SkillToolSpec = {
  name: 'add',
  description: 'Adds two numbers.',
  run: { kind: 'script', script: 'scripts/add.mjs' },
  parameters: {
    type: 'object',
    required: ['a', 'b'],
    additionalProperties: false,
    properties: { a: { type: 'number' }, b: { type: 'number' } },
  },
  timeoutSeconds: 1,
  calls: [],
};

/** A skill in a new folder whose tool `add` runs this script. */
async function skillWith(
  script: string,
  change: Partial<SkillToolSpec> = {},
  file = 'scripts/add.mjs',
): Promise<Skill> {
  const dir = await mkdtemp(join(tmpdir(), 'knack-tool-'));
  await mkdir(join(dir, 'scripts'));
  await writeFile(join(dir, file), script);
  return {
    name: 'sums',
    dir,
    path: join(dir, 'SKILL.md'),
    description: 'Adds.',
    tags: [],
    weakTags: [],
    relatedSkills: [],
    aliases: [],
    allowedTools: [],
    userOnly: false,
    body: '',
    headings: [],
    salvaged: false,
    contentHash: '',
    tools: [{ ...ADD, ...change }],
    tests: [],
    triggers: [],
    problems: [],
    strict: true,
  };
}

const READ = `import { readFileSync } from 'node:fs'; const { a, b } = JSON.parse(readFileSync(0, 'utf8'));`;

const CASES: [
  title: string,
  script: string,
  params: unknown,
  change: Partial<SkillToolSpec>,
  answer: unknown,
][] = [
  [
    'prints JSON: that is the data',
    `${READ} console.log(JSON.stringify({ total: a + b }))`,
    { a: 2, b: 3 },
    {},
    { status: 'success', data: { total: 5 } },
  ],
  [
    'prints text: that is the data',
    `${READ} console.log('sum ' + (a + b))`,
    { a: 2, b: 3 },
    {},
    { status: 'success', data: 'sum 5' },
  ],
  [
    'prints a number: that is the data, to the digit',
    `console.log('1.50')`,
    { a: 2, b: 3 },
    {},
    { status: 'success', data: '1.50' },
  ],
  [
    'prints an answer of its own: that is the answer',
    `console.log(JSON.stringify({ status: 'error', error_type: 'invalid_params', message: 'a is odd' })); process.exit(3)`,
    { a: 1, b: 1 },
    {},
    { status: 'error', error_type: 'invalid_params', message: 'a is odd' },
  ],
  [
    'answers with an error of no known kind: a runtime_error, status first',
    `console.log(JSON.stringify({ message: 'late', error_type: 'weird', status: 'error', more: 1 }))`,
    { a: 1, b: 1 },
    {},
    { status: 'error', error_type: 'runtime_error', message: 'weird: late' },
  ],
  [
    'answers with success and fails: an error',
    `console.log('{"status":"success","data":1}'); console.error('disk full'); process.exit(1)`,
    { a: 1, b: 1 },
    {},
    { status: 'error', error_type: 'runtime_error', message: 'exit code 1: disk full' },
  ],
  [
    'answers with success, and with other data than it promises: an error',
    `console.log('{"status":"success","data":"five"}')`,
    { a: 1, b: 1 },
    { returns: { type: 'number' } },
    {
      status: 'error',
      error_type: 'runtime_error',
      message: 'the answer is not what tools.yaml promises under returns: the value must be number',
    },
  ],
  [
    'fails: its words are in the message',
    `console.error('no such month'); process.exit(2)`,
    { a: 1, b: 1 },
    {},
    { status: 'error', error_type: 'runtime_error', message: 'exit code 2: no such month' },
  ],
  [
    'never ends: timeout',
    'setInterval(() => undefined, 1000)',
    { a: 1, b: 1 },
    {},
    {
      status: 'error',
      error_type: 'timeout',
      message: 'stopped after 1 s; give it less to do, or raise timeout_s in tools.yaml (at most 120)',
    },
  ],
  [
    'is called with wrong parameters: nothing runs',
    `throw new Error('ran')`,
    { a: 'two' },
    {},
    {
      status: 'error',
      error_type: 'invalid_params',
      message: `the value must have required property 'b'; a must be number. Expected: ${JSON.stringify(ADD.parameters)}`,
    },
  ],
  [
    'does not exist: named',
    '',
    { a: 1, b: 1 },
    { run: { kind: 'script', script: 'scripts/missing.mjs' } },
    {
      status: 'error',
      error_type: 'not_found',
      message: expect.stringContaining('scripts/missing.mjs does not exist') as string,
    },
  ],
  [
    'promises more than it gives: error',
    `console.log('{}')`,
    { a: 1, b: 1 },
    { returns: { type: 'object', required: ['total'] } },
    {
      status: 'error',
      error_type: 'runtime_error',
      message:
        "the answer is not what tools.yaml promises under returns: the value must have required property 'total'",
    },
  ],
];

describe('a skill’s script that', () => {
  test.each(CASES)('%s', async (_, script, params, change, answer) => {
    const skill = await skillWith(script, change);
    const got = await runSkillTool({ skill, tool: 'add', params, sandbox: bare });
    expect(got).toEqual(answer);
    expect(Object.keys(got)[0]).toBe('status');
  });

  test.runIf(hasSandbox)('runs in the sandbox with the skill’s folder read-only', async () => {
    const skill = await skillWith(
      `import { writeFileSync } from 'node:fs'; try { writeFileSync(new URL('x', import.meta.url), ''); console.log('"written"') } catch (e) { console.log(JSON.stringify(e.code)) }`,
    );
    expect(await runSkillTool({ skill, tool: 'add', params: { a: 1, b: 1 }, sandbox })).toEqual({
      status: 'success',
      data: 'EROFS',
    });
  });

  test('has a first line and no executable bit: runs through its interpreter', async () => {
    const skill = await skillWith(
      '#!/bin/sh\necho "{}"',
      { run: { kind: 'script', script: 'scripts/add' } },
      'scripts/add',
    );
    await chmod(join(skill.dir, 'scripts/add'), 0o644);
    expect(await runSkillTool({ skill, tool: 'add', params: { a: 1, b: 1 }, sandbox: bare })).toEqual({
      status: 'success',
      data: {},
    });
  });

  test('is a link out of the skill: denied before it runs', async () => {
    const skill = await skillWith('', { run: { kind: 'script', script: 'scripts/out' } });
    await symlink('/usr/bin/env', join(skill.dir, 'scripts/out'));
    expect(await runSkillTool({ skill, tool: 'add', params: { a: 1, b: 1 }, sandbox: bare })).toMatchObject({
      status: 'error',
      error_type: 'denied',
    });
  });

  test('belongs to a skill that was only salvaged: denied', async () => {
    const skill = { ...(await skillWith('')), salvaged: true };
    expect(await runSkillTool({ skill, tool: 'add', params: { a: 1, b: 1 }, sandbox: bare })).toMatchObject({
      status: 'error',
      error_type: 'denied',
    });
  });
});

test('test cases compare dotted paths of the answer and say what came instead', async () => {
  const skill = {
    ...(await skillWith(`${READ} console.log(JSON.stringify({ total: a + b }))`)),
    tests: [
      { name: 'adds', tool: 'add', params: { a: 2, b: 3 }, expect: { status: 'success', 'data.total': 5 } },
      { name: 'adds wrongly', tool: 'add', params: { a: 2, b: 3 }, expect: { 'data.total': 6 } },
    ],
  };
  expect(await runSkillTests(skill, bare)).toEqual([
    { name: 'adds', tool: 'add', passed: true },
    {
      name: 'adds wrongly',
      tool: 'add',
      passed: false,
      detail: 'data.total: expected 6, got 5; the answer was {"status":"success","data":{"total":5}}',
    },
  ]);
});
