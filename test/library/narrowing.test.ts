import { beforeEach, describe, expect, test } from 'vitest';
import type { Library } from '../../src/library/library.ts';
import { readQueryWithTags } from '../../src/library/search/narrowing.ts';
import { createSearch, type SkillSearchOptions } from '../../src/library/search/skill-search.ts';
import { libraryFolder } from '../support/library-folder.ts';

let library: Library;

beforeEach(async () => {
  const root = libraryFolder();
  root.skill('pdf-forms', {
    description: 'Fills in the fields of a form. Use when a form has to be completed.',
  });
  root.skill('web-forms', {
    description: 'Fills in the fields of a form in a browser. Use when a form has to be completed.',
    more: 'tags: [web]\nrelated_skills: pdf-forms',
  });
  root.skill('page-merging', { description: 'Merges pages of documents.', more: 'tags: [PDF, print]' });
  root.skill('soup', { description: 'Cooks soup from leeks.' });
  library = await root.open();
});

const search = (query: string, tags: string[] = [], options: SkillSearchOptions = {}) => {
  const { text, narrowing } = readQueryWithTags(library, query, tags);
  return createSearch(library).search(text, { ...options, ...(narrowing && { narrowing }) });
};
const names = async (...args: Parameters<typeof search>) =>
  (await search(...args)).map(({ name, why }) =>
    why[0]?.startsWith('outside') ? `${name} (${why[0]})` : name,
  );

describe('tags narrow a search', () => {
  test('to the skills that have them, declared or derived, also in front of better ones', async () => {
    expect(await names('fill in a form in a browser')).toEqual(['web-forms', 'pdf-forms']);
    expect(await names('fill in a form in a browser', ['pdf'])).toEqual(['pdf-forms']);
    expect(await names('fill in a form in a browser tag:pdf')).toEqual(['pdf-forms']);
  });

  test('to those that have all of them', async () => {
    expect(await names('tag:pdf,print')).toEqual(['page-merging']);
    expect(await names('merge the pages of documents', ['pdf', 'web'])).toEqual([
      'page-merging (outside tag web)',
    ]);
  });

  test('and change nothing of how well a skill fits', async () => {
    const all = await search('merge the pages of documents');
    const [narrowed] = await search('merge the pages of documents', ['print']);
    expect(all.find(({ name }) => name === narrowed?.name)).toEqual(narrowed);
  });

  test('where the best lie behind more skills than search ranks', async () => {
    const root = libraryFolder();
    for (let index = 0; index < 200; index += 1)
      root.skill(`soup-${index}`, {
        description: `Cooks soup ${index}, soup as soup. Use when soup is wanted.`,
      });
    root.skill('broth', { description: 'Cooks a clear soup.', more: 'tags: [clear]' });
    library = await root.open();
    expect(await names('cook soup', ['clear'])).toEqual(['broth']);
  });
});

describe('tags exclude nothing that is right', () => {
  test('where nothing within fits, what fits comes with a mark', async () => {
    expect(await names('cook soup from leeks', ['pdf'])).toEqual(['soup (outside tag pdf)']);
    expect(await search('cook soup from leeks', ['pdf'])).toEqual(
      (await search('cook soup from leeks')).map((hit) => ({
        ...hit,
        why: ['outside tag pdf', ...hit.why],
      })),
    );
  });

  test('where the query names a skill outside, it comes behind what is within, however few are asked for', async () => {
    expect(await names('web-forms', ['pdf'])).toEqual(['pdf-forms', 'web-forms (outside tag pdf)']);
    expect(await names('web-forms', ['pdf'], { limit: 1 })).toEqual(['web-forms (outside tag pdf)']);
    expect(await names('pdf-forms', ['pdf'])).toEqual(['pdf-forms', 'page-merging']);
  });

  test('what fits far better than all within comes behind it, however few are asked for', async () => {
    const root = libraryFolder();
    root.skill('message-writer', {
      description: 'Writes commit messages, also for a branch. Use when committing to a branch.',
      more: 'tags: [git]',
    });
    root.skill('history-cleaner', {
      description:
        'Squashes commits and rebases a branch on another. Use when the history of a branch is messy.',
    });
    library = await root.open();
    const asked = 'commit to a branch, rebase the branch on another, squash a messy history';
    expect(await names(asked, ['git'])).toEqual(['message-writer', 'history-cleaner (outside tag git)']);
    expect(await names(asked, ['git'], { limit: 1 })).toEqual(['message-writer']);
  });

  test('where everything is asked for, it all comes', async () => {
    expect(await names('fill in a form', ['web'], { all: true })).toEqual([
      'web-forms',
      'pdf-forms (outside tag web)',
    ]);
  });

  test('where no skill has the tag, the search is as without it', async () => {
    for (const query of ['fill in a form', 'soup'])
      expect(await search(query, ['spreadsheet'])).toEqual(await search(query));
    expect(readQueryWithTags(library, 'fill in a form tag:prnt').narrowing?.unknown).toEqual([
      { tag: 'prnt', near: ['print'] },
    ]);
    // Of a tag alone nothing else would be left to search for.
    expect(await names('tag:leek')).toEqual(await names('leek'));
  });
});

test('tags alone list the skills that have them, who declares them first', async () => {
  expect(await search('', ['pdf'])).toEqual([
    expect.objectContaining({ name: 'page-merging', score: 1, why: ['tag pdf: declared'] }),
    expect.objectContaining({ name: 'pdf-forms', score: 1, why: ['tag pdf: derived from its name'] }),
  ]);
  expect(await names('tag:pdf', [], { limit: 1 })).toEqual(['page-merging']);
});

test('what merely comes along with a skill within stays outside', async () => {
  expect(await names('fill in a form in a browser', ['web'])).toEqual(['web-forms']);
});

test('a search that nobody typed, as for the words of a message, takes no word for a tag', async () => {
  const query = 'fill in a form tag:pdf in a browser';
  expect(await createSearch(library).search(query)).toEqual(library.search(query));
});
