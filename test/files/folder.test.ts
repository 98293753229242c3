import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KnackError } from '../../src/errors.ts';
import {
  equalFolders,
  fileText,
  isContainedPath,
  readFolder,
  textFile,
  withFile,
  withSlashes,
  writeFolder,
} from '../../src/files/folder.ts';
import { folderOf, temporary } from '../support/skills.ts';

const SAMPLE = { 'SKILL.md': 'text', 'a/b/c.txt': 'c', 'scripts/run.sh*': '#!/bin/sh\n' };

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof KnackError ? `${error.code}: ${error.message}` : String(error)),
  );
}

test('a folder that is written reads back with the same bytes and modes, in order of its paths', async () => {
  const dir = join(await temporary('folder'), 'new');
  const folder = withFile(folderOf(SAMPLE), 'bytes.bin', {
    bytes: new Uint8Array([0, 255, 13, 10]),
    executable: false,
  });
  await writeFolder(dir, folder);
  const back = await readFolder(dir);
  expect(equalFolders(back, folder)).toBe(true);
  expect([...back.keys()]).toEqual(['SKILL.md', 'a/b/c.txt', 'bytes.bin', 'scripts/run.sh']);
  expect((await stat(join(dir, 'scripts/run.sh'))).mode & 0o777).toBe(0o755);
  expect((await stat(join(dir, 'SKILL.md'))).mode & 0o777).toBe(0o644);
});

test('.git and node_modules are not read, other hidden files and nested skills are', async () => {
  const dir = await temporary('folder');
  for (const name of ['.git', 'node_modules', 'inner/node_modules', '.config'])
    await mkdir(join(dir, name), { recursive: true });
  for (const name of [
    '.git/config',
    'node_modules/x.js',
    'inner/node_modules/x.js',
    '.config/x',
    'inner/SKILL.md',
  ])
    await writeFile(join(dir, name), 'x');
  expect([...(await readFolder(dir)).keys()]).toEqual(['.config/x', 'inner/SKILL.md']);
});

describe('a link', () => {
  test('to a file or a folder inside is read as its content', async () => {
    const dir = await temporary('folder');
    await mkdir(join(dir, 'real'));
    await writeFile(join(dir, 'real', 'a.txt'), 'inside');
    await symlink('real/a.txt', join(dir, 'file.txt'));
    await symlink('real', join(dir, 'folder'));
    await symlink('.', join(dir, 'loop'));
    const folder = await readFolder(dir);
    expect([...folder.keys()].map((path) => [path, fileText(folder, path)])).toEqual([
      ['file.txt', 'inside'],
      ['folder/a.txt', 'inside'],
      ['real/a.txt', 'inside'],
    ]);
  });

  test.each([
    ['to a file outside', '../outside.txt', 'leads out'],
    ['to a folder outside', '../other', 'leads out'],
    ['to a folder whose name begins alike', '../skill-evil', 'leads out'],
    ['to nothing', 'missing', 'leads nowhere'],
    ['to itself', 'link', 'leads nowhere'],
  ])('%s is refused by name, and nothing of its target is read', async (_, target, words) => {
    const base = await temporary('folder');
    for (const name of ['skill', 'other', 'skill-evil']) await mkdir(join(base, name));
    await writeFile(join(base, 'outside.txt'), 'sentinel');
    await symlink(target, join(base, 'skill', 'link'));
    const answer = await codeOf(readFolder(join(base, 'skill')));
    expect(answer).toContain(`refused: ${join(base, 'skill', 'link')} is a link that ${words}`);
    expect(answer).not.toContain('sentinel');
  });

  test('that is the folder itself is followed', async () => {
    const base = await temporary('folder');
    await mkdir(join(base, 'real'));
    await writeFile(join(base, 'real', 'a'), 'x');
    await symlink('real', join(base, 'link'));
    expect(equalFolders(await readFolder(join(base, 'link')), await readFolder(join(base, 'real')))).toBe(
      true,
    );
  });
});

test('what is too many, too large, too branched, absent or a file is named', async () => {
  const dir = await temporary('folder');
  await writeFile(join(dir, 'a'), 'four');
  await writeFile(join(dir, 'b'), 'four');
  expect(await codeOf(readFolder(dir, { limits: { files: 1 } }))).toContain('refused: ');
  expect(await codeOf(readFolder(dir, { limits: { bytes: 7 } }))).toContain('refused: ');
  expect(await codeOf(readFolder(dir, { limits: { files: 2, bytes: 8 } }))).toBe('done');
  expect(await codeOf(readFolder(join(dir, 'none')))).toContain('not-found: ');
  expect(await codeOf(readFolder(join(dir, 'a')))).toContain('not-found: ');
  const branched = await temporary('folder');
  for (let level = 0; level < 20; level += 1) {
    await mkdir(join(branched, `d${level}`));
    for (const side of ['left', 'right'])
      await symlink(join(branched, `d${level + 1}`), join(branched, `d${level}`, side));
  }
  await mkdir(join(branched, 'd20'));
  expect(await codeOf(readFolder(branched, { limits: { files: 100 } }))).toContain('refused: ');
});

test('a folder is not written over another, and a path that leads out is refused before anything is', async () => {
  const base = await temporary('folder');
  const dir = join(base, 'skill');
  await writeFolder(dir, folderOf({ a: 'old' }));
  expect(await codeOf(writeFolder(dir, folderOf({ a: 'new' })))).toContain('io: ');
  expect(fileText(await readFolder(dir), 'a')).toBe('old');
  for (const path of ['../x', '/etc/x', 'a/../../x', 'a//b', '.git/hooks/x', 'C:\\x', '..\\x', 'a\0b', ''])
    expect(await codeOf(writeFolder(join(base, 'other'), new Map([[path, textFile('x')]])))).toContain(
      'refused: ',
    );
  expect(await readdir(base)).toEqual(['skill']);
});

test('what a failed write leaves is removed', async () => {
  const base = await temporary('folder');
  // A file cannot be a folder too, so the second write fails.
  expect(
    await codeOf(
      writeFolder(
        join(base, 'skill'),
        new Map([
          ['a', textFile('x')],
          ['a/b', textFile('x')],
        ]),
      ),
    ),
  ).toContain('io: ');
  expect(await readdir(base)).toEqual([]);
});

test('folders are equal when paths, bytes and modes are', () => {
  const folder = folderOf(SAMPLE);
  const differing = [
    withFile(folder, 'SKILL.md', undefined),
    withFile(folder, 'SKILL.md', textFile('text ')),
    withFile(folder, 'SKILL.md', textFile('text', true)),
    withFile(withFile(folder, 'SKILL.md', undefined), 'skill.md', textFile('text')),
    undefined,
  ];
  expect(differing.map((other) => equalFolders(folder, other))).toEqual(differing.map(() => false));
  expect(equalFolders(folder, withFile(folder, 'SKILL.md', textFile('text')))).toBe(true);
  expect(equalFolders(undefined, undefined)).toBe(true);
});

test('the text of a file keeps its byte-order mark and line ends; an absent file has none', () => {
  const folder = folderOf({ a: '\uFEFFx\r\ny' });
  expect([fileText(folder, 'a'), fileText(folder, 'b')]).toEqual(['\uFEFFx\r\ny', undefined]);
});

test.each([
  ['a/b.md', true],
  ['.hidden', true],
  ['a..b', true],
  ['../a', false],
  ['a/.GIT/b', false],
  ['GIT~1/config', false],
  ['a/.git. /b', false],
  ['.git::$INDEX_ALLOCATION/b', false],
  ['.g\u200cit/b', false],
  ['.gitter/b', true],
  ['git~10/b', true],
  ['/a', false],
])('%s is a path within a folder: %s', (path, expected) => {
  expect(isContainedPath(path)).toBe(expected);
});

test('a file that cannot be read is an error that names the folder', async () => {
  const dir = await temporary('folder');
  await mkdir(join(dir, 'closed'));
  await writeFile(join(dir, 'closed', 'a'), 'x');
  await chmod(join(dir, 'closed'), 0o000);
  // The superuser reads everything.
  const expected = process.getuid?.() === 0 ? 'done' : `io: cannot read ${dir}`;
  expect(await codeOf(readFolder(dir))).toContain(expected);
  await chmod(join(dir, 'closed'), 0o755);
});

test('a name that is not UTF-8 is refused as what it is, spelled, unless nobody asks for the file', async () => {
  const dir = await temporary('folder');
  await writeFile(Buffer.concat([Buffer.from(`${dir}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]), 'x');
  await writeFile(join(dir, 'caf\ufffd\ufffd.txt'), 'of that name');
  expect(await codeOf(readFolder(dir))).toBe(
    `refused: the name of ${dir}/caf\\xe9.txt is not UTF-8; give it another name`,
  );
  const folder = await readFolder(dir, { reads: (path) => path !== 'caf\ufffd.txt' });
  expect([...folder.keys()]).toEqual(['caf\ufffd\ufffd.txt']);
});

test.each([
  ['skills\\group\\x', '\\', 'skills/group/x'],
  ['C:\\Users\\me\\skills', '\\', 'C:/Users/me/skills'],
  ['a/b\\c', '/', 'a/b\\c'],
])('a path is shown with / where the platform writes it otherwise: %s', (path, separator, shown) => {
  expect(withSlashes(path, separator)).toBe(shown);
});
