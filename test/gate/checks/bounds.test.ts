import { beforeAll, expect, test } from 'vitest';
import { type Folder, textFile, withFile } from '../../../src/files/folder.ts';
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
  ['a name that Windows cannot hold', skillFolder(BODY, { 'references/a:b.md': 'x' }), ['warn unfit-path']],
  ['a file beside it', skillFolder(BODY, { 'references/a b-ü.md': 'x' }), []],
];

test.each(BY_HAND)('%s, by hand', async (_, candidate, expected) => {
  expect(await rules(candidate)).toEqual(expected);
});

const REWORDED: [title: string, before: string, after: string, rules: string[]][] = [
  [
    'the same prohibition in other words',
    '- Never drop the header row.',
    '- Do not drop the header row.',
    [],
  ],
  ['a wrapped rule on one line', '- Never drop\n  the header row.', '- Never drop the header row.', []],
  ['a rule with its reason', '- Drop blank rows.', '- Drop blank rows: they hold nothing.', ['warn']],
  ['a rule with a further number', '- Retry 3 times.', '- Retry 3 times within 10 seconds.', []],
  ['a prohibition lifted', '- Never drop the header row.', '- Drop the header row.', ['warn']],
  ['a prohibition reversed', '- Never drop the header row.', '- Always drop the header row.', ['warn']],
  [
    'an order forbidden',
    '- Drop the header row of each part.',
    '- Do not drop the header row of each part.',
    ['warn'],
  ],
  ['a German rule reversed', '- Lösche keine Zeile der Datei.', '- Lösche jede Zeile der Datei.', ['warn']],
  ['a Chinese rule reversed', '- 不要删除标题行。', '- 要删除标题行。', ['warn']],
  ['a must that is a may', '- Rows must have a key.', '- Rows may have a key.', ['warn']],
  ['another number', '- Retry at most 3 times per row.', '- Retry at most 30 times per row.', ['warn']],
  ['a paragraph gone', 'The total line is never part of the sum.', '', ['refuse']],
  [
    'a paragraph moved into a list',
    'The total line is never part of the sum.',
    '- The total line is never part of the sum.',
    [],
  ],
  [
    'a paragraph reversed',
    'The total line is never part of the sum.',
    'The total line is part of the sum.',
    ['warn'],
  ],
];

test.each(REWORDED)('%s, by hand', async (_, before, after, expected) => {
  const base = skillFolder(`${BODY}\n\n${before}`);
  expect(await rules(skillFolder(`${BODY}\n\n${after}`), { base })).toEqual(
    expected.map((severity) => `${severity} context-collapse`),
  );
});

const FLIP = { op: 'replace', anchor: '- Never', text: '-' } as const;

test('a draft reverses a rule with evidence at its place alone', async () => {
  const [never, keep] = ['- Never sort the rows of a part.', 'Parts are never put together by hand.'];
  const base = skillFolder(`${BODY}\n${never}\n\n${keep}`);
  const flipped = skillFolder(`${BODY}\n- sort the rows of a part.\n\n${keep}`);
  const both = skillFolder(`${BODY}\n- sort the rows of a part.`);
  const drop = { op: 'delete', anchor: `${keep}\n` } as const;
  const verdict = (candidate: Folder, ...operations: Partial<DraftOperation>[]) =>
    rules(candidate, { base, draft: draftOf(operations) });
  expect(await verdict(flipped, { ...FLIP, evidence: WHY })).toEqual([]);
  expect(await verdict(flipped, FLIP)).toEqual(['refuse context-collapse']);
  expect(await verdict(both, { ...FLIP, evidence: WHY }, drop)).toEqual(['refuse context-collapse']);
  expect(await verdict(both, { ...FLIP, evidence: WHY }, { ...drop, evidence: WHY })).toEqual([]);
});

test('a skill over the limit may shrink as long as its rules stay', async () => {
  const padding = 'A long story that nobody needs.\n'.repeat(700);
  const base = skillFolder(`${BODY}\n\n${padding}`);
  expect(await rules(BASE, { base })).toEqual([]);
  expect(await rules(without(0), { base })).toEqual(['refuse context-collapse', 'refuse context-collapse']);
});

test('text that moves into a reference is not lost, however much it is', async () => {
  const detail = `Rows of a part hold its number.\n\n${'The number has four digits and a letter. '.repeat(20)}`;
  const base = skillFolder(`${BODY}\n\n${detail}`);
  const moved = (text: string) =>
    folderOf({
      'SKILL.md': textOf(skillFolder(`${BODY}\n\nSee [the parts](references/parts.md).`)),
      'references/parts.md': `# Parts\n\n${text}\n`,
    });
  expect(await rules(moved(detail), { base })).toEqual([]);
  expect(await rules(moved('To be written.'), { base })).toContain('refuse context-collapse');
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
      [
        {
          op: 'delete',
          anchor: `${RULES[3]}\n`,
          evidence: [cite('e1', 'decimals keep their point or comma')],
        },
      ],
      without(3),
      [],
    ],
    [
      'takes a rule out with words about something else',
      [{ op: 'delete', anchor: `${RULES[3]}\n`, evidence: WHY }],
      without(3),
      ['ask unspoken-removal'],
    ],
    [
      'puts another rule in the place of one',
      [{ op: 'replace', anchor: RULES[3], text: '- Sort by date.', evidence: WHY }],
      skillFolder(BODY.replace(RULES[3], '- Sort by date.')),
      [],
    ],
    [
      'takes a rule out without evidence',
      [{ op: 'delete', anchor: `${RULES[3]}\n` }],
      without(3),
      ['refuse context-collapse'],
    ],
    [
      'takes most rules out with evidence, by their names',
      [{ op: 'delete', anchor: RULES.slice(1).join('\n'), evidence: WHY }],
      without(1, 2, 3, 4),
      Array(4).fill('ask unspoken-removal'),
    ],
    [
      'folds rules into one phrase, with evidence that speaks of none of them',
      [{ op: 'replace', anchor: RULES.slice(1).join('\n'), text: '- Be brief.', evidence: WHY }],
      skillFolder(`# Cleaning\n\n${RULES[0]}\n- Be brief.`),
      Array(4).fill('refuse context-collapse'),
    ],
    [
      'folds rules into one phrase, with evidence that speaks of each',
      [
        {
          op: 'replace',
          anchor: RULES.slice(1).join('\n'),
          text: '- Be brief.',
          evidence: RULES.slice(1).map((rule) => cite('e1', `Drop this: ${rule}`)),
        },
      ],
      skillFolder(`# Cleaning\n\n${RULES[0]}\n- Be brief.`),
      [],
    ],
    [
      'takes most out where evidence argues for one',
      [
        { op: 'delete', anchor: `${RULES[1]}\n`, evidence: [cite('e1', 'leave fields without a quote')] },
        { op: 'delete', anchor: RULES.slice(2).join('\n') },
      ],
      without(1, 2, 3, 4),
      Array(4).fill('refuse context-collapse'),
    ],
  ];

test.each(DRAFTED)('a draft that %s', async (_, operations, candidate, expected) => {
  expect(await rules(candidate, { draft: draftOf(operations) })).toEqual(expected);
});

test('a recorded query comes from the base or from the triggers of the draft', async () => {
  const recorded = (...queries: string[]) =>
    JSON.stringify(queries.map((query) => ({ query, should_trigger: true })));
  const triggers = [{ query: 'clean this export', should_trigger: true }];
  const draft = draftOf([inserted], { triggers });
  const verdict = (...queries: string[]) =>
    rules(withFile(WITH_TRIM, 'evals/triggers.json', textFile(recorded(...queries))), {
      base: withFile(BASE, 'evals/triggers.json', textFile(recorded('mend the rows'))),
      draft,
    });
  expect(await verdict('mend the rows', 'clean this export')).toEqual([]);
  expect(await verdict('mend the rows', 'commit my work')).toEqual(['refuse unexplained-change']);
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
