import { expect, test } from 'vitest';
import type { Folder } from '../../src/files/folder.ts';
import { applyDraft } from '../../src/gate/apply-draft.ts';
import type { Draft } from '../../src/gate/draft.ts';
import { isOwnPath } from '../../src/gate/place-faults.ts';
import { draftOf, NAME, skillFolder } from '../support/gate-lab.ts';

const BASE = skillFolder('# Cleaning\n\n- Count the rows.\n- Keep the header.', {
  'references/a.md': 'one\n',
});
const AT = { name: NAME, version: '1.1.0' };

const FAULTS: [title: string, draft: Draft, base: Folder | undefined, rules: string[]][] = [
  [
    'creates what is there',
    draftOf([{ op: 'write_file', text: 'x' }], { decision: 'create' }),
    BASE,
    ['skill-exists', 'overwrites-file'],
  ],
  [
    'patches what is not there',
    draftOf([{ anchor: 'x', text: 'y' }]),
    undefined,
    ['skill-unknown', 'file-missing'],
  ],
  ['is about another skill', draftOf([], { skill: 'other' }), BASE, ['outside-skill']],
  ['has an anchor that is nowhere', draftOf([{ anchor: 'Nowhere', text: 'x' }]), BASE, ['anchor-missing']],
  [
    'has an anchor that differs by a blank',
    draftOf([{ anchor: 'Count  the rows', text: 'x' }]),
    BASE,
    ['anchor-missing'],
  ],
  ['has an anchor that is there twice', draftOf([{ anchor: 'the', text: 'x' }]), BASE, ['anchor-ambiguous']],
  [
    'deletes its own anchor first',
    draftOf([
      { op: 'delete', anchor: '- Count the rows.\n' },
      { anchor: 'Count the rows', text: 'x' },
    ]),
    BASE,
    ['anchor-missing'],
  ],
  [
    'changes a file that is missing',
    draftOf([{ file: 'references/b.md', anchor: 'a', text: 'x' }]),
    BASE,
    ['file-missing'],
  ],
  [
    'writes over a file',
    draftOf([{ op: 'write_file', file: 'references/a.md', text: 'x' }]),
    BASE,
    ['overwrites-file'],
  ],
  [
    'puts a skill into the skill',
    draftOf([{ op: 'write_file', file: 'references/skill.md', text: 'x' }]),
    BASE,
    ['outside-skill'],
  ],
  ['sets its name', draftOf([{ op: 'set', anchor: 'name', text: 'x' }]), BASE, ['field-not-settable']],
  [
    'sets its version',
    draftOf([{ op: 'set', anchor: 'metadata.version', text: '9.0.0' }]),
    BASE,
    ['field-not-settable'],
  ],
  [
    'sets a field of another file',
    draftOf([{ op: 'set', file: 'references/a.md', anchor: 'description', text: 'x' }]),
    BASE,
    ['field-not-settable'],
  ],
  [
    'breaks the front matter',
    draftOf([{ op: 'replace', anchor: 'description:', text: 'desc ription:' }]),
    BASE,
    ['unreadable'],
  ],
];

test.each(FAULTS)('a draft that %s is refused', (_, draft, base, rules) => {
  const result = applyDraft(draft, base, AT);
  expect(
    'faults' in result && result.faults.map(({ check, rule, severity }) => [check, rule, severity]),
  ).toEqual(rules.map((rule) => ['bounds', rule, 'refuse']));
});

test.each<[path: string, own: boolean]>([
  ['SKILL.md', true],
  ['references/a b-ü.md', true],
  ['../x.md', false],
  ['references/../../x.md', false],
  ['/etc/passwd', false],
  ['C:/x.md', false],
  ['a\\b.md', false],
  ['.git/config', false],
  ['references/.hidden', false],
  ['references//a.md', false],
  ['a.md ', false],
  ['a\nb.md', false],
  ['', false],
])('%j is a path of the skill: %s', (path, own) => {
  expect(isOwnPath(path)).toBe(own);
});
