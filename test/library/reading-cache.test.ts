import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Library } from '../../src/library/library.ts';
import { openVectorCache } from '../../src/library/meaning/vector-cache.ts';
import { readRoots } from '../../src/library/reading/read-roots.ts';
import { loadReadings, saveReadings } from '../../src/library/reading/reading-cache.ts';
import { loadIndex } from '../../src/library/search/index-file.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';
import { temporary } from '../support/skills.ts';

/** Long enough from now that nothing written in a test is taken for fresh. */
const LATER = 1000 * 60 * 60;

let root: LibraryFolder;
let file: string;
let now: number;

beforeEach(async () => {
  root = libraryFolder();
  file = join(await temporary('cache'), 'logs', 'readings.json');
  now = Date.now() + LATER;
  root.skill('tea', { description: 'Brews green tea.', body: 'Water at 70 °C.\n', more: 'tags: [a, b]' });
  root.skill('odd', { name: 'Odd Name', more: 'params:\n  x: {type: integer, required: true}' });
  root.file('tea/tools.yaml', 'tools:\n  - {name: pour, description: Pours., script: a.sh}\n');
  root.file('tea/evals/triggers.json', '[{"query": "a hot drink", "should_trigger": true}]');
  root.file('broken/SKILL.md', 'no front matter');
});

const open = () => root.open({ cache: { file, now } });
const kept = async () => [...loadReadings(file).keys()].map((path) => path.slice(root.dir.length + 1));

/** Everything that a library says of its skills. */
const said = (library: Library) => ({ entries: library.entries, problems: library.problems });

/** Puts a mark into what is kept, by which to see that it is what the library answers with. */
async function mark(from: string, to: string): Promise<void> {
  const readings = new Map(
    [...loadReadings(file)].map(([path, known]) => [
      path,
      JSON.parse(JSON.stringify(known).replace(from, to)) as typeof known,
    ]),
  );
  saveReadings(file, readings, now);
}

test('a library from the cache says what one says that was read anew', async () => {
  const cold = said(await open());
  expect(await kept()).toEqual(['broken/SKILL.md', 'odd/SKILL.md', 'tea/SKILL.md']);
  const before = readFileSync(file, 'latin1');
  expect(said(await open())).toEqual(cold);
  expect(said(await root.open())).toEqual(cold);
  expect(readFileSync(file, 'latin1')).toBe(before);
});

test('what has not changed is taken from the cache', async () => {
  await open();
  await mark('Brews green tea.', 'Kept text.');
  expect((await open()).find('tea')?.description).toBe('Kept text.');
});

test('the cache is for its owner alone', async () => {
  await open();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

describe('what has changed is read anew and kept anew', () => {
  beforeEach(async () => {
    await open();
    await mark('Brews green tea.', 'Kept text.');
  });

  test.each<[title: string, change: () => void]>([
    ['an edit', () => root.skill('tea', { description: 'Brews black tea.' })],
    [
      'an edit of the same size and modification time',
      () => {
        const { atime, mtime } = statSync(root.path('tea/SKILL.md'));
        root.skill('tea', {
          description: 'Brews black tea',
          body: 'Water at 70 °C.\n',
          more: 'tags: [a, b]',
        });
        utimesSync(root.path('tea/SKILL.md'), atime, mtime);
      },
    ],
    ['a touch', () => utimesSync(root.path('tea/SKILL.md'), 1, 1)],
    ['a change of its tools', () => root.file('tea/tools.yaml', 'tools: []\n')],
    ['triggers that are removed', () => root.remove('tea/evals')],
    ['tests that come beside it', () => root.file('tea/tests.yaml', 'tests: []\n')],
    [
      'tests that come beside it and leave the time of the folder',
      () => {
        const { atime, mtime } = statSync(root.path('tea'));
        root.file('tea/tests.yaml', 'tests: []\n');
        utimesSync(root.path('tea'), atime, mtime);
      },
    ],
    [
      'a copy that takes the place of its folder',
      () => {
        cpSync(root.path('tea'), root.path('.copy'), { recursive: true, preserveTimestamps: true });
        root.remove('tea');
        renameSync(root.path('.copy'), root.path('tea'));
      },
    ],
    [
      'a link out in place of its file',
      () => {
        renameSync(root.path('tea/SKILL.md'), root.path('.elsewhere'));
        root.link('tea/SKILL.md', '/etc/hostname');
      },
    ],
  ])('%s', async (_, change) => {
    change();
    const anew = await open();
    expect(anew.find('tea')?.description).not.toBe('Kept text.');
    expect(said(anew)).toEqual(said(await root.open()));
    expect(said(await open())).toEqual(said(anew));
  });

  test('a skill that is gone, and one that is new', async () => {
    root.remove('tea');
    root.skill('soup');
    expect((await open()).skills.map(({ name }) => name)).toEqual(['odd-name', 'soup']);
    expect(await kept()).toEqual(['broken/SKILL.md', 'odd/SKILL.md', 'soup/SKILL.md']);
  });

  test('a refresh of a running library', async () => {
    const library = await open();
    root.skill('tea', { description: 'Brews black tea.' });
    await library.refresh();
    expect(library.find('tea')?.description).toBe('Brews black tea.');
  });
});

test('a folder that has not changed is not looked into', async () => {
  await open();
  await mark('Brews green tea.', 'Kept text.');
  expect((await open()).find('tea')?.description).toBe('Kept text.');
  await mark('"evals"', '"nothing"');
  expect((await open()).find('tea')?.description).toBe('Brews green tea.');
});

test('a folder is looked into that changed a moment before it was, or later than the clock says', async () => {
  const folders = () => [...loadReadings(file).values()].map(({ folder }) => folder?.stamp);
  utimesSync(root.path('tea'), 1, 1);
  const changed = statSync(root.path('tea')).ctimeMs;
  saveReadings(
    file,
    (await readRoots([{ name: 'all', dir: root.dir, writable: true }], new Map(), changed)).files,
    now,
  );
  expect(folders()).toEqual([undefined, undefined, undefined]);
  await open();
  expect(folders().every((stamp) => stamp !== undefined)).toBe(true);
});

test('a file that changed a moment ago is not kept, as it could change again and look the same', async () => {
  now = statSync(root.path('tea/SKILL.md')).ctimeMs + 1000;
  await open();
  expect(existsSync(file) ? await kept() : []).toEqual([]);
  now += LATER;
  await open();
  expect(await kept()).toHaveLength(3);
});

describe('a cache that cannot be trusted is made anew', () => {
  test.each<[title: string, damage: (text: string) => string]>([
    ['cut short', (text) => text.slice(0, -20)],
    ['empty', () => ''],
    ['of something else', () => '{"a": 1}\n[]'],
    [
      'with a byte that is not as it was written',
      (text) => text.replace('Brews green', 'Brews green'.replace('g', 'q')),
    ],
    ['of another version', (text) => text.replace(/"knack":"[^"]*"/, '"knack":"0.0.0"')],
    ['of another build', (text) => text.replace(/"build":\[\d+/, '"build":[1')],
    ['without a header', (text) => text.slice(text.indexOf('\n') + 1)],
  ])('%s', async (_, damage) => {
    await open();
    const whole = readFileSync(file, 'latin1');
    writeFileSync(file, damage(whole), 'latin1');
    expect(await kept()).toEqual([]);
    expect(said(await open())).toEqual(said(await root.open()));
    expect(readFileSync(file, 'latin1')).toBe(whole);
  });
});

describe('writing', () => {
  test('by several at once leaves one whole cache and nothing else', async () => {
    const libraries = await Promise.all(Array.from({ length: 8 }, open));
    for (const library of libraries) expect(said(library)).toEqual(said(await root.open()));
    expect(await kept()).toHaveLength(3);
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  test('while another process writes leaves that one’s alone, and goes on where it was killed', async () => {
    await open();
    writeFileSync(`${file}.new`, 'half');
    root.skill('soup');
    const before = readFileSync(file, 'latin1');
    now = Date.now() + 10_000;
    await open();
    expect(readFileSync(file, 'latin1')).toBe(before);
    expect(readFileSync(`${file}.new`, 'utf8')).toBe('half');
    now = Date.now() + LATER;
    await open();
    expect(await kept()).toContain('soup/SKILL.md');
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  test('where nothing can be written costs nothing but time', async () => {
    writeFileSync(join(file, '../..', 'blocked'), '');
    file = join(file, '../..', 'blocked', 'readings.json');
    expect((await open()).skills).toHaveLength(2);
    root.file('folder/x', '');
    file = root.path('folder');
    expect((await open()).skills).toHaveLength(2);
  });
});

test.skipIf(process.platform === 'win32')('a pipe in place of what was kept is not opened', async () => {
  mkdirSync(dirname(file), { recursive: true });
  const index = join(dirname(file), 'search-index.bin');
  for (const path of [file, index]) execFileSync('mkfifo', [path]);
  expect(loadReadings(file).size).toBe(0);
  expect(loadIndex(index)).toBeUndefined();
  const vectors = await openVectorCache(dirname(file), 'maker');
  execFileSync('mkfifo', [vectors.file]);
  expect((await openVectorCache(dirname(file), 'maker')).size).toBe(0);
});

test.skipIf(process.platform === 'win32')('a pipe in place of settings is refused by name', async () => {
  const dir = await temporary('settings');
  execFileSync('mkfifo', [join(dir, 'knack.json')]);
  const environment = { home: dir } as Parameters<typeof loadConfig>[1];
  await expect(loadConfig(dir, environment)).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining(join(dir, 'knack.json')),
  });
});
