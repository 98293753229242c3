import { expect, test } from 'vitest';
import { readTagQuery } from '../../src/library/tags/tag-query.ts';

test.each<[query: string, text: string, tags: string[]]>([
  ['tag:pdf', '', ['pdf']],
  ['fill a form tag:pdf', 'fill a form', ['pdf']],
  ['tag:pdf fill  a form', 'fill a form', ['pdf']],
  ['fill tag:pdf a form tag:web-forms', 'fill a form', ['pdf', 'web-forms']],
  ['tag:pdf,forms merge', 'merge', ['pdf', 'forms']],
  ['tag:pdf tag:pdf', '', ['pdf']],
  ['merge them, tag:pdf.', 'merge them,', ['pdf']],
  ['tag:c++ build', 'build', ['c++']],
  ['tag:.net build', 'build', ['.net']],
  ['tag:数据库 迁移', '迁移', ['数据库']],
  ["don't print tag:pdf, it's late", "don't print it's late", ['pdf']],
])('%j names tags', (query, text, tags) => {
  expect(readTagQuery(query)).toEqual({ text, tags });
});

test.each([
  'why does tag: latest not work',
  'tag:',
  'nginx:tag:latest is pulled',
  'image:tag:v1',
  'tag:v1:debug',
  'what does "tag:pdf" mean',
  "what does 'tag:pdf' mean",
  'what does `docker build tag:pdf` do',
  'say “use tag:pdf now” aloud',
  'an "open quote tag:pdf',
  'in { image: x, tag:pdf }',
  '(see tag:pdf here)',
  'read https://example.com/tag:pdf',
  'https://example.com/?q=tag:pdf',
  'mailto tag:example.com,2005:feed/1 tag:http://a',
  'hashtag:pdf',
  'TAG:pdf',
  'x.tag:pdf',
  '-tag:pdf',
  'services:\n  web:\n    image: nginx\n    tag:latest',
  `${'deploy the container to the cluster and look after it '.repeat(2)}tag:latest`,
  `${'x'.repeat(500)} tag:pdf`,
])('%j names none, and stays as it is', (query) => {
  expect(readTagQuery(query)).toEqual({ text: query, tags: [] });
});

test('a megabyte of brackets is let go at once', () => {
  const query = `${'('.repeat(1_000_000)} tag:pdf`;
  expect(readTagQuery(query).tags).toEqual([]);
});
