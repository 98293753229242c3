import { expect, test } from 'vitest';
import type { Folder } from '../../src/files/folder.ts';
import type { CheckContext } from '../../src/gate/check.ts';
import { crowdedFindings, fullSections } from '../../src/gate/full-sections.ts';
import { contextOf, draftOf, gateInput, libraryOf, skillFolder } from '../support/gate-lab.ts';

const library = await libraryOf();
const items = (count: number, mark = '-') =>
  Array.from({ length: count }, (_, at) => `${mark === '1' ? `${at + 1}.` : mark} Rule number ${at}.`).join(
    '\n',
  );
const body = (sections: Readonly<Record<string, string>>): Folder =>
  skillFolder(
    ['# Cleaning', ...Object.entries(sections).flatMap(([name, text]) => [`## ${name}`, text])].join('\n\n'),
  );
const context = (base: Folder | undefined, candidate: Folder, isDrafted = true): CheckContext =>
  contextOf(
    gateInput({
      candidate,
      library,
      ...(base === undefined ? {} : { base }),
      ...(isDrafted ? { draft: draftOf([]) } : {}),
    }),
  );

const TWELVE = body({ Rules: items(12), Output: items(3) });
const FOURTEEN = body({ Rules: items(14), Output: items(3) });
const CASES: [title: string, base: Folder | undefined, candidate: Folder, found: number[]][] = [
  ['the twelfth rule', body({ Rules: items(11) }), TWELVE, []],
  ['the thirteenth rule', TWELVE, body({ Rules: items(13), Output: items(3) }), [13]],
  [
    'the thirteenth with another mark',
    TWELVE,
    body({ Rules: `${items(12)}\n* One more.`, Output: '' }),
    [13],
  ],
  ['a rule in another section of the same skill', TWELVE, body({ Rules: items(12), Output: items(4) }), []],
  [
    'a rule in a section of its own',
    TWELVE,
    body({ Rules: items(12), Output: items(3), Dates: items(1) }),
    [],
  ],
  ['a detail below a rule', TWELVE, body({ Rules: `${items(12)}\n  - In detail.`, Output: items(3) }), []],
  ['a list within code', TWELVE, body({ Rules: `${items(12)}\n\n~~~\n- x\n~~~`, Output: items(3) }), []],
  ['two rules merged into one', TWELVE, body({ Rules: items(11), Output: items(3) }), []],
  ['as many as before, above the cap', FOURTEEN, body({ Rules: items(14), Output: items(4) }), []],
  ['one less, above the cap', FOURTEEN, body({ Rules: items(13), Output: items(3) }), []],
  ['one more, above the cap', FOURTEEN, body({ Rules: items(15), Output: items(3) }), [15]],
  ['a new name for a section above the cap', FOURTEEN, body({ Guidance: items(14), Output: items(3) }), []],
  ['a new name and one more', FOURTEEN, body({ Guidance: items(15), Output: items(3) }), [15]],
  ['a section split in two', FOURTEEN, body({ Rules: items(7), Dates: items(7), Output: items(3) }), []],
  ['a step of a numbered procedure', body({ Steps: items(12, '1') }), body({ Steps: items(13, '1') }), []],
  ['a new skill with a crowded section', undefined, FOURTEEN, [14]],
  ['a new skill without', undefined, TWELVE, []],
];

test.each(CASES)('%s', (_, base, candidate, found) => {
  expect(crowdedFindings(context(base, candidate)).map(({ message }) => message)).toEqual(
    found.map((count) => expect.stringContaining(`would hold ${count} rules`) as string),
  );
});

test('the reason names the section, the count, the line and the remedies', () => {
  expect(crowdedFindings(context(FOURTEEN, body({ Rules: items(15), Output: items(3) })))).toEqual([
    {
      rule: 'section-full',
      severity: 'refuse',
      message:
        'the section "Cleaning > Rules" would hold 15 rules, where 14 stood before, and takes 12: replace or merge rules that stand there, drop one with evidence, or move detail to references/',
      file: 'SKILL.md',
      line: 26,
      subject: 'Cleaning > Rules',
    },
  ]);
});

test('what a person or a source wrote is not held to it', () => {
  expect(crowdedFindings(context(FOURTEEN, body({ Rules: items(20) }), false))).toEqual([]);
});

test('a section is full before it is crowded, and a procedure never is', () => {
  const full = (count: number, mark?: string) => fullSections(`# A\n\n${items(count, mark)}\n`);
  expect([full(11), full(12), full(20, '1')]).toEqual([[], [{ section: 'A', rules: 12 }], []]);
});
