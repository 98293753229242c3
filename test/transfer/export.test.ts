import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportSkill } from '../../src/transfer/export.ts';
import { skillText, temporary } from '../support/skills.ts';
import { outcomes, placeAt, transferLab } from './transfer-lab.ts';

/** A workspace of these files, and a way to hand out one of its skills. */
async function given(files: Readonly<Record<string, string>>) {
  const lab = await transferLab();
  await lab.skills.write(files);
  const to = join(await temporary('export'), 'out');
  const hand = async (name: string, options: { evals?: boolean; dryRun?: boolean; to?: string } = {}) => {
    const runtime = await lab.open();
    const parts = { workspace: runtime.workspace, history: await runtime.history() };
    return exportSkill(parts, await runtime.skill(name), { to, evals: true, dryRun: false, ...options });
  };
  return { lab, to, hand };
}

test('a skill goes out in the strict form, with its modes and inner links', async () => {
  const { to, hand } = await given({
    'words/SKILL.md': '---\nname: Words\ndescription: Use for: words\ntags: [a]\n---\n\n# Words\n',
    'words/scripts/go.sh*': '#!/bin/sh\n',
    'words/references/a.md': 'A\n',
    'words/references/b.md@': 'a.md',
    'words/more@': 'references',
  });
  expect(await hand('words')).toMatchObject({ name: 'words', outcome: 'exported', problems: [] });
  const out = join(to, 'words');
  expect(execFileSync('cat', [join(out, 'SKILL.md')]).toString()).toBe(
    '---\nname: words\ndescription: "Use for: words"\nmetadata:\n  tags: "a"\n---\n\n# Words\n',
  );
  expect(statSync(join(out, 'scripts/go.sh')).mode & 0o777).toBe(0o755);
  expect([readlinkSync(join(out, 'references/b.md')), readlinkSync(join(out, 'more'))]).toEqual([
    'a.md',
    'references',
  ]);
  expect(readdirSync(to)).toEqual(['words']);
  expect(await hand('words')).toMatchObject({ outcome: 'unchanged' });
});

test('a different folder that is there stays as it is', async () => {
  const { lab, to, hand } = await given({ 'words/SKILL.md': skillText('words', '# Words') });
  await hand('words');
  await lab.skills.write({ 'words/SKILL.md': skillText('words', '# New words') });
  expect(await hand('words')).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining('is there and differs'),
  });
  expect(execFileSync('cat', [join(to, 'words/SKILL.md')]).toString()).toBe(skillText('words', '# Words'));
});

test('what git ignores and, if not wanted, the evals stay at home; what takes judgement is named', async () => {
  const { to, hand } = await given({
    'words/SKILL.md': `---\nname: words\ndescription: ${'x'.repeat(1100)}\n---\n# Words\n`,
    'words/.gitignore': 'secret.txt\n',
    'words/secret.txt': 'SENTINEL\n',
    'words/evals/triggers.json': '[]\n',
  });
  expect(await hand('words', { evals: false })).toMatchObject({
    outcome: 'exported',
    problems: [{ rule: 'description-too-long' }],
  });
  expect(readdirSync(join(to, 'words')).sort()).toEqual(['.gitignore', 'SKILL.md']);
});

test('whatever keeps the written file from being strict is named, a mere remark here too', async () => {
  const { hand } = await given({
    'words/SKILL.md': '---\nname: words\ndescription: Words.\nhooks: x\nwhim: y\n---\n# Words\n',
  });
  const { outcome, problems } = await hand('words');
  expect([outcome, problems.map(({ rule, message }) => [rule, message])]).toEqual([
    'exported',
    [
      [
        'unknown-field',
        'not in the specification: hooks; agents may read that at the top level alone, and moved it would no longer hold: judge yourself',
      ],
    ],
  ]);
});

test('a link that leads out is never followed, and the library is no place to export to', async () => {
  const outside = await temporary('outside');
  const { lab, to, hand } = await given({
    'leaky/SKILL.md': skillText('leaky', '# Leaky'),
    'leaky/notes@': outside,
    'words/SKILL.md': skillText('words', '# Words'),
  });
  expect(await hand('leaky')).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining('leads out of'),
  });
  expect(existsSync(join(to, 'leaky'))).toBe(false);
  expect(await hand('words', { to: join(lab.skills.dir, 'words/inner') })).toMatchObject({
    outcome: 'refused',
  });
  expect(await hand('words', { dryRun: true })).toMatchObject({ outcome: 'would-export' });
  expect(existsSync(to)).toBe(false);
});

test('a link in the place of the export is no folder to look into', async () => {
  const { lab, to, hand } = await given({ 'words/SKILL.md': skillText('words', '# Words') });
  const { placeAt } = await import('./transfer-lab.ts');
  await placeAt(to).write({ 'words@': join(lab.skills.dir, 'words') });
  expect(await hand('words')).toMatchObject({ outcome: 'refused' });
  expect(lstatSync(join(to, 'words')).isSymbolicLink()).toBe(true);
});

test('a link to what does not go along goes as what was read through it', async () => {
  const { lab, to, hand } = await given({
    'words/SKILL.md': skillText('words', '# Words'),
    'words/.gitignore': 'build/\n',
    'words/build/table.csv': 'data\n',
    'words/node_modules/m/x.js': 'x\n',
    'words/evals/evals.json': '{}\n',
    'words/table.csv@': 'build/table.csv',
    'words/tables@': 'build',
    'words/run.js@': 'node_modules/m/x.js',
    'words/cases.json@': 'evals/evals.json',
  });
  expect(await hand('words', { evals: false })).toMatchObject({ outcome: 'exported' });
  const out = placeAt(join(to, 'words'));
  expect(
    await Promise.all(
      ['table.csv', 'tables/table.csv', 'run.js', 'cases.json'].map((path) => out.read(path)),
    ),
  ).toEqual(['data\n', 'data\n', 'x\n', '{}\n']);
  expect(readdirSync(out.dir).sort()).toEqual([
    '.gitignore',
    'SKILL.md',
    'cases.json',
    'run.js',
    'table.csv',
    'tables',
  ]);
  expect(await hand('words', { evals: false })).toMatchObject({ outcome: 'unchanged' });
  expect(outcomes((await lab.add(to, { as: 'again' })).skills)).toEqual({ again: 'added' });
});
