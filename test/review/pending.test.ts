import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { equalFolders, fileText, readFolder } from '../../src/files/folder.ts';
import {
  abstractOf,
  createDraft,
  exportSkill,
  NOTHING,
  PATCH_RULE,
  patchAbstract,
  patchDraft,
  RULE,
} from '../support/drafts.ts';
import { openLab, type ReviewLab } from '../support/review-lab.ts';
import { folderOf } from '../support/skills.ts';

const textOf = async (dir: string) => fileText(await readFolder(dir), 'SKILL.md') ?? '';
const patch = [{ json: patchAbstract('sales-exports') }, { json: patchDraft('sales-exports') }];

async function staged(lab: ReviewLab, steps: Parameters<ReviewLab['review']>[0] = patch): Promise<string> {
  const { outcome } = await lab.review(steps);
  if (outcome.pending === undefined) throw new Error(JSON.stringify(outcome.reasons));
  return outcome.pending;
}

/** A skill that a person wrote and committed. */
async function write(lab: ReviewLab, text: string): Promise<void> {
  await mkdir(join(lab.skills, 'sales-exports'), { recursive: true });
  await writeFile(join(lab.skills, 'sales-exports/SKILL.md'), text);
  lab.git('add', '.');
  lab.git('-c', 'user.name=p', '-c', 'user.email=p@example.org', 'commit', '-q', '-m', 'by hand');
  await lab.library.refresh();
}

describe('approve', () => {
  test('commits a new skill, which is a learned one', async () => {
    const lab = await openLab({ settings: { autonomy: 'propose' } });
    const id = await staged(lab, [{ json: abstractOf() }, { json: createDraft() }]);
    const outcome = await lab.pending.approve(id);
    const [revision] = await lab.history.log('decimal-comma-amounts');
    expect(outcome).toEqual({
      kind: 'committed',
      skill: 'decimal-comma-amounts',
      version: '1.0.0',
      sha: revision?.sha,
    });
    expect(revision?.gate).toMatch(/^pass \(.*\); approved by a person$/);
    expect(await lab.history.ownership('decimal-comma-amounts')).toBe('learned');
    expect(await lab.pending.list()).toEqual([]);
    expect((await lab.pending.list({ all: true })).map(({ state, version }) => [state, version])).toEqual([
      ['approved', '1.0.0'],
    ]);
    expect(lab.library.find('decimal-comma-amounts')?.version).toBe('1.0.0');
  });

  test('changes a written skill, which stays a written one', async () => {
    const lab = await openLab();
    await write(lab, exportSkill());
    const id = await staged(lab);
    expect(await lab.pending.approve(id)).toMatchObject({ kind: 'committed', version: '1.0.1' });
    expect(await textOf(join(lab.skills, 'sales-exports'))).toContain(RULE);
    expect(await lab.history.ownership('sales-exports')).toBe('written');
  });

  test('copies a read-only root’s skill as it is, then changes the copy', async () => {
    const original = folderOf({ 'SKILL.md': exportSkill(), 'scripts/run.sh*': '#!/bin/sh\ntrue\n' });
    const lab = await openLab({ readOnlySkills: { 'sales-exports': original } });
    const id = await staged(lab);
    expect(await lab.pending.approve(id)).toMatchObject({ kind: 'committed', version: '1.0.1' });
    expect((await lab.history.log('sales-exports')).map(({ version, actor }) => [version, actor])).toEqual([
      ['1.0.1', 'reviewer'],
      ['1.0.0', 'import'],
    ]);
    expect(equalFolders(await lab.history.folderAt('sales-exports', '1.0.0'), original)).toBe(true);
    expect(equalFolders(await readFolder(join(lab.readOnly, 'sales-exports')), original)).toBe(true);
    expect(await lab.history.ownership('sales-exports')).toBe('imported');
    expect(lab.library.find('sales-exports')?.dir).toBe(join(lab.skills, 'sales-exports'));
  });

  test('commits nothing of a person’s: uncommitted edits have to be dealt with first', async () => {
    const lab = await openLab();
    await write(lab, exportSkill());
    const mine = `${exportSkill()}- My own line.\n`;
    await writeFile(join(lab.skills, 'sales-exports/SKILL.md'), mine);
    const id = await staged(lab);
    const outcome = await lab.pending.approve(id);
    expect(outcome).toEqual({
      kind: 'refused',
      skill: 'sales-exports',
      reasons: [
        'sales-exports has edits of yours that are not committed (sales-exports/SKILL.md); commit them with git in the skills folder and approve again',
      ],
    });
    expect(await textOf(join(lab.skills, 'sales-exports'))).toBe(mine);
    lab.git('-c', 'user.name=p', '-c', 'user.email=p@example.org', 'commit', '-q', '-a', '-m', 'mine');
    expect(await lab.pending.approve(id)).toMatchObject({ kind: 'committed' });
    expect(await textOf(join(lab.skills, 'sales-exports'))).toContain('- My own line.');
  });

  test('is done once, also when asked for twice at a time', async () => {
    const lab = await openLab();
    await write(lab, exportSkill());
    const id = await staged(lab);
    const results = await Promise.allSettled([lab.pending.approve(id), lab.pending.approve(id)]);
    expect(results.map(({ status }) => status).sort((a, b) => (a < b ? -1 : 1))).toEqual([
      'fulfilled',
      'rejected',
    ]);
    expect((await textOf(join(lab.skills, 'sales-exports'))).split(RULE).length).toBe(2);
    await expect(lab.pending.approve(id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(lab.pending.reject(id, '')).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a change whose skill moved', () => {
  test('is stale; approval applies it anew to what is there', async () => {
    const lab = await openLab();
    await write(lab, exportSkill());
    const id = await staged(lab);
    await write(lab, `${exportSkill()}${PATCH_RULE}\n`);
    expect((await lab.pending.list()).map(({ state }) => state)).toEqual(['stale']);
    expect(await lab.pending.approve(id)).toMatchObject({ kind: 'committed' });
    const text = await textOf(join(lab.skills, 'sales-exports'));
    expect([text.includes(RULE), text.includes(PATCH_RULE)]).toEqual([true, true]);
  });

  test('is refused where it no longer fits, says why, and can be rejected', async () => {
    const lab = await openLab();
    await write(lab, exportSkill());
    const id = await staged(lab);
    const now = exportSkill().replace('- Look at the first lines of the export.', '- Read the header.');
    await write(lab, now);
    const outcome = await lab.pending.approve(id);
    expect(outcome).toMatchObject({
      kind: 'refused',
      reasons: [
        'sales-exports changed since this was drafted',
        expect.stringContaining('bounds/anchor-missing'),
        `\`knack skills reject ${id}\` drops it`,
      ],
    });
    expect(await textOf(join(lab.skills, 'sales-exports'))).toBe(now);
    const shown = await lab.pending.show(id);
    expect([shown.entry.state, shown.diff.split('\n')[0]]).toEqual([
      'stale',
      'no longer fits sales-exports as it is now:',
    ]);
    expect((await lab.pending.reject(id, 'outdated')).state).toBe('rejected');
    expect(await lab.pending.list()).toEqual([]);
  });

  test('a new skill whose name was taken meanwhile is refused', async () => {
    const lab = await openLab({ settings: { autonomy: 'propose' } });
    const id = await staged(lab, [{ json: abstractOf() }, { json: createDraft() }]);
    await lab.learn('decimal-comma-amounts', exportSkill('decimal-comma-amounts'));
    expect(await lab.pending.approve(id)).toMatchObject({
      kind: 'refused',
      reasons: expect.arrayContaining([expect.stringContaining('bounds/skill-exists')]),
    });
  });
});

describe('reject', () => {
  test('leaves the skill’s bytes and times alone, and the next draft for that session is told', async () => {
    const lab = await openLab();
    await write(lab, exportSkill());
    const id = await staged(lab);
    const file = join(lab.skills, 'sales-exports/SKILL.md');
    const before = await stat(file);
    expect(await lab.pending.reject(id, 'we import with points now')).toMatchObject({
      state: 'rejected',
      answer: 'we import with points now',
    });
    expect([await readFile(file, 'utf8'), (await stat(file)).mtimeMs]).toEqual([
      exportSkill(),
      before.mtimeMs,
    ]);
    await expect(lab.pending.approve(id)).rejects.toMatchObject({ code: 'conflict' });
    const { requests } = await lab.review([{ json: NOTHING }], { options: { again: true } });
    expect(requests[0]?.messages[1]?.content).toContain(
      '- a person turned it down: we import with points now',
    );
  });
});

test('a change of a session whose change was turned down waits for the person again', async () => {
  const lab = await openLab({ settings: { autonomy: 'propose' } });
  const id = await staged(lab, [{ json: abstractOf() }, { json: createDraft() }]);
  await lab.pending.reject(id, 'too particular');
  const { outcome } = await lab.review([{ json: abstractOf() }, { json: createDraft() }], {
    options: { again: true },
    parts: { settings: { ...lab.parts.settings, autonomy: 'commit' } },
  });
  expect([outcome.outcome, outcome.reasons]).toEqual([
    'staged',
    [`a change that this session taught was turned down before (${id})`],
  ]);
});

describe('what waits is shown', () => {
  test('with its diff against what is there', async () => {
    const lab = await openLab();
    await write(lab, exportSkill());
    const id = await staged(lab);
    const { entry, diff } = await lab.pending.show(id);
    expect(entry).toMatchObject({
      id,
      skill: 'sales-exports',
      decision: 'patch',
      state: 'waiting',
      summary: 'convert decimal commas before adding',
      verdict: 'pass',
      why: ['sales-exports was written or edited by a person'],
      sessions: ['session-1'],
    });
    expect(diff.split('\n').filter((line) => /^[-+]/.test(line))).toEqual([
      '--- a/SKILL.md',
      '+++ b/SKILL.md',
      '-  version: "1.0.0"',
      '+  version: "1.0.1"',
      `+${RULE}`,
    ]);
  });

  test('by a beginning of its id; an id that is none names those that are', async () => {
    const lab = await openLab();
    await write(lab, exportSkill());
    const id = await staged(lab);
    expect((await lab.pending.show(id.slice(0, 4))).entry.id).toBe(id);
    await expect(lab.pending.show('zzz')).rejects.toThrow(
      `no pending change has the id zzz; there are ${id}`,
    );
  });
});
