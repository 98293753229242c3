import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createHistory } from '../../src/history/history.ts';
import { openRuntime } from '../../src/runtime/runtime.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const PATH = process.env['PATH'] ?? '';
const GIT = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
const CHANGE = {
  skill: 'csv',
  what: 'change it',
  why: 'y',
  actor: 'reviewer',
  sessions: [],
  operations: [],
} as const;
const [one, two] = ['one', 'two'].map((body) => folderOf({ 'SKILL.md': skillText('csv', body) }));

const git = (home: string, ...args: string[]) =>
  execFileSync(GIT, ['-c', 'user.name=p', '-c', 'user.email=p@localhost', ...args], {
    cwd: home,
    env: { PATH, HOME: home },
  });

type Layout = 'of its own' | 'of a worktree' | 'around it';

/** A skill that was moved aside when its writer was killed, which git was told of by the writer's own journal. */
async function killed(layout: Layout, home: string): Promise<string> {
  const workspace = join(home, 'workspace');
  const skills = join(workspace, 'skills');
  await mkdir(workspace, { recursive: true });
  if (layout !== 'of its own') {
    git(home, 'init', '--quiet', '--initial-branch=main', layout === 'around it' ? '.' : 'team');
    git(join(home, layout === 'around it' ? '.' : 'team'), 'commit', '--quiet', '--allow-empty', '-mfirst');
  }
  if (layout === 'of a worktree') git(join(home, 'team'), 'worktree', 'add', '--quiet', '-b', 'mine', skills);
  const inRepository = layout === 'around it';
  if (inRepository)
    await writeFile(join(workspace, 'knack.json'), JSON.stringify({ history: { inRepository } }));
  const openWith = (path: string) =>
    createHistory({ root: skills, environment: { home, path }, inRepository });
  await openWith(PATH).commit({ ...CHANGE, base: undefined, target: one, to: '1.0.0' });
  // What the writer leaves on the disk when it is stopped at its commit, kept and put there again.
  const bin = await temporary('bin');
  const gitDir = execFileSync(GIT, ['rev-parse', '--absolute-git-dir'], { cwd: skills }).toString().trim();
  const area = join(
    gitDir,
    (await readdir(gitDir)).find((name) => /^knack(-\w{12})?$/.test(name)) ?? 'knack',
  );
  const script = `#!/bin/sh\ncase "$*" in *fast-import*) cp -a ${area} ${bin}/kept; exit 1;; esac\nexec ${GIT} "$@"\n`;
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  await expect(
    openWith(`${bin}:${PATH}`).commit({ ...CHANGE, base: one, target: two, to: '1.1.0' }),
  ).rejects.toMatchObject({ code: 'git-failed' });
  await rm(area, { recursive: true, force: true });
  await cp(join(bin, 'kept'), area, { recursive: true });
  await rm(join(skills, 'csv'), { recursive: true });
  return workspace;
}

async function namesIn(workspace: string) {
  const lines: string[] = [];
  const runtime = await openRuntime({
    workspace,
    environment: {
      workspace: undefined,
      apiKey: undefined,
      baseUrl: undefined,
      model: undefined,
      debug: false,
      home: dirname(workspace),
      path: PATH,
      secrets: [],
    },
    log: (line) => lines.push(line),
  });
  const { skills } = await runtime.library();
  await runtime.close();
  return { has: skills.some(({ name }) => name === 'csv'), lines };
}

test.each(['of its own', 'of a worktree', 'around it'] as const)(
  'a library whose writer was killed amid a change lists the skill, in a repository %s',
  async (layout) => {
    const workspace = await killed(layout, await temporary('open-intent'));
    expect(await namesIn(workspace)).toEqual({
      has: true,
      lines: ['csv: an interrupted change was undone'],
    });
    expect(await namesIn(workspace)).toEqual({ has: true, lines: [] });
  },
);

test('where nothing can be written that is said, and the rest is listed', async ({ skip }) => {
  const disk = await mountSmallDisk();
  if (disk === undefined) return skip();
  try {
    const workspace = await killed('of its own', disk.dir);
    await mkdir(join(workspace, 'logs'), { recursive: true });
    disk.setReadOnly(true);
    const { has, lines } = await namesIn(workspace);
    expect([has, lines.filter((line) => line.includes('interrupted'))]).toEqual([
      false,
      [expect.stringContaining('cannot be mended now')],
    ]);
    disk.setReadOnly(false);
    expect((await namesIn(workspace)).has).toBe(true);
  } finally {
    disk.unmount();
  }
});
