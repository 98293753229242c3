import { expect, test } from 'vitest';
import { tagIndexOf } from '../../src/library/tags/tag-index.ts';
import { libraryFolder } from '../support/library-folder.ts';

test('a folder that comes to hold nearly all says no more, in search and tags of a running process as in a new one', async () => {
  const root = libraryFolder();
  for (let index = 0; index < 18; index += 1)
    root.skill(`pantry/${index % 2 ? 'jam' : 'tea'}/x${index}`, { description: 'Does it.' });
  const library = await root.open();
  const hits = (from: typeof library, query: string) =>
    from.search(query, { limit: 40, all: true }).map(({ name }) => name);
  const withTag = (tag: string) => tagIndexOf(library).skillsWith(tag).size;
  expect([hits(library, 'pantry').length, withTag('pantry'), withTag('tea')]).toEqual([18, 18, 0]);
  for (let index = 18; index < 24; index += 1)
    root.skill(`pantry/${index % 2 ? 'jam' : 'tea'}/x${index}`, { description: 'Does it.' });
  await library.refresh();
  const fresh = await root.open();
  expect([withTag('pantry'), withTag('tea'), withTag('jam')]).toEqual([0, 12, 12]);
  for (const query of ['pantry', 'tea', 'jam']) expect(hits(library, query)).toEqual(hits(fresh, query));
  expect(hits(library, 'tea')).toHaveLength(12);
});
