import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';

const { knack, workspace } = await freshKnack('tags');
const root = join(workspace, 'skills');

beforeAll(() => {
  const put = (folder: string, description: string, more = '') => {
    mkdirSync(join(root, folder), { recursive: true });
    const name = folder.split('/').at(-1);
    const front = `name: ${name}\ndescription: ${description}\n${more}`;
    writeFileSync(join(root, folder, 'SKILL.md'), `---\n${front}---\n\n- do it\n`);
  };
  put('office/pdf-forms', 'Fills in the fields of a form. Use when a form has to be completed.');
  put('web-forms', 'Fills in the fields of a form in a browser.', 'tags: [web]\n');
  put('page-merging', 'Merges pages of documents.', 'tags: [PDF, print]\n');
  put('soup', 'Cooks soup from leeks.');
});

const search = (...args: string[]) => knack(['skills', 'search', '--root', root, ...args]);
const json = async (...args: string[]) => JSON.parse((await search(...args, '--json')).stdout);
const marks = (stdout: string) =>
  stdout
    .split('\n')
    .map((line) => /^( *\d+\. \w+(?: fit)? +[^:]+|.*)/.exec(line)?.[0] ?? '')
    .filter(Boolean);

describe('skills search', () => {
  test('--tag looks among the skills with the tag first; JSON keeps its fields', async () => {
    const [option, inQuery] = [
      await json('fill in a form', '--tag', 'PDFs'),
      await json('fill in a form tag:pdf'),
    ];
    expect(option).toEqual({
      query: 'fill in a form',
      hits: [
        {
          name: 'pdf-forms',
          path: join(root, 'office/pdf-forms/SKILL.md'),
          score: expect.any(Number),
          why: expect.arrayContaining([expect.stringMatching(/^description: /)]),
        },
      ],
      narrowing: { tags: ['PDFs'], skills: 2, unknown: [] },
    });
    expect(inQuery.query).toBe('fill in a form tag:pdf');
    expect(inQuery.hits).toEqual(option.hits);
    expect(Object.keys(await json('fill in a form'))).toEqual(['query', 'hits']);
  });

  test('says where nothing with the tag fits, and marks what comes instead', async () => {
    const { stdout, stderr, code } = await search('cook soup', '--tag', 'pdf');
    expect([code, stderr, marks(stdout)]).toEqual([
      0,
      '',
      ['Nothing with tag pdf fits; without:', ' 1. fits     soup'],
    ]);
    expect((await json('cook soup', '--tag', 'pdf')).hits[0].why[0]).toBe('outside tag pdf');
    const named = await search('soup', '--tag', 'pdf,print', '--all');
    expect(marks(named.stdout)[0]).toBe('Nothing with tags pdf, print fits; without:');
  });

  test('lists the skills of a tag, with their number', async () => {
    for (const args of [['tag:pdf'], ['--tag', 'pdf']])
      expect(marks((await search(...args)).stdout)).toEqual([
        ' 1. tagged   page-merging',
        ' 2. derived  pdf-forms',
        '2 skills with tag pdf.',
      ]);
    const { stdout } = await search('tag:pdf', '--limit', '1', '--why');
    expect(stdout).toMatch(
      /page-merging: .*\n +fit 1\.00; tag pdf: declared\n2 skills with tag pdf, 1 of them here; --limit shows more\.\n$/,
    );
  });

  test('a tag that no skill has is said, and the search is as without it', async () => {
    const without = await search('fill in a form');
    const { stdout, stderr, code } = await search('fill in a form', '--tag', 'prnt');
    expect([code, stdout, stderr]).toEqual([
      without.code,
      without.stdout,
      'no skill has the tag "prnt"; near: print; searched without it\n',
    ]);
    expect((await json('fill in a form', '--tag', 'prnt')).narrowing).toEqual({
      tags: [],
      skills: 0,
      unknown: [{ tag: 'prnt', near: ['print'] }],
    });
    expect(marks((await search('tag:leek')).stdout)).toEqual(marks((await search('leek')).stdout));
    const none = await search('tag:web,print');
    expect([none.code, none.stdout]).toEqual([0, 'no skill has all of the tags web, print\n']);
  });

  test('works for a file of queries, and says once what no skill has', async () => {
    const file = join(workspace, 'queries.jsonl');
    const queries = ['fill in a form', 'fill in a form tag:pdf', 'complete a form tag:prnt', 'form tag:prnt'];
    writeFileSync(file, queries.map((query, id) => JSON.stringify({ id, query })).join('\n'));
    const { stdout, stderr } = await search('--queries', file, '--tag', 'web');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ id, hits }) => [id, hits[0]?.name])).toEqual([
      [0, 'web-forms'],
      // None has both.
      [1, 'pdf-forms'],
      [2, 'web-forms'],
      [3, 'web-forms'],
    ]);
    expect(Object.keys(lines[0].hits[0])).toEqual(['name', 'path', 'score']);
    expect(stderr).toBe('no skill has the tag "prnt"; near: print; searched without it\n');
  });

  test.each([[','], [' ']])('--tag %j is refused', async (tag) => {
    expect((await search('x', '--tag', tag)).code).toBe(2);
  });

  test('--why says what the rank is the sum of', async () => {
    const { stdout } = await search('fill in a form in a browser', '--why');
    const [, rank = '', terms = ''] = /\n {13}rank (\d+\.\d\d) = (.*)\n/.exec(stdout) ?? [];
    const values = [...terms.matchAll(/[a-z ]+ (\d+\.\d\d)/g)].map(([, value]) => Number(value));
    expect(values.length).toBeGreaterThan(1);
    expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(Number(rank), 6);
    const { hits } = await json('fill in a form in a browser', '--why');
    expect(hits[0].shares.rank).toBeCloseTo(Number(rank), 2);
    expect((await search('soup', '--why')).stdout).toContain(
      'rank: before all others, as the query names it',
    );
    expect((await json('soup', '--why')).hits[0].shares).toEqual({
      rank: null,
      parts: [{ part: 'exact name', value: null }],
    });
  });
});

test('skills list --tag lists them, and says which declare it; JSON has derived tags apart', async () => {
  const list = (...args: string[]) => knack(['skills', 'list', '--root', root, ...args]);
  const { stdout, code } = await list('--tag', 'pdf');
  expect([code, stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))]).toEqual([
    0,
    [
      expect.stringMatching(/^page-merging \| .* declared \| Merges pages/),
      expect.stringMatching(/^pdf-forms \| .* derived \| Fills in/),
      '',
    ],
  ]);
  const { skills } = JSON.parse((await list('--tag', 'pdf', '--json')).stdout);
  expect(skills[1]).toMatchObject({
    name: 'pdf-forms',
    tags: [],
    derivedTags: [
      { tag: 'office', from: 'folder' },
      { tag: 'pdf', from: 'name' },
      { tag: 'forms', from: 'name' },
    ],
  });
  const none = await list('--tag', 'prnt');
  expect([none.code, none.stdout, none.stderr]).toEqual([
    0,
    'no skill with tag prnt\n',
    'no skill has the tag "prnt"; near: print\n',
  ]);
  expect((await list('--tag', 'pdf', '--all')).code).toBe(2);
});

test('skills show tells derived tags from declared ones', async () => {
  const { stdout } = await knack(['skills', 'show', 'page-merging']);
  expect(stdout).toContain('\ntags: PDF, print\nderived tags: page, merging (from its name)\n');
  const { tags, derivedTags } = JSON.parse(
    (await knack(['skills', 'show', 'page-merging', '--json'])).stdout,
  );
  expect([tags, derivedTags]).toEqual([
    ['PDF', 'print'],
    [
      { tag: 'page', from: 'name' },
      { tag: 'merging', from: 'name' },
    ],
  ]);
});
