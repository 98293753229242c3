import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Library } from '../../src/library/library.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';
import { temporary } from '../support/skills.ts';

/** Long enough from now that nothing written in a test is taken for fresh. */
const LATER = 1000 * 60 * 60;
const QUERIES = ['brew tea', 'bake rye bread', 'brwe', 'onion', 'tea', 'quantum chromodynamics', '茶'];

let root: LibraryFolder;
let readings: string;
let index: string;

beforeEach(async () => {
  root = libraryFolder();
  readings = join(await temporary('cache'), 'logs', 'readings.bin');
  index = join(dirname(readings), 'search-index.bin');
  root.skill('tea', { description: 'Brews green tea 茶.', body: 'Goes with the `rye-bread` skill.\n' });
  root.skill('baking/rye-bread', { description: 'Bakes rye bread.', body: '# Dough — kneaded\n' });
  root.skill('soup', { description: 'Cooks onion soup.' });
});

const open = () => root.open({ cache: { file: readings, now: Date.now() + LATER } });
const said = (library: Library) => ({
  answers: QUERIES.map((query) => library.search(query, { all: true })),
  edges: library.edges(),
  texts: library.skills.map(({ body, headings }) => ({ body, headings })),
});

test('an index from the cache says what one says that was built anew, and is not written again', async () => {
  const cold = said(await open());
  const { ino } = statSync(index);
  expect(said(await open())).toEqual(cold);
  expect(said(await root.open())).toEqual(cold);
  expect(statSync(index).ino).toBe(ino);
});

test('both caches are for their owner alone', async () => {
  said(await open());
  for (const file of [readings, index]) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('what the index holds is taken from there', async () => {
  said(await open());
  const before = readFileSync(index);
  root.skill('tea', { description: 'Brews black coffee.' });
  said(await open());
  const after = readFileSync(index);
  expect(after.equals(before)).toBe(false);
  // The documents of the old texts, beside the readings of the new: nothing of them may be served.
  writeFileSync(index, before);
  expect(said(await open())).toEqual(said(await root.open()));
});

test('an index of another folder of skills is of no use here', async () => {
  said(await open());
  renameSync(root.path('baking'), root.path('oven'));
  expect(said(await open())).toEqual(said(await root.open()));
});

test('no word of a query or of what was recorded is kept', async () => {
  const recorded = { queriesOf: () => ['zymurgy for beginners'], coUse: () => [] };
  const library = await root.open({ recorded, cache: { file: readings, now: Date.now() + LATER } });
  library.search('xylophone');
  root.skill('new', { description: 'Something else.' });
  await library.refresh();
  library.search('vuvuzela');
  const texts = [readings, index].map((file) => readFileSync(file));
  for (const word of ['zymurgy', 'xylophone', 'xylophon', 'vuvuzela'])
    for (const bytes of texts)
      for (const encoding of ['utf8', 'utf16le'] as const)
        expect(bytes.includes(Buffer.from(word, encoding))).toBe(false);
});

test('a skill that is only thought of is not kept, though it bears the hash of the one on disk', async () => {
  const library = await open();
  const [tea] = library.skills.filter(({ name }) => name === 'tea');
  if (tea === undefined) throw new Error('tea is missing');
  const other = library.with([{ ...tea, description: 'Repairs bicycles.' }]);
  expect(other.search('repair bicycles')[0]?.name).toBe('tea');
  expect(existsSync(index)).toBe(false);
  expect(said(library)).toEqual(said(await root.open()));
  expect(said(await open())).toEqual(said(await root.open()));
});

test('a library goes on with the bodies that it was opened with when the cache is replaced', async () => {
  await open();
  const library = await open();
  const before = library.skills.map(({ body }) => body);
  root.skill('tea', { description: 'Brews tea.', body: 'Another text.\n' });
  await open();
  expect(library.skills.map(({ body }) => body)).toEqual(before);
  expect((await open()).find('tea')?.body).toBe('Another text.\n');
});

test('a skill from the cache can be copied, compared and written down', async () => {
  await open();
  const [cached, anew] = [await open(), await root.open()].map((library) => library.find('tea'));
  expect({ ...cached }).toEqual(anew);
  expect(JSON.parse(JSON.stringify(cached))).toEqual(JSON.parse(JSON.stringify(anew)));
  expect(new Set(Object.keys(cached ?? {}))).toEqual(new Set(Object.keys(anew ?? {})));
});

describe('what somebody did to the files', () => {
  test.each<[title: string, ending: string]>([
    ['line feeds', '\n'],
    ['other line ends and a byte-order mark', '\r\n'],
  ])('a cache that is written over while it is in use is done without: %s', async (_, ending) => {
    const text = readFileSync(root.path('tea/SKILL.md'), 'utf8').replace('Goes', '# Pot\n\nGoes');
    root.file('tea/SKILL.md', ending === '\n' ? text : `\uFEFF${text.replaceAll('\n', ending)}`);
    const { body, headings } = { ...(await root.open()).find('tea') };
    await open();
    for (const from of ['Goes with', '["Pot"]']) {
      const library = await open();
      const kept = readFileSync(readings, 'latin1');
      writeFileSync(readings, kept.replace(from, from.toUpperCase()), 'latin1');
      expect({ ...library.find('tea') }).toMatchObject({ body, headings });
      expect(existsSync(readings)).toBe(false);
      await open();
      expect(readFileSync(readings, 'latin1')).toBe(kept);
    }
  });

  test('a cache that is written over is an error where the skill is another one by now', async () => {
    await open();
    const library = await open();
    writeFileSync(readings, readFileSync(readings, 'latin1').replace('Goes with', 'Went with'), 'latin1');
    root.skill('tea', { description: 'Brews green tea 茶.', body: 'Stands with the `rye-bread` skill.\n' });
    expect(() => library.find('tea')?.body).toThrow(
      `${readings} was changed while it was in use; delete it and start again`,
    );
  });

  test.each(['readings', 'index'])('any byte of the %s that is not as it was written', async (which) => {
    const good = said(await open());
    const file = which === 'index' ? index : readings;
    const whole = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const damaged = Buffer.from(whole);
        damaged[at] = (damaged[at] ?? 0) ^ mask;
        writeFileSync(file, damaged);
        expect(said(await open())).toEqual(good);
        // What is damaged where a text of a skill lies shows when it is asked for.
        await open();
        expect(readFileSync(file).equals(whole)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test.each(['readings', 'index'])('any part of the %s', async (which) => {
    const good = said(await open());
    const file = which === 'index' ? index : readings;
    const whole = readFileSync(file);
    for (const length of [0, 1, 100, 255, 256, 260, 264, 300, whole.length - 1]) {
      writeFileSync(file, whole.subarray(0, length));
      expect(said(await open())).toEqual(good);
      expect(readFileSync(file).equals(whole)).toBe(true);
    }
    writeFileSync(file, Buffer.concat([whole, Buffer.from('x')]));
    expect(said(await open())).toEqual(good);
  });

  test('something else of the name of the index', async () => {
    root.file('not-an-index/x', '');
    readings = root.path('not-an-index/readings.bin');
    root.file('not-an-index/search-index.bin/x', '');
    expect(said(await open())).toEqual(said(await root.open()));
  });
});
