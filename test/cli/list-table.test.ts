import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listTable } from '../../src/cli/list-table.ts';
import { freshKnack } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';

const LONG = 'creating-oracle-to-postgres-master-migration-plan';
const DESCRIPTION =
  'Reads tables out of PDF files. Use when a form has to be filled in by a program, '.repeat(3);
const ROWS = [
  ['pdf', '1.0.0', 'workspace', DESCRIPTION],
  [LONG, '-', 'bundled', DESCRIPTION],
  ['周报', '-', 'bundled', 'Writes reports.'],
];

test('a name that would leave a terminal no room for descriptions stands whole on a line of its own', () => {
  expect(listTable(ROWS, 80).split('\n')).toEqual([
    `pdf${' '.repeat(26)}  1.0.0  workspace  Reads tables out of PDF files.…`,
    LONG,
    `${' '.repeat(29)}  -      bundled    Reads tables out of PDF files.…`,
    `周报${' '.repeat(25)}  -      bundled    Writes reports.`,
  ]);
});

test.each([
  [60, 24],
  [80, 29],
  [120, LONG.length],
  [undefined, LONG.length],
])('in %s columns names take %s, and none is cut', (columns, named) => {
  const lines = listTable(ROWS, columns).split('\n');
  expect(lines[0]?.indexOf('  1.0.0')).toBe(named);
  expect(lines.filter((line) => line.startsWith(LONG))).toHaveLength(1);
  if (columns !== undefined)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
});

test('in a pipe each skill is one line with its whole name', () => {
  const name = 'x'.repeat(90);
  const lines = listTable([...ROWS, [name, '-', 'bundled', 'Is long.']], undefined).split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['pdf', LONG, '周报', name]);
});

test('a name of `skills list` in a pipe is one that `skills show` takes', async () => {
  const { knack, workspace } = await freshKnack('list-names');
  const dir = join(workspace, 'skills', LONG);
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'SKILL.md'), skillText(LONG, '- x'));
  const { stdout } = await knack(['skills', 'list']);
  const names = stdout.split('\n').flatMap((line) => line.split(' ')[0] || []);
  expect(names).toContain(LONG);
  for (const each of [LONG, names[0] ?? ''])
    expect((await knack(['skills', 'show', each, '--json'])).code).toBe(0);
});
