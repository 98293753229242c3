import { mkdirSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { openLibrary } from '../../src/library/library.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';

let shared: LibraryFolder;
let links: LibraryFolder;

beforeEach(() => {
  shared = libraryFolder();
  links = libraryFolder();
  shared.skill('group/pdf');
  shared.file('group/loose.md', '---\nname: loose\n---\n');
  shared.link('group/gone', shared.path('nothing'));
  shared.file('group/broken/SKILL.md', 'no front matter');
  shared.link('group/outside/SKILL.md', '/etc/hostname');
  mkdirSync(shared.path('group/folder/SKILL.md'), { recursive: true });
});

/** What a library of these folders lists, refuses and complains of. */
async function opened(...dirs: string[]) {
  const roots = dirs.map((dir, index) => ({ name: `root${index}`, dir, writable: false }));
  const { entries, problems } = await openLibrary({ roots });
  const shown = entries.map((entry) => [entry.state, entry.root.name]);
  return { entries: shown.sort(), problems: problems.map(({ rule }) => rule).sort() };
}

test('two roots that lead to one folder give what one of them gives', async () => {
  const once = await opened(shared.dir);
  expect(once).toEqual({
    entries: [['listed', 'root0'], ...Array.from({ length: 3 }, () => ['refused', 'root0'])],
    problems: ['link-not-followed', 'loose-file'],
  });
  links.link('one', shared.dir);
  links.link('two', links.path('one'));
  expect(await opened(shared.dir, shared.dir)).toEqual(once);
  expect(await opened(links.path('one'), shared.dir)).toEqual(once);
  expect(await opened(shared.dir, links.path('two'), `${shared.dir}/`)).toEqual(once);
});

test('what lies below two roots is told once, whichever way leads there', async () => {
  const once = await opened(shared.dir);
  links.link('group', shared.path('group'));
  expect(await opened(shared.dir, shared.path('group'))).toEqual(once);
  expect(await opened(shared.dir, links.path('group'))).toEqual(once);
  expect((await opened(links.path('group'), shared.dir)).problems).toEqual(once.problems);
});

test('a root that is missing twice is told once', async () => {
  expect((await opened(shared.path('none'), shared.path('none'))).problems).toEqual(['root-missing']);
});
