import { describe, expect, test } from 'vitest';
import type { RankShares, SearchHit } from '../../src/library/library.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';

const sum = ({ parts }: RankShares) => parts.reduce((all, { value }) => all + value, 0);

const LONG = `We have a big day before us and there is a lot of text here that has nothing to do with anything much.
First import the spreadsheet of customers into the database. The weather is fine and the office is quiet today.
Then fill in the fields of the PDF form for the authority. Later on somebody will bring cake and coffee.`;

function library(): LibraryFolder {
  const root = libraryFolder();
  root.skill('office/csv-import', {
    description: 'Loads a spreadsheet of customers into a database.',
    body: '# Spreadsheets\n\nImport each spreadsheet by its columns.\n',
    more: 'tags: [tables, customers]\nwhen_to_use: a spreadsheet has to be imported\naliases: [table-loader]',
  });
  root.skill('pdf-forms', {
    description: 'Fills in the fields of PDF forms. Use when a form has to be completed.',
    more: 'related_skills: palette',
  });
  root.skill('palette', { description: 'Picks colours.' });
  root.skill('form-letter', { description: 'Writes letters about a form.', body: 'See `pdf-forms`.' });
  root.skill('kubernetes-deploy', { description: 'Deploys services to Kubernetes.' });
  for (const name of ['soup', 'soup-2'])
    root.skill(name, { description: 'Cooks a soup of leeks and potatoes in a large pot for many guests.' });
  return root;
}

const RECORDED = {
  queriesOf: (name: string) =>
    name === 'csv-import'
      ? ['who moves the customers', 'get the spreadsheet into the database']
      : name === 'soup'
        ? ['cook leeks for the guests']
        : [],
  coUse: () => [['csv-import', 'soup'] as const],
};

describe('shares add up to the rank, which is what orders the hits', () => {
  test.each([
    ['of a short query', 'import a spreadsheet of customers'],
    ['of one that names a tag and a folder', 'office tables'],
    ['of a long text', LONG],
    ['of a query that is mended', 'spreadshet import'],
    ['of one that is read otherwise', 'k8s deploy'],
    ['where an edge brings one along', 'fill in fields of a form'],
    ['of copies', 'cook soup of leeks'],
  ])('%s', async (_, query) => {
    for (const recorded of [undefined, RECORDED]) {
      const opened = await library().open(recorded === undefined ? {} : { recorded });
      const hits = opened.search(query, { all: true, shares: true });
      expect(hits.length).toBeGreaterThan(0);
      for (const { shares } of hits) expect(sum(shares as RankShares)).toBeCloseTo(shares?.rank ?? 0, 9);
      const ranks = hits
        .filter(({ why }) => !why.some((reason) => reason.startsWith('nearly the same as')))
        .map(({ shares }) => shares?.rank ?? 0);
      expect(ranks).toEqual([...ranks].sort((left, right) => right - left));
      // They change nothing that is found.
      expect(hits.map(({ shares: __, ...hit }) => hit)).toEqual(opened.search(query, { all: true }));
    }
  });
});

const partsOf = (hits: readonly SearchHit[], name: string) =>
  new Map(hits.find((hit) => hit.name === name)?.shares?.parts.map((part) => [part.part, part]));

test('each field that holds a word has a share, a folder as a derived tag', async () => {
  const hits = (await library().open()).search('office tables: import customers', { shares: true });
  const parts = partsOf(hits, 'csv-import');
  expect(new Set(parts.keys())).toEqual(
    new Set(['aliases', 'body', 'derived tags', 'description', 'name', 'tags', 'when to use']),
  );
  expect([parts.get('tags')?.words, parts.get('derived tags')?.words]).toEqual([
    ['tables', 'customers'],
    ['office'],
  ]);
});

test('the clause of a long text, the edge and its hit, and recorded queries are named', async () => {
  const root = library();
  const long = partsOf((await root.open()).search(LONG, { shares: true }), 'pdf-forms');
  expect(long.get('clause')?.of).toContain('Then fill in the fields of the PDF form');
  const edge = partsOf(
    (await root.open()).search('fill in fields of a form', { shares: true }),
    'palette',
  ).get('edge');
  expect([edge?.of, (edge?.value ?? 0) > 0]).toEqual(['related to pdf-forms', true]);
  const asked = partsOf(
    (await root.open({ recorded: RECORDED })).search('who moves the customers', { shares: true }),
    'csv-import',
  );
  expect([...asked.keys()]).toEqual(
    expect.arrayContaining(['recorded queries', 'likeness to recorded queries']),
  );
});

test('the edge that lifted a hit is the one that is named, though another one let it in', async () => {
  const root = libraryFolder();
  root.skill('brewing', {
    description: 'Brews green tea.',
    body: `See \`cup-rinsing\`. ${'Brew green tea leaves in a pot. '.repeat(9)}`,
  });
  root.skill('gardening', {
    description: 'Brew green tea leaves, pot by pot.',
    more: 'related_skills: cup-rinsing',
  });
  root.skill('cup-rinsing', { description: 'Rinses a cup.', body: 'For tea.' });
  const hits = (await root.open()).search('brew green tea leaves in a pot', { all: true, shares: true });
  const hit = hits.find(({ name }) => name === 'cup-rinsing');
  expect(hit?.why[0]).toBe('related to gardening');
  expect(partsOf(hits, 'cup-rinsing').get('edge')?.of).toBe('mentioned with brewing');
  expect(sum(hit?.shares as RankShares)).toBeCloseTo(hit?.shares?.rank ?? 0, 9);
});

test('a copy has the shares of what it is a copy of', async () => {
  const hits = (await library().open()).search('cook soup of leeks', { shares: true });
  const [first, second] = hits.map(({ shares }) => shares);
  expect(partsOf(hits, 'soup-2').get('copy')).toMatchObject({ of: 'soup' });
  expect(second?.rank).toBeLessThan(first?.rank ?? 0);
});

test('the skill that a query names is before all others', async () => {
  const opened = await library().open();
  for (const name of ['palette', 'workspace:palette'])
    expect(opened.search(name, { shares: true })[0]?.shares).toEqual({
      rank: Number.POSITIVE_INFINITY,
      parts: [{ part: 'exact name', value: Number.POSITIVE_INFINITY }],
    });
});
