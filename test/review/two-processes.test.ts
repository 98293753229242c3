import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fileText, readFolder } from '../../src/folder.ts';
import { exportSkill, patchAbstract, patchDraft } from '../support/drafts.ts';
import { CORRECTION, openLab } from '../support/review-lab.ts';
import { startScriptedModel } from '../support/scripted-model.ts';

const RULES = [
  '- Turn decimal commas into points before adding.',
  '- Turn decimal commas into points before comparing two columns.',
];

test('two processes that review at once lose nothing: each lesson is committed, on top of the others', {
  timeout: 300_000,
}, async () => {
  const lab = await openLab();
  await lab.learn('sales-exports', exportSkill());
  const outcomes = await Promise.all(
    RULES.map(async (rule, index) => {
      const session = `session-${index}`;
      const evidence = [{ session, event: 'e5', quote: CORRECTION }];
      const server = await startScriptedModel([
        { json: patchAbstract('sales-exports') },
        { json: patchDraft('sales-exports', { text: rule, evidence }) },
      ]);
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--import',
        'tsx',
        resolve(import.meta.dirname, '../support/review-child.ts'),
        join(lab.skills, '..'),
        session,
        server.url,
      ]);
      await server.close();
      return JSON.parse(stdout) as { outcome: string; reasons: string[] };
    }),
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(RULES.map(() => 'committed'));
  const text = fileText(await readFolder(join(lab.skills, 'sales-exports')), 'SKILL.md') ?? '';
  expect(RULES.filter((rule) => text.split('\n').filter((line) => line === rule).length !== 1)).toEqual([]);
  const revisions = await lab.history.log('sales-exports');
  expect(revisions.map(({ version }) => version)).toEqual(['1.0.2', '1.0.1', '1.0.0']);
  expect([lab.git('status', '--porcelain'), lab.git('fsck', '--strict')]).toEqual(['', '']);
  const ends = (await lab.ledger.entries()).filter((entry) => entry.type === 'review-end');
  expect(ends.length).toBe(RULES.length);
});
