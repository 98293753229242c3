import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { rootNameOf } from '../../src/known-roots.ts';
import { openLibrary } from '../../src/library/library.ts';
import { orderRoots, placesAround, readProject } from '../../src/library/project/project.ts';
import { readProjectContent } from '../../src/library/project/project-content.ts';
import { openTrustStore } from '../../src/library/project/trust.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';

let checkout: LibraryFolder;
let outside: LibraryFolder;

beforeEach(() => {
  checkout = libraryFolder();
  outside = libraryFolder();
  mkdirSync(checkout.path('.git'));
});

/** The only place of the checkout as it is now. */
function contentNow(limits = {}) {
  const [place] = placesAround(checkout.dir, { home: outside.dir });
  if (place === undefined) throw new Error('the checkout holds nothing');
  return readProjectContent(place, limits);
}

const SETTINGS: [title: string, text: string | Uint8Array, told: RegExp][] = [
  ['sets the gate', '{"review":{"autonomy":"commit"}}', /a checkout cannot set "review"/],
  ['sets a model', '{"model":{"baseUrl":"http://evil"}}', /a checkout cannot set "model"/],
  ['sets approval', '{"assistant":{"approval":[]}}', /a checkout cannot set "assistant"/],
  ['sets scripts', '{"scripts":{"timeoutSeconds":9}}', /a checkout cannot set "scripts"/],
  ['has a dangerous key', '{"__proto__":{"roots":["/"]}}', /a checkout cannot set "__proto__"/],
  ['has a key that moves the cursor', '{"\\u001b[2Jx":1}', /a checkout cannot set "\\u001b\[2Jx"/],
  ['has many such keys', `{${[...'abcdefgh'].map((key) => `"${key}":1`).join()}}`, /and 3 further keys/],
  ['is no JSON', '{"roots":', /\.knack\.json is not JSON/],
  ['is no UTF-8', new Uint8Array([0xff, 0xfe]), /is not JSON in UTF-8/],
  ['is a list', '[]', /holds no object/],
  ['is huge', `{"roots":["${'a'.repeat(70_000)}"]}`, /at most 65536/],
  ['is deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, /not JSON|holds no object/],
  ['has a root /', '{"roots":["/"]}', /the root "\/" is no path within/],
  ['has a root ~', '{"roots":["~"]}', /the root "~" is no path within/],
  ['has a root ~/x', '{"roots":["~/.ssh"]}', /the root "~\/\.ssh" is no path within/],
  ['has a root above', '{"roots":["../../.."]}', /the root "\.\.\/\.\.\/\.\." is no path within/],
  ['has a root with NUL', '{"roots":["a\\u0000"]}', /the root "a\\u0000" is no path within/],
  ['has roots of numbers', '{"roots":[1]}', /roots must be a list/],
  ['has servers of texts', '{"mcpServers":{"a":"b"}}', /mcpServers must be an object/],
];

test.each(SETTINGS)(
  'a .knack.json that %s has a fault that names it, and brings nothing',
  (_, text, told) => {
    checkout.file('.knack.json', text);
    const { faults, roots, servers } = contentNow();
    expect([faults.join('\n'), roots, servers]).toEqual([expect.stringMatching(told), [], []]);
  },
);

test('settings that are a folder, a link out or a link nowhere have a fault or bring nothing', () => {
  outside.file('evil.json', '{"roots":["x"]}');
  checkout.file('x/pdf/SKILL.md', 'x');
  checkout.file('.knack.json/a', 'x');
  checkout.link('.mcp.json', outside.path('evil.json'));
  expect(contentNow().faults).toEqual([
    '.knack.json is no file',
    `.mcp.json is a link that leads out of ${checkout.dir}; copy what it leads to, or remove it`,
  ]);
});

test('roots and servers of the settings come before the known homes', () => {
  checkout.file('.knack.json', '{"roots":["more","missing"],"mcpServers":{"a":{"command":"x"}}}');
  checkout.file('.mcp.json', '{"mcpServers":{"b":{"url":"http://x"}},"other":1}');
  checkout.skill('more/csv');
  checkout.skill('.claude/skills/pdf');
  const { roots, servers, faults, notes } = contentNow();
  expect([roots.map(({ name }) => name), servers.map(({ name }) => name), faults, notes]).toEqual([
    ['more', 'claude'],
    ['a', 'b'],
    [],
    ['missing is no folder and not used'],
  ]);
});

describe('links', () => {
  test('within a home that lead out are a fault', () => {
    outside.skill('secret');
    checkout.skill('.claude/skills/pdf');
    checkout.link('.claude/skills/secret', outside.path('secret'));
    expect(contentNow().faults).toEqual([
      expect.stringMatching(/^\.claude\/skills\/secret is a link that leads out/),
    ]);
  });

  test('within the checkout are followed once, and what they lead to is a part of what is trusted', () => {
    checkout.skill('.agents/skills/pdf');
    checkout.skill('shared/csv');
    checkout.link('.claude/skills', '../.agents/skills');
    checkout.link('.agents/skills/csv', '../../shared/csv');
    checkout.link('.agents/skills/loop', '..');
    checkout.link('.agents/skills/gone', 'nowhere');
    const before = contentNow();
    expect([before.faults, before.roots.map(({ name }) => name)]).toEqual([[], ['agents']]);
    expect([...before.files.keys()]).toContain('.agents/skills/csv/SKILL.md');
    checkout.skill('shared/csv', { body: 'Changed.' });
    expect(contentNow().files).not.toEqual(before.files);
  });
});

test('a pipe is never opened, and neither is what cannot be read passed over', () => {
  checkout.skill('.claude/skills/pdf');
  execFileSync('mkfifo', [checkout.path('.claude/skills/pdf/pipe')]);
  expect(contentNow().files.get('.claude/skills/pdf/pipe')).toBe('neither a file nor a folder');
  if (process.getuid?.() === 0) return;
  chmodSync(checkout.path('.claude/skills/pdf/SKILL.md'), 0);
  expect(contentNow().faults).toEqual([expect.stringMatching(/cannot be read as a whole: EACCES/)]);
});

test.each([
  [{ entries: 3 }, 'more than 3 files'],
  [{ bytes: 10 }, 'more than 10 bytes'],
])('more than %o is too much to be trusted', (limits, told) => {
  checkout.skill('.claude/skills/pdf');
  for (const name of ['a', 'b', 'c']) checkout.file(`.claude/skills/pdf/${name}`, 'x');
  expect(contentNow(limits).faults).toEqual([expect.stringContaining(`${told}, too much to be trusted`)]);
});

test("the user's own home, and folders that are roots already, are no places of a project", () => {
  checkout.skill('.claude/skills/pdf');
  checkout.skill('.agents/skills/pdf');
  expect(placesAround(checkout.dir, { home: checkout.dir })).toEqual([]);
  const [place] = placesAround(checkout.dir, {
    home: outside.dir,
    workspace: checkout.path('.agents/skills'),
    roots: [checkout.path('.claude/skills'), '.codex/skills'],
  });
  expect(place).toBe(undefined);
});

test('roots of one name are told apart, and the order is the same whatever they are called', () => {
  const roots = orderRoots(
    { writable: '/w', bundled: '/b' },
    ['/x/skills', '.claude/skills', '/y/x'],
    [
      { name: 'claude', dir: '/p/a', home: '.claude/skills' },
      { name: 'more', dir: '/p/m' },
      { name: 'claude', dir: '/p/b', home: '.claude/skills' },
    ],
  );
  expect(roots.map(({ name, dir }) => `${name} ${dir}`)).toEqual([
    'workspace /w',
    'project/more /p/m',
    'x /x/skills',
    'project/claude /p/a',
    'project/claude-2 /p/b',
    'x-2 /y/x',
    'bundled /b',
  ]);
});

test('a library that is open lets go of a checkout as soon as it changes, and takes it up when it is trusted', async () => {
  checkout.skill('.claude/skills/pdf');
  outside.skill('skills/pdf', { description: 'Own.' });
  const trust = openTrustStore(outside.path('trust'));
  const project = () =>
    readProject({ cwd: checkout.dir, home: outside.dir, workspace: '/none', roots: [], trust });
  const log: string[] = [];
  const library = await openLibrary({
    roots: () =>
      orderRoots({ writable: outside.path('none'), bundled: outside.path('skills') }, [], project().roots),
    log: (line) => log.push(line),
  });
  const described = () => library.find('pdf')?.description;
  expect(described()).toBe('Own.');
  trust.add(checkout.dir, contentNow(), '2026-01-01T00:00:00Z');
  expect(await library.refresh()).toMatchObject([{ name: 'pdf', kind: 'changed' }]);
  expect([described(), library.search('pdf').map(({ name }) => name)]).toEqual([
    'Does pdf. Use when pdf is wanted.',
    ['pdf'],
  ]);
  checkout.skill('.claude/skills/evil');
  checkout.skill('.claude/skills/pdf', { description: 'Evil.' });
  await library.refresh();
  expect([described(), library.find('evil')]).toEqual(['Own.', undefined]);
  expect(log).toHaveLength(2);
});

test.each([
  ['/home/me/.pi/agent/skills', 'pi'],
  ['C:\\Users\\me\\.pi\\agent\\skills', 'pi'],
  ['.config/goose/skills', 'goose'],
  ['D:\\work\\team\\skills', 'team'],
])('a root is called by its agent or folder, whichever way its path is written: %s', (path, name) => {
  expect(rootNameOf(path)).toBe(name);
});
