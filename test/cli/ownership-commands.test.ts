import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createHistory } from '../../src/history/history.ts';
import { freshKnack } from '../support/command-line.ts';
import { folderOf, skillText } from '../support/skills.ts';

const { knack, workspace } = await freshKnack('ownership');
const git = (...args: string[]) =>
  execFileSync(
    'git',
    ['-C', join(workspace, 'skills'), '-c', 'user.name=a', '-c', 'user.email=a@b', ...args],
    {
      encoding: 'utf8',
    },
  );

async function commit(name: string, body: string, version: string): Promise<void> {
  await mkdir(join(workspace, 'skills', name), { recursive: true });
  await writeFile(join(workspace, 'skills', name, 'SKILL.md'), skillText(name, body, { version }));
  git('add', '-A');
  git('commit', '--quiet', '--message', `${name} ${version}`);
}

const owner = async (name: string) =>
  JSON.parse((await knack(['skills', 'show', name, '--json'])).stdout).owner;

beforeAll(async () => {
  await knack(['init']);
  for (const [version, body] of [
    ['1.0.0', '- works'],
    ['1.1.0', '- works\n- more'],
    ['1.2.0', '- broken'],
    ['1.3.0', '- broken\n- more'],
  ] as const)
    await commit('steps', body, version);
  await commit('other', '- see steps', '1.0.0');
});

test('a skill is handed to knack and back, each with a version of its own', async () => {
  expect(await owner('steps')).toBe('written');
  const adopted = await knack(['skills', 'adopt', 'steps']);
  expect([adopted.code, adopted.stdout]).toEqual([
    0,
    expect.stringMatching(/^steps \d+\.\d+\.\d+: knack may/),
  ]);
  expect(await owner('steps')).toBe('learned');
  const again = await knack(['skills', 'adopt', 'steps']);
  expect([again.code, again.stdout]).toEqual([0, 'steps is learned already\n']);
  expect((await knack(['skills', 'own', 'steps'])).code).toBe(0);
  expect(await owner('steps')).toBe('written');
  await knack(['skills', 'adopt', 'steps']);
  await commit('steps', '- mine', '1.4.0');
  expect(await owner('steps')).toBe('written');
});

describe('bisect', () => {
  const run = (cmd: string) => knack(['skills', 'bisect', 'steps', '--cmd', cmd, '--json']);

  test('names the first version that fails', async () => {
    const found = await run('! grep -qE "broken|mine" SKILL.md');
    expect(JSON.parse(found.stdout)).toMatchObject({
      broken: { version: '1.2.0' },
      before: { version: '1.1.0' },
      untold: [],
    });
  });

  test('steps over versions that cannot be told', async () => {
    const found = await run('grep -q "broken" SKILL.md && exit 125; ! grep -q mine SKILL.md');
    expect(JSON.parse(found.stdout).untold.map(({ version }: { version: string }) => version)).toContain(
      '1.2.0',
    );
  });

  test.each([
    ['true', /passes, so nothing broke/],
    ['false', /no earlier version of steps passes/],
  ])('%s breaks nowhere', async (cmd, message) => {
    const { code, stderr } = await run(cmd);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe('bisect and show refuse what cannot be meant', () => {
  test('a command that is not there breaks no version', async () => {
    const { code, stderr } = await knack(['skills', 'bisect', 'steps', '--cmd', 'nosuchcmd']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/the command "nosuchcmd" could not be run \(exit code 127\): .*not found/),
    ]);
  });

  test('a version that is none names those that there are, in their order', async () => {
    const { code, stderr } = await knack(['skills', 'show', 'steps@9.9.9']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/it has 1\.4\.0, .*, 1\.3\.0, 1\.2\.0, 1\.1\.0, 1\.0\.0/),
    ]);
    expect((await knack(['skills', 'show', 'steps@'])).code).toBe(2);
  });

  test('a rollback is shown before it is made', async () => {
    const { code, stdout } = await knack(['skills', 'rollback', 'steps', '--to', '1.2.0', '--dry-run']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^-- mine\n\+- broken$/m)]);
    expect((await knack(['skills', 'show', 'steps'])).stdout).toContain('- mine');
  });
});

describe('retire and restore', () => {
  test('a name that others relate to does not disappear, unless another skill answers to it', async () => {
    await mkdir(join(workspace, 'skills', 'related'), { recursive: true });
    await writeFile(
      join(workspace, 'skills', 'related', 'SKILL.md'),
      skillText('related', '- x').replace('\n---\n', '\nrelated_skills: [steps]\n---\n'),
    );
    git('add', '-A');
    git('commit', '--quiet', '--message', 'related');
    const { code, stderr } = await knack(['skills', 'retire', 'steps']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('related names steps')]);
    const into = await knack(['skills', 'retire', 'steps', '--into', 'other']);
    expect([into.code, into.stdout]).toEqual([
      0,
      expect.stringMatching(/other answers to its name and is \d+\.\d+\.\d+ now;/),
    ]);
    const shown = JSON.parse((await knack(['skills', 'show', 'steps', '--json'])).stdout);
    expect(shown.name).toBe('other');
    expect(await owner('other')).toBe('written');
  });

  test('a name that is an alias now says so, and that it was a skill', async () => {
    const { code, stderr } = await knack(['skills', 'show', 'steps']);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^note: steps is an alias of other; steps was retired on .* `knack skills restore steps` brings it back\n$/,
      ),
    ]);
    const again = await knack(['skills', 'retire', 'steps']);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('knack skills restore steps')]);
    const back = await knack(['skills', 'rollback', 'other', '--dry-run']);
    expect([back.code, back.stderr]).toEqual([
      0,
      'note: steps, which it answers to, would be back in the library\n',
    ]);
  });

  test('what was retired is listed, and comes back as it was, with its name for itself', async () => {
    const listed = async () =>
      JSON.parse((await knack(['skills', 'list', '--all', '--json'])).stdout).skills.filter(
        ({ state }: { state: string }) => state === 'retired',
      );
    expect(await listed()).toEqual([
      {
        name: 'steps',
        state: 'retired',
        root: 'workspace',
        path: join(workspace, 'skills', 'steps', 'SKILL.md'),
        description: '',
        why: expect.stringMatching(/^on \d{4}-\d\d-\d\d; `knack skills restore steps` brings it back$/),
      },
    ]);
    const { code, stdout, stderr } = await knack(['skills', 'restore', 'steps']);
    expect([code, stdout]).toEqual([0, 'steps 1.4.0 is back, as it was\n']);
    expect(stderr).toBe('note: other answers to steps no more (1.2.0)\n');
    expect(git('show', 'HEAD:other/SKILL.md')).not.toContain('steps,');
    expect(await listed()).toEqual([]);
    expect((await knack(['skills', 'restore', 'steps'])).code).toBe(1);
    await knack(['skills', 'retire', 'steps', '--force']);
    expect((await knack(['skills', 'show', 'steps'])).code).toBe(1);
    await knack(['skills', 'restore', 'steps']);
  });

  test('a retired name says what became of it', async () => {
    expect((await knack(['skills', 'retire', 'related'])).code).toBe(0);
    const { code, stderr } = await knack(['skills', 'show', 'related']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/related was taken out .* restore related/)]);
  });

  test.each(['retire', 'own'])('%s of a skill that is in no commit says to commit it', async (command) => {
    await mkdir(join(workspace, 'skills', 'mine'), { recursive: true });
    await writeFile(join(workspace, 'skills', 'mine', 'SKILL.md'), skillText('mine', '- x'));
    const { code, stderr } = await knack(['skills', command, 'mine']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`commit it first: git -C ${join(workspace, 'skills')} add mine`),
    ]);
  });
});

test('a skill of a root that is only read is made one’s own as a copy, and comes back when that is retired', async () => {
  const refused = await knack(['skills', 'retire', 'jq-json']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('knack skills own jq-json')]);
  const { code, stdout } = await knack(['skills', 'own', 'jq-json']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('is yours to change')]);
  const shown = JSON.parse((await knack(['skills', 'show', 'jq-json', '--json'])).stdout);
  expect([shown.root, shown.owner]).toEqual(['workspace', 'written']);
  const retired = await knack(['skills', 'retire', 'jq-json']);
  expect([retired.code, retired.stderr]).toEqual([
    0,
    expect.stringContaining('that of the root bundled stands in its place now'),
  ]);
});

test('what is bundled is called so, also once it was copied and taken back', async () => {
  const { knack: other } = await freshKnack('bundled');
  expect((await other(['skills', 'show', 'jq-json'])).stdout).toContain('(bundled, root bundled)');
  await other(['init']);
  await other(['skills', 'own', 'jq-json']);
  expect((await other(['skills', 'log', 'jq-json'])).stdout).toMatch(/^jq-json .* bundled\n {4}copy from/);
  const updated = await other(['skills', 'update', 'jq-json']);
  expect([updated.code, updated.stderr]).toEqual([
    1,
    expect.stringContaining('jq-json is a copy from the root bundled, which is no source'),
  ]);
  expect((await other(['skills', 'rollback', 'jq-json'])).stdout).toContain(
    'jq-json is taken out of the workspace, and that of the root bundled is used again',
  );
});

test('doctor warns of a history that is gone', async () => {
  const { knack: other, workspace: place } = await freshKnack('gone');
  await other(['init']);
  const end = {
    type: 'review-end',
    id: 'r',
    at: '2026-01-01T00:00:00Z',
    session: 's',
    events: 1,
    prefix: 'p',
  };
  const ledger = join(place, 'logs', 'ledger.jsonl');
  await mkdir(dirname(ledger), { recursive: true });
  const rest = {
    outcome: 'committed',
    sha: 'a'.repeat(40),
    tokens: { reviewer: 0, judge: 0, total: 0 },
    reasons: [],
  };
  await writeFile(ledger, `${JSON.stringify({ ...end, ...rest })}\n`);
  expect((await other(['doctor'])).stdout).toContain('although 1 review committed there');
});

test('revoke asks for a session, and names one that taught nothing', async () => {
  expect((await knack(['skills', 'revoke'])).code).toBe(2);
  const { code, stderr } = await knack(['skills', 'revoke', '--session', 'nobody']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('no revision names the session nobody')]);
});

test.each(['retire', 'restore', 'adopt', 'own'])(
  '%s of a path is no skill, and git is not asked',
  async (verb) => {
    const { code, stderr } = await knack(['skills', verb, '../steps']);
    expect([code, /fatal|git log/.test(stderr), stderr.startsWith('knack: ')]).toEqual([1, false, true]);
  },
);

test('a skill of which nothing is left after a revocation is offered no restore', async () => {
  const { knack: other, workspace: place } = await freshKnack('emptied');
  await other(['init']);
  const history = createHistory({
    root: join(place, 'skills'),
    environment: { home: place, path: process.env['PATH'] ?? '' },
  });
  const target = folderOf({ 'SKILL.md': skillText('tables', '- One.', { version: '1.0.0' }) });
  await history.commit({
    skill: 'tables',
    base: undefined,
    target,
    to: '1.0.0',
    what: 'x',
    why: 'y',
    actor: 'reviewer',
    sessions: [{ id: 's1', events: ['e1'] }],
    operations: [],
  });
  expect((await other(['skills', 'revoke', '--session', 's1'])).code).toBe(0);
  const { stderr } = await other(['skills', 'show', 'tables']);
  expect(stderr).toContain('all that it said came from sessions that were revoked');
  expect(stderr).not.toContain('skills restore');
});
