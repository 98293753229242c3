import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';

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
  expect((await knack(['skills', 'adopt', 'steps'])).code).toBe(0);
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
    ['false', /first version of steps does not pass either/],
  ])('%s breaks nowhere', async (cmd, message) => {
    const { code, stderr } = await run(cmd);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
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
    expect([into.code, into.stdout]).toEqual([0, expect.stringContaining('other answers to its name')]);
    const shown = JSON.parse((await knack(['skills', 'show', 'steps', '--json'])).stdout);
    expect(shown.name).toBe('other');
    expect(await owner('other')).toBe('written');
  });

  test('what was retired comes back as it was', async () => {
    const { code, stdout } = await knack(['skills', 'restore', 'steps']);
    expect([code, stdout]).toEqual([0, 'steps 1.4.0 is back, as it was\n']);
    expect((await knack(['skills', 'restore', 'steps'])).code).toBe(1);
  });

  test('a retired name says what became of it', async () => {
    expect((await knack(['skills', 'retire', 'related'])).code).toBe(0);
    const { code, stderr } = await knack(['skills', 'show', 'related']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/related was taken out .* restore related/)]);
  });
});

test('revoke asks for a session, and names one that taught nothing', async () => {
  expect((await knack(['skills', 'revoke'])).code).toBe(2);
  const { code, stderr } = await knack(['skills', 'revoke', '--session', 'nobody']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('no revision names the session nobody')]);
});
