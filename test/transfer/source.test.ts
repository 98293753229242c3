import { expect, test } from 'vitest';
import { KnackError } from '../../src/errors.ts';
import { parseSource, sourceName, sourceOf, sourceText, withoutSecrets } from '../../src/transfer/source.ts';
import { temporary } from '../support/skills.ts';

test.each([
  ['https://example.org/a/b.git', 'https://example.org/a/b.git', undefined],
  ['https://example.org/a/b#v1.2', 'https://example.org/a/b', 'v1.2'],
  ['https://user:secret@example.org/a/b#feature/x', 'https://example.org/a/b', 'feature/x'],
  ['https://token@example.org/a/b', 'https://example.org/a/b', undefined],
  ['https://u:pa@sswordX@example.org/a/b', 'https://example.org/a/b', undefined],
  ['HTTPS://u:sswordX@example.org/a/b', 'HTTPS://example.org/a/b', undefined],
  ['https://example.org/a/b?access_token=sswordX', 'https://example.org/a/b', undefined],
  ['https://example.org/@scope/b', 'https://example.org/@scope/b', undefined],
  ['ssh://git:pa@sswordX@example.org/a/b', 'ssh://git@example.org/a/b', undefined],
  ['file:///srv/a@c/b', 'file:///srv/a@c/b', undefined],
  ['ssh://git@example.org:22/a/b', 'ssh://git@example.org:22/a/b', undefined],
  ['ssh://git:secret@example.org/a/b', 'ssh://git@example.org/a/b', undefined],
  ['git@example.org:a/b.git#main', 'git@example.org:a/b.git', 'main'],
  ['file:///srv/b', 'file:///srv/b', undefined],
  ['http://localhost:80/b', 'http://localhost:80/b', undefined],
])('%s is a repository, shown and kept without credentials', (given, shown, ref) => {
  const source = parseSource(given, '/');
  expect(source).toMatchObject({ kind: 'git', shown, ...(ref === undefined ? {} : { ref }) });
  expect(sourceName(source)).toBe('b');
  expect(sourceOf({ source: sourceText(source), ...(ref === undefined ? {} : { ref }) })).toMatchObject({
    shown,
  });
});

test.each([
  'ext::sh -c id',
  'fd::17',
  '--upload-pack=touch /tmp/x',
  '-u',
  'git://example.org/a',
  'ftp://example.org/a',
  'http://example.org/a',
  'http://localhost:80@example.org/a',
  'https://example.org/a#--upload-pack=x',
  'https://example.org/a#a..b',
  'https://example.org/a#a:b',
  'https://example.org/a b',
  'https://example.org/a\nb',
  'user@-oProxyCommand=x:path',
  'user@host:-x',
])('%j is refused before git sees it', (given) => {
  expect(() => parseSource(given, '/')).toThrow(expect.objectContaining({ code: 'usage' }));
});

test.each([
  'https://u:pa/sswordX@example.org/a',
  'https://u:12/sswordX@example.org/a',
  'https://u:pa?sswordX@example.org/a',
  'https://u:12#sswordX@example.org',
  'https://u:pa#sswordX@example.org/a',
  'https://u:p sswordX@example.org/a',
  'git+https://u:sswordX@h/r',
  'ftp://u:p@sswordX@h/r',
  'ftp://u:p/sswordX@h/r',
  'u:sswordX@h:r',
  'u:sswordX@h/r',
  '1u:sswordX@h/r',
  '-u:sswordX@h/r',
  'h/r?access_token=sswordX',
])('no part of the password of %j is shown', (given) => {
  let message = '';
  try {
    parseSource(given, '/');
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).not.toBe('');
  expect(message).not.toContain('sswordX');
});

test('git reads the password as it was meant, and what it says of the URL is not shown', () => {
  const source = parseSource('https://u:pa@sswordX@example.org/a?key=sswordY', '/');
  if (source.kind !== 'git') throw new Error('no repository');
  expect(source.url).toBe('https://u:pa%40sswordX@example.org/a?key=sswordY');
  const words = `fatal: ${source.url}/: no. https://example.org/a?key=sswordY/info pa@sswordX`;
  expect(withoutSecrets(words, source)).toBe(
    'fatal: https://example.org/a/: no. https://example.org/a…/info …',
  );
});

test('a folder is one, relative to where the command was called', async () => {
  const dir = await temporary('place');
  expect(parseSource('.', dir)).toEqual({ kind: 'folder', dir });
});

test('owner/name that is no folder is told of as a repository of GitHub', () => {
  expect(() => parseSource('owner/name', '/')).toThrow(
    new KnackError(
      'not-found',
      'there is no folder /owner/name; give one that exists, or https://github.com/owner/name for a repository',
    ),
  );
});
