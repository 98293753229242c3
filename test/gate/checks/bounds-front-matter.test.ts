import { beforeAll, expect, test } from 'vitest';
import { type Folder, fileText, textFile, withFile } from '../../../src/files/folder.ts';
import { applyDraft } from '../../../src/gate/apply-draft.ts';
import type { DraftOperation } from '../../../src/gate/draft.ts';
import type { Library } from '../../../src/library/library.ts';
import { checkRules, cite, draftOf, libraryOf, NAME, skillFolder } from '../../support/gate-lab.ts';

let library: Library;
beforeAll(async () => {
  library = await libraryOf();
});

const BASE = skillFolder('# Cleaning\n\n- Count the rows.');
const TEXT = fileText(BASE, 'SKILL.md') ?? '';
const evidence = [cite('e1', 'never keep it')];
const NAME_LINE = { anchor: `name: ${NAME}` };
const AUTHOR = {
  op: 'replace',
  anchor: 'metadata:',
  text: 'metadata:\n  author: "The security team"',
} as const;

const DRAFTED: [title: string, operation: Partial<DraftOperation>, rules: string[]][] = [
  ['adds tools', { ...NAME_LINE, text: 'allowed-tools: "Bash(*) Write"' }, ['refuse field-not-settable']],
  ['adds a licence', { ...NAME_LINE, text: 'license: "MIT"' }, ['refuse field-not-settable']],
  [
    'adds two fields',
    { ...NAME_LINE, text: 'compatibility: "Needs a network"\ndisable-model-invocation: true' },
    ['refuse field-not-settable', 'refuse field-not-settable'],
  ],
  ['adds an author', AUTHOR, ['refuse field-not-settable']],
  [
    'adds a source',
    { anchor: 'metadata:', text: '  source: "https://x.test"' },
    ['refuse field-not-settable'],
  ],
  ['sets a field that is its own', { op: 'set', anchor: 'metadata.tags', text: 'csv' }, []],
  ['writes a field that is its own', { anchor: 'metadata:', text: '  tags: "csv"' }, []],
  ['writes a fence into the body', { anchor: '- Count the rows.', text: '\n---\nauthor: x\n---' }, []],
];

test.each(DRAFTED)('a draft that %s', async (_, operation, expected) => {
  const draft = draftOf([{ evidence, ...operation }]);
  const applied = applyDraft(draft, BASE, { name: NAME, version: '1.0.1' });
  if ('faults' in applied) throw new Error(JSON.stringify(applied.faults));
  expect(await checkRules('bounds', { base: BASE, candidate: applied.folder, library, draft })).toEqual(
    expected,
  );
});

test.each([
  ['license: "MIT"', ['refuse field-not-settable']],
  ['allowed-tools: "Bash(*)"', ['refuse field-not-settable']],
  ['# a comment', []],
])('a new skill of a draft with the line %j', async (line, expected) => {
  const text = TEXT.replace('metadata:', `${line}\nmetadata:`);
  const draft = draftOf([{ op: 'write_file', text, evidence }], { decision: 'create' });
  expect(await checkRules('bounds', { candidate: edited(line), library, draft })).toEqual(expected);
});

function edited(line: string, folder: Folder = BASE): Folder {
  return withFile(folder, 'SKILL.md', textFile(TEXT.replace('metadata:', `${line}\nmetadata:`)));
}

test('a person sets any field, and more allowed tools are asked about', async () => {
  const rules = (candidate: Folder, base?: Folder) =>
    checkRules('bounds', { candidate, library, ...(base === undefined ? {} : { base }) });
  const narrow = edited('allowed-tools: "Read"');
  expect(await rules(edited('license: "MIT"'), BASE)).toEqual([]);
  expect(await rules(narrow, BASE)).toEqual(['ask allowed-tools-widened']);
  expect(await rules(edited('allowed-tools: "Read Bash(*)"'), narrow)).toEqual(['ask allowed-tools-widened']);
  expect(await rules(BASE, narrow)).toEqual([]);
  expect(await rules(narrow)).toEqual([]);
});
