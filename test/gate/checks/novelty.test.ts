import { beforeAll, expect, test } from 'vitest';
import { type Folder, fileText, textFile, withFile } from '../../../src/files/folder.ts';
import type { Library } from '../../../src/library/library.ts';
import { checkFindings, checkRules, draftOf, libraryOf, NAME, skillFolder } from '../../support/gate-lab.ts';
import { folderOf, skillText } from '../../support/skills.ts';

const DESCRIPTION =
  'Merges several PDF reports into one file. Use when reports have to be combined into one PDF.';
const BODY = `# Merging PDF reports

- Check that every report opens before merging.
- Order the reports by their number, not by their name.
- Merge with qpdf and keep the bookmarks of each report.
- Compare the number of pages with the sum of the parts.`;
const named = (name: string, body = BODY, description = DESCRIPTION, more = '') =>
  folderOf({
    'SKILL.md': skillText(name, body, { description }).replace('metadata:\n', `metadata:\n${more}`),
  });

let library: Library;
beforeAll(async () => {
  library = await libraryOf({
    'pdf-merging': named('pdf-merging', BODY, DESCRIPTION, '  aliases: "report-binder"\n'),
    'csv-joins': named(
      'csv-joins',
      '# Joins\n\n- Sort both files by the key.',
      'Joins CSV files by a key. Use when tables belong together.',
    ),
  });
});

const CASES: [title: string, name: string, candidate: Folder, rules: string[]][] = [
  ['another subject', NAME, skillFolder('- Count the rows.'), []],
  [
    'the same text under another name',
    'report-combiner',
    named('report-combiner'),
    ['refuse near-duplicate'],
  ],
  [
    'the same rules in other words around them',
    'report-combiner',
    named(
      'report-combiner',
      `${BODY.replace('# Merging PDF reports', '# Combining')}\n- Open the result.`,
      'Combines report files into a single PDF. Use when somebody wants one document.',
    ),
    ['refuse near-duplicate'],
  ],
  [
    'a neighbour of the subject',
    'pdf-splitting',
    named(
      'pdf-splitting',
      '# Splitting PDF files\n\n- Split at each bookmark.\n- Name each part for its bookmark.',
      'Splits a PDF file into parts. Use when a PDF has to be cut at its bookmarks.',
    ),
    [],
  ],
  [
    'a plural of a name',
    'csv-join',
    named('csv-join', '- Count.', 'Counts rows. Use when rows matter.'),
    ['refuse name-collision'],
  ],
  [
    'the alias of a skill',
    'report-binder',
    named('report-binder', '- Count.', 'Counts rows. Use when rows matter.'),
    ['refuse name-collision'],
  ],
  [
    'a name with other hyphens',
    'csvjoins',
    named('csvjoins', '- Count.', 'Counts rows. Use when rows matter.'),
    ['refuse name-collision'],
  ],
  [
    'a longer name',
    'csv-joins-by-date',
    named('csv-joins-by-date', '- Count.', 'Counts rows. Use when rows matter.'),
    [],
  ],
  ['no skill at all', NAME, folderOf({ 'README.md': 'x' }), ['not run: the skill could not be read']],
];

test.each(CASES)('%s', async (_, name, candidate, rules) => {
  expect(await checkRules('novelty', { candidate, library, name, dir: `/library/${name}` })).toEqual(rules);
});

test('a refusal names the twin and the score', async () => {
  const candidate = named('report-combiner');
  const [finding] = await checkFindings('novelty', {
    candidate,
    library,
    name: 'report-combiner',
    dir: '/library/report-combiner',
  });
  expect(finding?.message).toMatch(
    /^says the same as "pdf-merging" \(similarity \d\.\d\d\): patch "pdf-merging" or merge the two$/,
  );
});

test('a skill is no duplicate of itself, nor of what it absorbs', async () => {
  const own = {
    candidate: named('pdf-merging', `${BODY}\n- One more.`),
    library,
    name: 'pdf-merging',
    dir: '/library/pdf-merging',
  };
  expect(await checkRules('novelty', { ...own, base: named('pdf-merging') })).toEqual([]);
  const draft = draftOf([], { decision: 'merge', retires: 'pdf-merging' });
  const absorbing = {
    candidate: named('report-combiner'),
    library,
    name: 'report-combiner',
    dir: '/library/report-combiner',
  };
  expect(await checkRules('novelty', { ...absorbing, draft })).toEqual([]);
});

test.each<[aliases: string, rules: string[]]>([
  ['row-tidying', []],
  ['pdf-merging', ['refuse alias-taken']],
  ['row-tidying, report-binder', ['refuse alias-taken']],
  ['CSV join', ['refuse alias-taken']],
  ['quit, review', ['refuse name-reserved', 'refuse name-reserved']],
])('a draft gives the aliases %j', async (aliases, expected) => {
  const base = skillFolder('- Count the rows.');
  const text = (fileText(base, 'SKILL.md') ?? '').replace('metadata:', `metadata:\n  aliases: "${aliases}"`);
  const candidate = withFile(base, 'SKILL.md', textFile(text));
  const draft = draftOf([]);
  expect(await checkRules('novelty', { base, candidate, library, draft })).toEqual(expected);
  expect(await checkRules('novelty', { candidate, library, draft })).toEqual(expected);
});

test('a merge takes the name and the aliases of the skill that it retires', async () => {
  const candidate = named(NAME, '# Joins', 'Cleans.', '  aliases: "pdf-merging, report-binder"\n');
  const draft = draftOf([], { decision: 'merge', retires: 'pdf-merging' });
  expect(await checkRules('novelty', { base: candidate, candidate, library, draft })).toEqual([]);
});

const ADDED: [title: string, added: string, rules: string[]][] = [
  ['says something new', '- Write the date of each report on its first page.', []],
  [
    'says a rule again at greater length',
    '- In general, check that every report opens before merging them.',
    ['refuse said-already'],
  ],
  [
    'says a rule again in a reference',
    '- Order the reports by number, not by name.',
    ['refuse said-already'],
  ],
  ['says the opposite', '- Never check that every report opens before merging.', []],
  ['names another number', '- Merge with qpdf and keep the 2 bookmarks of each report.', []],
  ['has rows of a table', '| check that | every report | opens before merging |', []],
];

test.each(ADDED)('a draft that adds what %s', async (title, added, rules) => {
  const base = named(NAME, BODY, 'Binds reports of a museum. Use when museum reports are bound.');
  const file = title.endsWith('reference') ? 'references/more.md' : 'SKILL.md';
  const candidate = withFile(base, file, textFile(`${fileText(base, file) ?? '# More\n'}${added}\n`));
  const found = await checkRules('novelty', {
    base,
    candidate,
    library: await libraryOf(),
    draft: draftOf([]),
  });
  expect(found).toEqual(rules);
});
