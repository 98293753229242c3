import { beforeAll, expect, test } from 'vitest';
import type { Folder } from '../../../src/folder.ts';
import type { DraftOperation } from '../../../src/gate/draft.ts';
import type { Library } from '../../../src/library/library.ts';
import { checkFindings, checkRules, cite, draftOf, libraryOf, skillFolder } from '../../support/gate-lab.ts';
import { folderOf, skillText } from '../../support/skills.ts';

const RULES = [
  '- Count the rows before and after.',
  '- Quote fields that hold a line end.',
  '- Keep the header as the first row.',
  '- Write decimals with a point.',
  '- Name the encoding in the report.',
] as const;
const BODY = `# Cleaning\n\n${RULES.join('\n')}`;
const BASE = skillFolder(BODY);
const without = (...gone: number[]) =>
  skillFolder(`# Cleaning\n\n${RULES.filter((_, at) => !gone.includes(at)).join('\n')}`);
const WHY = [cite('e1', 'never keep it')];

let library: Library;
beforeAll(async () => {
  library = await libraryOf();
});

const rules = (candidate: Folder, more = {}) =>
  checkRules('bounds', { base: BASE, candidate, library, ...more });

const BY_HAND: [title: string, candidate: Folder, rules: string[]][] = [
  ['nothing changed', BASE, []],
  ['a rule more', skillFolder(`${BODY}\n- Trim blanks.`), []],
  [
    'a rule worded anew',
    skillFolder(
      BODY.replace('Count the rows before and after', 'Count rows both before and after the change'),
    ),
    [],
  ],
  [
    'a rule exchanged for another',
    skillFolder(BODY.replace('Write decimals with a point', 'Sort by date')),
    ['warn context-collapse'],
  ],
  [
    'a rule moved into a reference',
    folderOf({ 'SKILL.md': textOf(without(3)), 'references/more.md': `${RULES[3]}\n` }),
    [],
  ],
  ['a rule gone', without(3), ['refuse context-collapse']],
  [
    'a third left',
    skillFolder(`# Cleaning\n\n${RULES[0]}`),
    ['refuse context-collapse', ...Array(4).fill('refuse context-collapse')],
  ],
  ['a short body', skillFolder('# Cleaning'), Array(6).fill('refuse context-collapse')],
  ['another name', folderOf({ 'SKILL.md': skillText('csv-washing', BODY) }), ['refuse name-changed']],
  ['a hidden file', skillFolder(BODY, { '.env': 'x' }), ['refuse outside-skill']],
  ['a path that leads out', skillFolder(BODY, { '../x.md': 'x' }), ['refuse outside-skill']],
  ['a file beside it', skillFolder(BODY, { 'references/a b-ü.md': 'x' }), []],
];

test.each(BY_HAND)('%s, by hand', async (_, candidate, expected) => {
  expect(await rules(candidate)).toEqual(expected);
});

test('a skill over the limit may shrink as long as its rules stay', async () => {
  const padding = 'A long story that nobody needs.\n'.repeat(700);
  const base = skillFolder(`${BODY}\n\n${padding}`);
  expect(await rules(BASE, { base })).toEqual([]);
  expect(await rules(without(0), { base })).toEqual(['refuse context-collapse', 'refuse context-collapse']);
});

const inserted = { anchor: RULES[0], text: '- Trim blanks.' };
const WITH_TRIM = skillFolder(BODY.replace(`${RULES[0]}`, `${RULES[0]}\n- Trim blanks.`));
const DRAFTED: [title: string, operations: Partial<DraftOperation>[], candidate: Folder, rules: string[]][] =
  [
    ['makes what it says', [inserted], WITH_TRIM, []],
    [
      'explains no other line',
      [inserted],
      skillFolder(`${BODY}\n- Trim blanks.\n- Pay the bill.`),
      ['refuse unexplained-change'],
    ],
    [
      'explains no line that is gone',
      [inserted],
      skillFolder(BODY.replace(`${RULES[4]}`, '- Trim blanks.')),
      ['refuse unexplained-change', 'refuse context-collapse'],
    ],
    [
      'explains no other file',
      [inserted],
      folderOf({ 'SKILL.md': textOf(WITH_TRIM), 'scripts/a.sh': 'true\n' }),
      ['refuse unexplained-change'],
    ],
    ['has an anchor that is not there', [{ anchor: 'Nowhere', text: 'x' }], BASE, ['refuse anchor-missing']],
    ['has an anchor that is there twice', [{ anchor: '- ', text: 'x' }], BASE, ['refuse anchor-ambiguous']],
    [
      'has several faults, all named',
      [
        { anchor: 'Nowhere', text: 'x' },
        { op: 'set', anchor: 'name', text: 'y' },
        { op: 'write_file', file: 'SKILL.md', text: 'z' },
      ],
      BASE,
      ['refuse anchor-missing', 'refuse field-not-settable', 'refuse overwrites-file'],
    ],
    ['changes another skill', [{ ...inserted, skill: 'csv-joins' }], BASE, ['refuse outside-skill']],
    [
      'writes out of the skill',
      [{ op: 'write_file', file: '../x.md', text: 'x' }],
      BASE,
      ['refuse outside-skill'],
    ],
    [
      'takes a rule out with evidence',
      [{ op: 'delete', anchor: `${RULES[3]}\n`, evidence: WHY }],
      without(3),
      [],
    ],
    [
      'takes a rule out without evidence',
      [{ op: 'delete', anchor: `${RULES[3]}\n` }],
      without(3),
      ['refuse context-collapse'],
    ],
    [
      'takes most rules out with evidence',
      [{ op: 'replace', anchor: RULES.slice(1).join('\n'), text: '- Be brief.', evidence: WHY }],
      skillFolder(`# Cleaning\n\n${RULES[0]}\n- Be brief.`),
      [],
    ],
    [
      'takes most out where evidence argues for one',
      [
        { op: 'delete', anchor: `${RULES[1]}\n`, evidence: WHY },
        { op: 'delete', anchor: RULES.slice(2).join('\n') },
      ],
      without(1, 2, 3, 4),
      Array(4).fill('refuse context-collapse'),
    ],
  ];

test.each(DRAFTED)('a draft that %s', async (_, operations, candidate, expected) => {
  expect(await rules(candidate, { draft: draftOf(operations) })).toEqual(expected);
});

test('a draft that decides for nothing changes nothing', async () => {
  const draft = draftOf([], { decision: 'nothing' });
  expect([await rules(BASE, { draft }), await rules(WITH_TRIM, { draft })]).toEqual([
    [],
    ['refuse unexplained-change'],
  ]);
});

test('a refusal quotes the rule that is gone', async () => {
  expect(await checkFindings('bounds', { base: BASE, candidate: without(3), library })).toEqual([
    {
      rule: 'context-collapse',
      severity: 'refuse',
      message: 'the rule "Write decimals with a point." is gone and nothing says why',
      file: 'SKILL.md',
    },
  ]);
});

function textOf(folder: Folder): string {
  return new TextDecoder().decode(folder.get('SKILL.md')?.bytes);
}
