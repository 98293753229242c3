import { expect, test } from 'vitest';
import { type Folder, fileText } from '../../src/files/folder.ts';
import { applyDraft } from '../../src/gate/apply-draft.ts';
import type { Draft, DraftOperation } from '../../src/gate/draft.ts';
import { cite, draftOf, NAME, skillFolder } from '../support/gate-lab.ts';
import { folderOf, skillText } from '../support/skills.ts';

const BODY = '# Cleaning\n\n- Count the rows.\n- Keep the header.';
const BASE = skillFolder(BODY, { 'references/a.md': 'one\r\ntwo\r\n', 'scripts/a.sh*': '#!/bin/sh\n' });
const AT = { name: NAME, version: '1.1.0' };

function applied(draft: Draft, base: Folder | 'none' = BASE, at = AT) {
  const result = applyDraft(draft, base === 'none' ? undefined : base, at);
  if ('faults' in result) throw new Error(JSON.stringify(result.faults));
  return result;
}

const body = (folder: Folder) => fileText(folder, 'SKILL.md')?.split('---\n\n')[1];
const lines = (operations: readonly Partial<DraftOperation>[]) =>
  applied(draftOf(operations)).operations.map((operation) => operation.lines);

const EDITS: [title: string, operation: Partial<DraftOperation>, body: string][] = [
  [
    'replace',
    { op: 'replace', anchor: 'Count the rows', text: 'Count all rows' },
    BODY.replace('Count the', 'Count all'),
  ],
  [
    'replace with what a pattern would read',
    { op: 'replace', anchor: 'the rows', text: "$& $1 $'" },
    BODY.replace('the rows', () => "$& $1 $'"),
  ],
  [
    'insert_after',
    { anchor: 'Count the', text: '- Trim blanks.' },
    BODY.replace('rows.', 'rows.\n- Trim blanks.'),
  ],
  [
    'insert_after the last line',
    { anchor: 'Keep the header', text: '- Trim blanks.' },
    `${BODY}\n- Trim blanks.`,
  ],
  ['delete', { op: 'delete', anchor: '- Count the rows.\n' }, BODY.replace('- Count the rows.\n', '')],
];

test.each(EDITS)('%s changes its place alone and sets the version', (_, operation, expected) => {
  const { folder } = applied(draftOf([operation]));
  expect(body(folder)).toBe(`${expected}\n`);
  expect(fileText(folder, 'SKILL.md')).toContain('version: "1.1.0"');
  expect([...folder].filter(([path]) => path !== 'SKILL.md')).toEqual(
    [...BASE].filter(([path]) => path !== 'SKILL.md'),
  );
});

test('line ends and modes stay', () => {
  const { folder } = applied(
    draftOf([
      { file: 'references/a.md', anchor: 'one', text: 'between' },
      { file: 'scripts/a.sh', anchor: '#!/bin/sh', text: 'true' },
    ]),
  );
  expect(fileText(folder, 'references/a.md')).toBe('one\r\nbetween\r\ntwo\r\n');
  expect(folder.get('scripts/a.sh')?.executable).toBe(true);
});

test('a new script with a first line for it is executable, another file ends in a line end', () => {
  const { folder } = applied(
    draftOf([
      { op: 'write_file', file: 'scripts/b.py', text: '#!/usr/bin/env python3' },
      { op: 'write_file', file: 'references/b.md', text: '#!x' },
    ]),
  );
  expect([folder.get('scripts/b.py')?.executable, folder.get('references/b.md')?.executable]).toEqual([
    true,
    false,
  ]);
  expect(fileText(folder, 'references/b.md')).toBe('#!x\n');
});

test('set changes one field and leaves the rest', () => {
  const { folder } = applied(draftOf([{ op: 'set', anchor: 'metadata.tags', text: ' csv, tables ' }]));
  expect(fileText(folder, 'SKILL.md')).toBe(
    fileText(BASE, 'SKILL.md')?.replace('version: "1.0.0"', 'version: "1.1.0"\n  tags: "csv, tables"'),
  );
});

const RANGES: [title: string, operations: Partial<DraftOperation>[], ranges: unknown[]][] = [
  ['of one operation', [{ anchor: 'Count', text: '- a\n- b' }], [[11, 12]]],
  [
    'that a later one moves',
    [
      { anchor: 'Keep', text: '- b' },
      { anchor: '# Cleaning', text: 'Intro.' },
    ],
    [
      [13, 13],
      [9, 9],
    ],
  ],
  [
    'that a later one takes',
    [
      { anchor: 'Count', text: '- a' },
      { op: 'delete', anchor: '- a\n' },
    ],
    [undefined, undefined],
  ],
  [
    'in two files',
    [
      { anchor: 'Keep', text: '- b' },
      { op: 'write_file', file: 'references/b.md', text: 'x\ny' },
    ],
    [
      [12, 12],
      [1, 2],
    ],
  ],
];

test.each(RANGES)('tells the lines %s', (_, operations, ranges) => {
  expect(lines(operations)).toEqual(ranges);
});

test('an operation is told with its claim and evidence', () => {
  const evidence = [cite('e1', 'Trim them')];
  expect(
    applied(draftOf([{ anchor: 'Keep', text: '- Trim.', claim: 'preference', evidence }])).operations,
  ).toEqual([{ op: 'insert_after', file: 'SKILL.md', lines: [12, 12], claim: 'preference', evidence }]);
});

test('a new skill is written strictly, whatever form the drafter gave it', () => {
  const text =
    '---\nname: CSV Cleaning\ndescription: Cleans CSV. Use when: rows are broken.\ntags: [csv, tables]\nwhen_to_use: broken rows\n---\n# Cleaning\n';
  const draft = draftOf([{ op: 'write_file', text }], {
    decision: 'create',
    triggers: [{ query: 'mend my csv', should_trigger: true }],
  });
  const { folder } = applied(draft, 'none', { name: NAME, version: '1.0.0' });
  expect(fileText(folder, 'SKILL.md')).toBe(
    `---\nname: csv-cleaning\ndescription: "Cleans CSV. Use when: rows are broken."\nmetadata:\n  version: "1.0.0"\n  tags: "csv, tables"\n  when_to_use: "broken rows"\n---\n\n# Cleaning\n`,
  );
  expect(JSON.parse(fileText(folder, 'evals/triggers.json') ?? '')).toEqual(draft.triggers);
});

test('queries are added once, and a file of queries that cannot be read stays', () => {
  const query = (text: string) => ({ query: text, should_trigger: true });
  const known = skillFolder(BODY, { 'evals/triggers.json': JSON.stringify([query('a')]) });
  const draft = draftOf([], { triggers: [query('a'), query('b')] });
  const after = (base: Folder) => fileText(applied(draft, base).folder, 'evals/triggers.json');
  expect(JSON.parse(after(known) ?? '')).toEqual([query('a'), query('b')]);
  expect(after(skillFolder(BODY, { 'evals/triggers.json': '{' }))).toBe('{');
});

test('in a merge each skill takes its own operations, and the one that stays the name of the other', () => {
  const other = folderOf({ 'SKILL.md': skillText('csv-mending', '# Mending') });
  const draft = draftOf(
    [
      { anchor: 'Keep', text: '- Trim.' },
      { skill: 'csv-mending', op: 'delete', anchor: '# Mending' },
    ],
    { decision: 'merge', retires: 'csv-mending' },
  );
  const kept = applied(draft);
  expect(fileText(kept.folder, 'SKILL.md')).toContain('aliases: "csv-mending"');
  expect(kept.operations).toHaveLength(1);
  const retired = applied(draft, other, { name: 'csv-mending', version: '1.0.1' });
  expect(fileText(retired.folder, 'SKILL.md')).not.toMatch(/aliases|# Mending/);
});
