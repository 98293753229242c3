import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ReplayParts } from '../../src/agent/replay.ts';
import { readFolder } from '../../src/files/folder.ts';
import type { ReplayRequest } from '../../src/gate/check.ts';
import { createSandbox, detectSandbox } from '../../src/scripts/sandbox.ts';
import { CHECK, hasSkill, PATH, replayAt, repositoryOf, requestOf, working } from '../support/replay-lab.ts';
import { type Step, startScriptedModel } from '../support/scripted-model.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

const hasSandbox = (await detectSandbox(PATH)).ok;
const SKILL = {
  dir: '/library/right-state',
  folder: folderOf({ 'SKILL.md': skillText('right-state', '# State\n\n- Write `ready` into state.txt.') }),
};

/** What one replay came to, what the model was asked, and what was left in the folder for temporary files. */
async function run(
  steps: readonly Step[],
  request: ReplayRequest,
  more: Partial<ReplayParts> = {},
  at?: string,
) {
  const server = await startScriptedModel(steps);
  const left = at ?? (await temporary('replay-tmp'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = left;
  try {
    const { usage, ...came } = await replayAt(server.url, more)(request);
    return { came, usage, requests: server.requests, left: await readdir(left) };
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await server.close();
  }
}

describe.runIf(hasSandbox)('a task is done again in the sandbox', () => {
  test('an agent with the skill has its text, one without does not; the check decides, and nothing stays', async () => {
    const { dir, git } = await repositoryOf();
    const [files, repository] = [await readFolder(dir), await contentsOf(join(dir, '.git'))];
    const having = await run(working(['echo ready > state.txt']), requestOf(dir, { skill: SKILL }));
    const without = await run(working(['cat check.sh']), requestOf(dir));
    expect([having.came, without.came]).toEqual([
      { kind: 'passed', why: 'exit code 0, "fine"' },
      { kind: 'failed', why: 'exit code 1, "the state is wrong"' },
    ]);
    expect([having, without].map(({ requests }) => requests.map(hasSkill))).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(having.usage.promptTokens).toBeGreaterThan(0);
    expect([having.left, without.left]).toEqual([[], []]);
    expect(git('status', '--porcelain')).toBe('');
    expect(await readFolder(dir)).toEqual(files);
    expect(await contentsOf(join(dir, '.git'))).toEqual(repository);
  });

  test('the copy is of the commit from before the session, not of what is there now', async () => {
    const { dir, commit } = await repositoryOf();
    await commit({ 'state.txt': 'ready\n' }, '2026-01-20T00:00:00Z');
    await writeFile(join(dir, 'state.txt'), 'being edited\n');
    const { came, requests } = await run(working(['cat state.txt']), requestOf(dir));
    expect(came.kind).toBe('failed');
    expect(requests.at(-1)?.messages.at(-1)?.content).toBe('exit code 0\ndraft');
  });

  test('a session in a folder of the repository works there, and its paths lead into the copy', async () => {
    const { dir } = await repositoryOf({
      'lib/base.txt': 'x\n',
      'app/run.sh': 'grep -q ready ../lib/base.txt\n',
    });
    const app = join(dir, 'app');
    const request = requestOf(app, { command: `cd ${app} && bash run.sh`, task: `See to ${app}/run.sh.` });
    const { came, requests } = await run(working(['echo ready > ../lib/base.txt']), request);
    expect(came.kind).toBe('passed');
    const asked = requests[0]?.messages.find(({ role }) => role === 'user')?.content ?? '';
    expect([asked.includes(app), /See to \S+\/app\/run\.sh\./.test(asked)]).toEqual([false, true]);
    expect(await readFile(join(dir, 'lib/base.txt'), 'utf8')).toBe('x\n');
  });

  test('a home folder that was taken out of the transcript is the one of this machine', async () => {
    const { dir } = await repositoryOf();
    const shown = `~/${basename(dir)}`;
    const request = requestOf(shown, { command: `cd ${shown} && ${CHECK}` });
    const environment = { path: PATH, home: dirname(dir) };
    const { came } = await run(working(['echo ready > state.txt']), request, { environment });
    expect(came.kind).toBe('passed');
  });

  test('a folder that was a link when the session began is not followed', async () => {
    const { dir, git, commit } = await repositoryOf({ 'lib/a.txt': 'x\n' }, '2026-01-09T00:00:00Z');
    await symlink('lib', join(dir, 'app'));
    await commit({}, '2026-01-09T01:00:00Z');
    git('rm', '--quiet', 'app');
    await commit({ 'app/b.txt': 'x\n' }, '2026-01-20T00:00:00Z');
    const { came, left } = await run([], requestOf(join(dir, 'app')));
    expect([came.kind, came.why, left]).toEqual(['impossible', expect.stringMatching(/^app was a link/), []]);
  });

  test('installed packages can be read and not changed; a folder of them that is a link is not followed', async () => {
    const files = {
      '.gitignore': 'node_modules\n',
      'check.cjs':
        "process.exit(require('left').ready(require('fs').readFileSync('state.txt', 'utf8')) ? 0 : 1)\n",
      'state.txt': 'draft\n',
    };
    const { dir } = await repositoryOf(files);
    const elsewhere = join(await temporary('elsewhere'), 'node_modules');
    await mkdir(join(elsewhere, 'left'), { recursive: true });
    await writeFile(join(elsewhere, 'left/index.js'), "exports.ready = (text) => text === 'ready\\n'\n");
    const request = requestOf(dir, { command: 'node check.cjs' });
    await symlink(elsewhere, join(dir, 'node_modules'));
    const { came: behindLink } = await run([], request);
    expect(behindLink.why).toMatch(/^its check cannot run in the sandbox/);
    await rm(join(dir, 'node_modules'));
    await rename(elsewhere, join(dir, 'node_modules'));
    const hostile = 'echo "exports.ready = () => true" > node_modules/left/index.js';
    expect((await run(working([hostile, 'echo ready > state.txt']), request)).came.kind).toBe('passed');
    expect(await readFile(join(dir, 'node_modules/left/index.js'), 'utf8')).toContain('text ===');
    expect((await run(working([hostile]), request)).came.kind).toBe('failed');
  });

  test('a failure that a pipe hides is one', async () => {
    const { dir } = await repositoryOf({ 'run.sh': 'cat result.txt\n', 'result.txt': '1 failed\n' });
    const request = requestOf(dir, { command: 'bash run.sh 2>&1 | tail -3' });
    expect((await run(working(["echo '2 passed' > result.txt"]), request)).came).toEqual({
      kind: 'passed',
      why: 'exit code 0, "2 passed"',
    });
  });

  test.each<[string, Readonly<Record<string, string>>, Partial<ReplayRequest>, RegExp]>([
    [
      'a check that passes at once',
      { 'a.txt': 'x\n' },
      { command: 'test -f a.txt' },
      /passes before anything was done/,
    ],
    [
      'a program that is not there',
      { 'a.txt': 'x\n' },
      { command: 'no-such-tool --check' },
      /cannot run in the sandbox/,
    ],
    [
      'a check that wants the network',
      { 'a.txt': 'x\n' },
      { command: 'echo "connection refused"; exit 1' },
      /cannot run/,
    ],
    [
      'a folder that is not there',
      { 'a.txt': 'x\n' },
      { folder: '/nowhere/at-all' },
      /is not on this machine/,
    ],
    ['a folder that is no repository', { 'a.txt': 'x\n' }, { folder: '/usr' }, /is in no git repository/],
    [
      'a session from before the first commit',
      { 'a.txt': 'x\n' },
      { began: '2026-01-10T10:00:00.000Z' },
      /has no commit from before 2026-01-10T10:00:00.000Z/,
    ],
    ['a time that is none', { 'a.txt': 'x\n' }, { began: 'yesterday' }, /is no time/],
  ])('%s is impossible, and no model is asked', async (_, files, more, why) => {
    const { dir } = await repositoryOf(files);
    const { came, left, usage } = await run([], requestOf(dir, more));
    expect([came.kind, came.why, left]).toEqual(['impossible', expect.stringMatching(why), []]);
    expect(usage).toEqual({ promptTokens: 0, completionTokens: 0 });
  });

  test('a model that fails is no fault of the skill', async () => {
    const { dir } = await repositoryOf();
    const { came } = await run([{ status: 400, error: { error: { message: 'no credit' } } }], requestOf(dir));
    expect([came.kind, came.why]).toEqual(['impossible', expect.stringContaining('no credit')]);
  });

  test('an agent that does not end is stopped at its limit, which the failure says', async () => {
    const { dir } = await repositoryOf();
    const steps: Step[] = [{ always: true, toolCalls: [{ name: 'list_files', arguments: {} }] }];
    const limits = { maxTurns: 2, maxTokens: 100_000, contextTokens: 128_000 };
    const { came, requests } = await run(steps, requestOf(dir), { limits });
    expect([came.kind, requests.length]).toEqual(['failed', 2]);
    expect(came.why).toMatch(/stopped after 2 model calls/);
  });

  test('hostile commands of transcript and agent reach no server and no file outside, and what is locked goes too', async () => {
    const { dir } = await repositoryOf();
    const outside = await temporary('replay-outside');
    let reached = 0;
    const server = createServer((_, response) => {
      reached += 1;
      response.end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const call = `'${process.execPath}' -e "fetch('http://127.0.0.1:${port}/').catch(() => 0)"`;
    const evil = (name: string) =>
      [
        `touch ${outside}/${name} ${dir}/../${name}`,
        call,
        `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null`,
        'ls -A ~ | wc -l',
      ].join('; ');
    const steps: Step[] = [
      { toolCalls: [{ name: 'edit_file', arguments: { path: join(outside, 'edited'), content: 'x' } }] },
      {
        toolCalls: [
          {
            name: 'run_command',
            arguments: { command: `ln -s ${outside} way; mkdir locked; touch locked/x; chmod 0 locked` },
          },
        ],
      },
      { toolCalls: [{ name: 'edit_file', arguments: { path: 'way/linked', content: 'x' } }] },
      { toolCalls: [{ name: 'run_command', arguments: { command: evil('agent') } }] },
      { text: 'I am out.' },
    ];
    const request = requestOf(dir, { command: `${evil('transcript')}; ${CHECK}` });
    const { came, left } = await run(steps, request);
    const inside = reached;
    await promisify(execFile)('bash', ['-c', call]);
    await new Promise((closed) => server.close(closed));
    expect([came.kind, left, inside, reached]).toEqual(['failed', [], 0, 1]);
    expect(await readdir(outside)).toEqual([]);
    expect(existsSync(join(dir, '../agent')) || existsSync(join(dir, '../transcript'))).toBe(false);
  });

  test('an abort ends it and leaves nothing', async () => {
    const { dir } = await repositoryOf();
    const stop = new AbortController();
    const steps: Step[] = [
      {
        answer: () => {
          setImmediate(() => stop.abort());
          return { raw: [], ending: 'hang' };
        },
      },
    ];
    const left = await temporary('replay-tmp');
    await expect(run(steps, requestOf(dir, { signal: stop.signal }), {}, left)).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(await readdir(left)).toEqual([]);
  });
});

test.each<[string, Partial<ReplayParts>, RegExp]>([
  [
    'without bubblewrap',
    { sandbox: createSandbox({ mode: 'bubblewrap', path: '/nowhere', timeoutSeconds: 5 }) },
    /install bubblewrap/,
  ],
  [
    'unsandboxed',
    { sandbox: createSandbox({ mode: 'unsandboxed', path: PATH, timeoutSeconds: 5 }) },
    /in the sandbox alone/,
  ],
])('%s nothing runs', async (_, more, why) => {
  const { dir } = await repositoryOf({ 'a.txt': 'x\n' });
  const marker = join(await temporary('replay-marker'), 'ran');
  const { came, left } = await run([], requestOf(dir, { command: `touch ${marker}; exit 1` }), more);
  expect([came.kind, came.why, left]).toEqual(['impossible', expect.stringMatching(why), []]);
  expect(existsSync(marker)).toBe(false);
});

async function contentsOf(dir: string): Promise<Record<string, string>> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'base64')] as const)),
  );
}
