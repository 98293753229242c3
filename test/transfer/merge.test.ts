import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { equalFolders, type Folder } from '../../src/files/folder.ts';
import { mergeFolders } from '../../src/transfer/merge-folders.ts';
import { createTextMerger } from '../../src/transfer/merge-text.ts';
import { folderOf, temporary } from '../support/skills.ts';

const merger = createTextMerger({ path: process.env['PATH'] ?? '', home: await temporary('merge-home') });
afterAll(async () => (await merger).close());

const line = fc.constantFrom('a', 'b', 'c', '', '=======', '<<<<<<< x');
const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.map((each) => `${each}\n`).join(''));
const folder: fc.Arbitrary<Folder> = fc
  .record({ 'a.md': text, 'b.md': text, 'c.md': text }, { requiredKeys: ['a.md'] })
  .map((texts) => folderOf(texts as Record<string, string>));

async function merged(base: Folder, ours: Folder, theirs: Folder, prefer?: 'ours' | 'theirs') {
  const result = await mergeFolders({ base, ours, theirs }, await merger, prefer);
  return result.kind === 'merged' ? result.folder : undefined;
}

test('what only one side changed is that side, and what both changed alike is that', async () => {
  await fc.assert(
    fc.asyncProperty(folder, folder, async (base, other) => {
      expect(equalFolders(await merged(base, base, other), other)).toBe(true);
      expect(equalFolders(await merged(base, other, base), other)).toBe(true);
      expect(equalFolders(await merged(base, other, other), other)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('with a side that wins nothing is a conflict, and without one a result has no marks', async () => {
  await fc.assert(
    fc.asyncProperty(folder, folder, folder, async (base, ours, theirs) => {
      for (const prefer of ['ours', 'theirs'] as const)
        expect(await merged(base, ours, theirs, prefer)).toBeDefined();
      const without = await merged(base, ours, theirs);
      const words = [...(without ?? new Map()).values()]
        .map(({ bytes }) => Buffer.from(bytes).toString())
        .join('');
      expect(words).not.toMatch(/<{20}|={20}|>{20}/);
    }),
    { numRuns: 15 },
  );
});

test('a file on one side and a folder on the other is a conflict', async () => {
  const result = await mergeFolders(
    { base: new Map(), ours: folderOf({ x: 'a' }), theirs: folderOf({ 'x/y': 'b' }) },
    await merger,
  );
  expect(result).toEqual({
    kind: 'conflict',
    conflicts: [
      { file: 'x/y', lines: [], clashes: [], reason: '"x" is a file on one side and a folder on the other' },
    ],
  });
});

test.each<[string, Record<string, string>, Record<string, string>, Record<string, string>]>([
  ['a new file here, a new folder there', {}, { x: 'a' }, { 'x/y': 'b', 'x/z/w': 'c' }],
  ['a new folder here, a new file there', {}, { 'x/y': 'b' }, { x: 'a' }],
  ['a folder that became a file here and grew there', { 'x/y': 'b' }, { x: 'a' }, { 'x/y': 'b', 'x/z': 'c' }],
  ['a file that became a folder here and changed there', { x: 'a' }, { 'x/y': 'b' }, { x: 'c' }],
  [
    'a file within a folder and a folder within it',
    { k: 'k' },
    { 'x/y': 'b', k: 'k' },
    { 'x/y/z': 'c', k: 'k' },
  ],
])('with a side that wins, %s comes to that side', async (_, base, ours, theirs) => {
  for (const [prefer, side] of [
    ['ours', ours],
    ['theirs', theirs],
  ] as const) {
    const folder = await merged(folderOf(base), folderOf(ours), folderOf(theirs), prefer);
    expect(new Set((folder ?? new Map()).keys())).toEqual(new Set(Object.keys(side)));
  }
});
