import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fileText, readFolder } from '../../src/files/folder.ts';
import { exportSkill, patchAbstract, patchDraft } from '../support/drafts.ts';
import { CORRECTION, openLab } from '../support/review-lab.ts';
import { startScriptedModel } from '../support/scripted-model.ts';

const RULES = [
  '- Turn decimal commas into points before adding.',
  '- Keep the header row when several files are joined.',
  '- Find columns by their label and never by their place.',
  '- Leave cells without an amount empty in the result.',
];

const CASES: [title: string, skills: string[]][] = [
  ['each of a skill of its own', ['sales-exports', 'bank-exports', 'time-exports', 'stock-exports']],
  ['two of them of one skill', ['sales-exports', 'sales-exports', 'bank-exports', 'time-exports']],
  ['all of one skill', ['sales-exports', 'sales-exports', 'sales-exports', 'sales-exports']],
];

test.each(CASES)(
  'four processes that review at once, %s, lose nothing: each lesson is committed on top of the others',
  {
    timeout: 300_000,
  },
  async (_, skills) => {
    const lab = await openLab();
    for (const name of new Set(skills)) await lab.learn(name, exportSkill(name));
    const outcomes = await Promise.all(
      skills.map(async (skill, index) => {
        const session = `session-${index}`;
        const evidence = [{ session, event: 'e5', quote: CORRECTION }];
        const server = await startScriptedModel([
          { json: patchAbstract(skill) },
          { json: patchDraft(skill, { text: RULES[index], evidence }) },
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
    expect(outcomes).toEqual(
      skills.map(() => ({ outcome: 'committed', reasons: ['convert decimal commas before adding'] })),
    );
    for (const name of new Set(skills)) {
      const taught = RULES.filter((_rule, index) => skills[index] === name);
      const text = fileText(await readFolder(join(lab.skills, name)), 'SKILL.md') ?? '';
      const lines = text.split('\n');
      expect(taught.map((rule) => lines.filter((line) => line === rule).length)).toEqual(taught.map(() => 1));
      const versions = (await lab.history.log(name)).map(({ version }) => version).reverse();
      expect(versions).toEqual(['1.0.0', ...taught.map((_rule, index) => `1.0.${index + 1}`)]);
    }
    expect([lab.git('status', '--porcelain'), lab.git('fsck', '--strict')]).toEqual(['', '']);
    const ends = (await lab.ledger.entries()).filter((entry) => entry.type === 'review-end');
    expect(ends.length).toBe(skills.length);
  },
);
