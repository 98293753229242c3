import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFolder, writeFolder } from '../../src/files/folder.ts';
import { digestOf } from '../../src/history/tree.ts';
import { exportSkill, patchAbstract, patchDraft } from '../support/drafts.ts';
import { openLab, type ReviewLab } from '../support/review-lab.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { folderOf, skillText } from '../support/skills.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let disk: SmallDisk | undefined;
beforeEach(async ({ skip }) => {
  disk = await mountSmallDisk();
  if (disk === undefined) skip('a disk can only be mounted by root on Linux');
});
afterEach(() => disk?.unmount());

/** The disk with a workspace on it: a skill of two versions, and a change of it that waits. */
async function prepare(): Promise<{ disk: SmallDisk; workspace: string; lab: ReviewLab; pending: string }> {
  if (disk === undefined) throw new Error('there is no disk');
  const workspace = join(disk.dir, 'workspace');
  const lab = await openLab({ at: workspace });
  await lab.learn('sales-exports', exportSkill());
  const steps = [{ json: patchAbstract('sales-exports') }, { json: patchDraft('sales-exports') }];
  await lab.review(steps);
  const waiting = await openLab({ at: workspace, settings: { autonomy: 'propose' } });
  const { outcome } = await waiting.review(
    [
      { json: patchAbstract('sales-exports') },
      { json: patchDraft('sales-exports', { text: '- Turn decimal commas into points before sorting.' }) },
    ],
    { options: { again: true } },
  );
  return { disk, workspace, lab, pending: outcome.pending ?? JSON.stringify(outcome.reasons) };
}

function knack(workspace: string, args: string[], input = '', env: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; lines: string[] }>((done) => {
    const child = execFile(
      process.execPath,
      [join(ROOT, 'dist/knack.mjs'), ...args, '--workspace', workspace],
      { env: { PATH: process.env['PATH'] ?? '', HOME: workspace, ...env } },
      (error, stdout, stderr) =>
        done({
          code: typeof error?.code === 'number' ? error.code : 0,
          stdout,
          lines: stderr.split('\n').filter((line) => line !== ''),
        }),
    );
    child.stdin?.end(input);
  });
}

const versions = async (lab: ReviewLab) =>
  (await lab.history.log('sales-exports')).map(({ version }) => version);

test.each([
  ['rollback', (_: string) => ['skills', 'rollback', 'sales-exports'], '1.0.0'],
  ['approve', (pending: string) => ['skills', 'approve', pending], '1.0.2'],
])(
  '%s on a full disk says what to do and leaves the old version; with space it is done',
  {
    timeout: 120_000,
  },
  async (_, argsOf, next) => {
    const { disk, workspace, lab, pending } = await prepare();
    const args = argsOf(pending);
    for (const left of [0, 12, 20, 28].map((pages) => pages * 1024)) {
      disk.fill(left);
      const { code, lines } = await knack(workspace, args);
      disk.free();
      if (left === 0) expect(code).toBe(1);
      // With that much room it may fit.
      if (code === 0) break;
      expect(lines).toEqual([
        expect.stringMatching(/^knack: .*(free some space|the disk is full).*the old version stands$/),
      ]);
      expect([await versions(lab), existsSync(join(lab.skills, '.git/knack/intent.json'))]).toEqual([
        ['1.0.1', '1.0.0'],
        false,
      ]);
      expect([lab.git('status', '--porcelain'), lab.git('fsck', '--strict', '--no-dangling')]).toEqual([
        '',
        '',
      ]);
    }
    if ((await versions(lab)).length === 2) expect((await knack(workspace, args)).code).toBe(0);
    expect(await versions(lab)).toEqual([next, '1.0.1', '1.0.0']);
  },
);

test('init on a full disk says what to do, and with space makes the workspace whole', async () => {
  if (disk === undefined) return;
  const workspace = join(disk.dir, 'new');
  disk.fill(0);
  const { code, lines } = await knack(workspace, ['init']);
  expect([code, lines]).toEqual([
    1,
    [`new workspace ${workspace}`, expect.stringContaining('free some space and run it again')],
  ]);
  disk.free();
  expect((await knack(workspace, ['init'])).code).toBe(0);
  const lab = await openLab({ at: workspace });
  await lab.learn('sales-exports', exportSkill());
  expect(lab.git('fsck', '--strict')).toBe('');
});

test('a message to a chat on a full disk is not sent, and the chat ends with 1', async () => {
  const { disk, workspace } = await prepare();
  disk.fill(0);
  const server = await startScriptedModel([]);
  const env = { OPENAI_BASE_URL: server.url, KNACK_MODEL: 'scripted' };
  const { code, lines } = await knack(workspace, ['chat'], 'hello\n', env);
  await server.close();
  expect([code, lines]).toEqual([
    1,
    [expect.stringMatching(/^knack: cannot write the session log .*; free some space and run it again$/)],
  ]);
});

test('a change that was interrupted on a disk that is read-only since is mended when it can be written again', async () => {
  const { disk, workspace, lab } = await prepare();
  const area = join(lab.skills, '.git/knack');
  const base = digestOf(await readFolder(join(lab.skills, 'sales-exports')));
  await mkdir(area, { recursive: true });
  await writeFile(join(area, 'intent.json'), JSON.stringify({ skill: 'sales-exports', base, target: 'x' }));
  await rename(join(lab.skills, 'sales-exports'), join(area, 'previous'));
  disk.setReadOnly(true);
  expect(await knack(workspace, ['skills', 'log', 'sales-exports'])).toMatchObject({
    code: 0,
    lines: [expect.stringMatching(/^an interrupted change in .* cannot be mended now: .*EROFS/)],
  });
  disk.setReadOnly(false);
  expect(await knack(workspace, ['skills', 'log', 'sales-exports'])).toMatchObject({
    code: 0,
    lines: ['sales-exports: an interrupted change was undone'],
  });
  expect(lab.git('status', '--porcelain')).toBe('');
});

test('a read-only workspace without a repository can be read', { timeout: 60_000 }, async () => {
  if (disk === undefined) return;
  const workspace = join(disk.dir, 'bare');
  await writeFolder(
    join(workspace, 'skills/csv'),
    folderOf({ 'SKILL.md': skillText('csv', '- look first') }),
  );
  disk.setReadOnly(true);
  for (const [args, code] of [
    [['skills', 'show', 'csv'], 0],
    [['skills', 'log'], 0],
    [['skills', 'rollback', 'csv'], 1],
    [['init'], 1],
  ] as const)
    expect([args, (await knack(workspace, [...args])).code]).toEqual([args, code]);
});

test('a read-only workspace can be read, and what would write says so', { timeout: 60_000 }, async () => {
  const { disk, workspace, pending } = await prepare();
  disk.setReadOnly(true);
  for (const args of [
    ['skills', 'list'],
    ['skills', 'search', 'sales export'],
    ['skills', 'log', 'sales-exports'],
    ['skills', 'show', 'sales-exports'],
    ['skills', 'show', 'sales-exports@1.0.0'],
    ['skills', 'pending', pending],
    ['gate', join(workspace, 'skills/sales-exports'), '--json'],
  ])
    expect([args, await knack(workspace, args)]).toMatchObject([args, { code: 0, lines: [] }]);
  for (const args of [
    ['init', join(disk.dir, 'new')],
    ['skills', 'rollback', 'sales-exports'],
    ['skills', 'approve', pending],
    ['skills', 'reject', pending],
  ])
    expect([args, await knack(workspace, args)]).toMatchObject([
      args,
      {
        code: 1,
        lines: [expect.stringMatching(/^knack: .*EROFS: read-only file system.*; make it writable/)],
      },
    ]);
});
