import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { createApproval } from '../../src/tool/approval.ts';
import { FILE_TOOLS } from '../../src/tool/file-tools.ts';
import { runTool } from '../../src/tool/run-tool.ts';

let base: string;
let cwd: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'knack-files-')));
  cwd = join(base, 'project');
  mkdirSync(join(cwd, 'src/deep'), { recursive: true });
  mkdirSync(join(cwd, 'node_modules/left-pad'), { recursive: true });
  mkdirSync(join(base, 'project-secret'));
  writeFileSync(join(base, 'project-secret/key.txt'), 'sentinel');
  writeFileSync(join(cwd, 'readme.md'), 'one\ntwo\nthree\n');
  writeFileSync(join(cwd, 'src/a.ts'), 'const a = 1;\n');
  writeFileSync(join(cwd, 'src/deep/b.ts'), 'const b = 2;\n');
  writeFileSync(join(cwd, 'node_modules/left-pad/index.js'), 'const a = 1;\n');
  writeFileSync(join(cwd, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
  symlinkSync('../project-secret', join(cwd, 'way-out'));
  symlinkSync('src/a.ts', join(cwd, 'inside.ts'));
});

async function call(name: string, args: Record<string, unknown>) {
  const result = await runTool(
    FILE_TOOLS,
    { id: 'c1', name, arguments: JSON.stringify(args) },
    { cwd, signal: new AbortController().signal },
    createApproval([{ pattern: '*', decision: 'allow' }]),
  );
  return { ...result, text: result.text.replaceAll(base, '') };
}

const text = async (name: string, args: Record<string, unknown>) => (await call(name, args)).text;

test.each([
  '../project-secret/key.txt',
  '/etc/passwd',
  'src/../../project-secret/key.txt',
  'way-out/key.txt',
  'way-out',
  '..',
  'src/\0/a.ts',
])('no tool reaches %j', async (path) => {
  for (const [name, args] of [
    ['read_file', { path }],
    ['list_files', { path }],
    ['search_files', { path, pattern: 'sentinel' }],
    ['edit_file', { path, old_text: 'sentinel', new_text: 'gone' }],
    ['edit_file', { path, new_text: 'gone' }],
  ] as const) {
    const result = await call(name, args);
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(/lies outside of|NUL/);
  }
  expect(readFileSync(join(base, 'project-secret/key.txt'), 'utf8')).toBe('sentinel');
});

test('a link that leads nowhere is not made into a file outside', async () => {
  symlinkSync(join(base, 'project-secret/new.txt'), join(cwd, 'dangling'));
  expect((await call('edit_file', { path: 'dangling', new_text: 'x' })).isError).toBe(true);
  expect(readdirSync(join(base, 'project-secret'))).toEqual(['key.txt']);
});

test('reads a small file whole, also through a link that stays inside', async () => {
  expect(await text('read_file', { path: 'readme.md' })).toBe('one\ntwo\nthree\n');
  expect(await text('read_file', { path: 'inside.ts' })).toBe('const a = 1;\n');
});

test('reads from a line', async () => {
  expect(await text('read_file', { path: 'readme.md', line: 2 })).toBe(
    '[readme.md: characters 4–14 of 14; this is the end]\ntwo\nthree\n',
  );
});

test('describes what is not text', async () => {
  expect(await call('read_file', { path: 'picture.png' })).toEqual({
    text: 'picture.png is not text: PNG image, 7 bytes',
    isError: false,
  });
});

test('a named pipe is refused and not waited for', async () => {
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(cwd, 'pipe')]);
  expect(await text('read_file', { path: 'pipe' })).toBe(
    'read_file failed (refused): /project/pipe is not a regular file',
  );
});

test.each([
  [{ path: 'missing.txt' }, 'read_file failed (not-found): /project/missing.txt does not exist'],
  [{ path: 'src' }, 'read_file failed (refused): /project/src is a folder; list it with list_files'],
  [
    { path: 'readme.md', offset: 14 },
    'read_file failed (usage): readme.md has 14 characters; 14 is past its end',
  ],
  [{ path: 'readme.md', line: 9 }, 'read_file failed (usage): the file has 4 lines; there is no line 9'],
])('reading %j fails with a remedy', async (args, message) => {
  expect(await call('read_file', args)).toEqual({ text: message, isError: true });
});

test('the pages of a file joined are the file', async () => {
  const content = fc.string({
    unit: fc.constantFrom('a', 'ä', '😀', '\n', '\r\n'),
    minLength: 1,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(content, fc.integer({ min: 1, max: 9 }), async (whole, limit) => {
      writeFileSync(join(cwd, 'long.txt'), whole);
      let joined = '';
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const page = await text('read_file', { path: 'long.txt', offset, limit });
        const head =
          /^\[long\.txt: characters \d+–\d+ of \d+; (?:next offset (\d+)|this is the end)\]\n/.exec(page);
        joined += head ? page.slice(head[0].length) : page;
        offset = head?.[1] === undefined ? undefined : Number(head[1]);
      }
      expect(joined).toBe(whole);
    }),
    { numRuns: 60 },
  );
});

test('lists sorted, without node_modules and without following links', async () => {
  expect(await text('list_files', {})).toBe(
    'inside.ts  (link)\npicture.png  7\nreadme.md  14\nsrc/\nsrc/a.ts  13\nsrc/deep/\nway-out  (link)',
  );
  expect(await text('list_files', { glob: '*.ts' })).toBe(
    'inside.ts  (link)\nsrc/a.ts  13\nsrc/deep/b.ts  13',
  );
  expect(await text('list_files', { path: 'src', depth: 1 })).toBe('a.ts  13\ndeep/');
  expect(await text('list_files', { glob: '*.zig' })).toBe('nothing in . fits *.zig');
});

test('what has a name that is not UTF-8 is named and hides nothing else', async () => {
  const odd = Buffer.concat([Buffer.from(join(cwd, 'src/caf')), Buffer.from([0xe9])]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from('.ts')]), 'const c = 3;\n');
  expect(await text('list_files', { path: 'src' })).toBe(
    'caf\\xe9  (unreadable)\ncaf\\xe9.ts  (unreadable)\na.ts  13\ndeep/\ndeep/b.ts  13',
  );
  expect(await text('search_files', { pattern: 'const b' })).toContain('src/deep/b.ts:1: const b = 2;');
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be opened is named', async () => {
  chmodSync(join(cwd, 'src/deep'), 0);
  expect(await text('list_files', { path: 'src' })).toBe('a.ts  13\ndeep/\ndeep  (unreadable)');
  chmodSync(join(cwd, 'src/deep'), 0o600);
  expect(await text('list_files', { path: 'src' })).toBe('a.ts  13\ndeep/\ndeep/b.ts  (unreadable)');
});

test('a long listing says how many it left out', async () => {
  for (let index = 0; index < 450; index++) writeFileSync(join(cwd, `src/f${index}.txt`), '');
  const listing = await text('list_files', { glob: '*.txt' });
  expect(listing.split('\n').at(-1)).toBe('[50 of 450 left out; give a path, a glob or a smaller depth]');
});

test('searches line by line and names what it left out', async () => {
  expect(await text('search_files', { pattern: 'const \\w' })).toBe(
    'src/a.ts:1: const a = 1;\nsrc/deep/b.ts:1: const b = 2;\n(1 files that are not text or too large were left out)',
  );
  expect(await text('search_files', { pattern: 'TWO', path: 'readme.md', ignore_case: true })).toBe(
    'readme.md:2: two',
  );
  expect(await text('search_files', { pattern: 'nowhere', glob: '*.ts' })).toBe('no line fits nowhere');
});

test('an expression that would never end is stopped with a remedy', async () => {
  writeFileSync(join(cwd, 'evil.txt'), `${'a'.repeat(60)}b`);
  expect(await call('search_files', { pattern: '(a+)+$', path: 'evil.txt' })).toEqual({
    text: 'search_files failed (refused): the expression (a+)+$ takes too long; write it without nested repetition',
    isError: true,
  });
});

test('edits the one place and keeps the mode', async () => {
  chmodSync(join(cwd, 'readme.md'), 0o755);
  expect(await text('edit_file', { path: 'readme.md', old_text: 'two', new_text: '$& 2' })).toBe(
    'changed readme.md at line 2',
  );
  expect(readFileSync(join(cwd, 'readme.md'), 'utf8')).toBe('one\n$& 2\nthree\n');
  expect(statSync(join(cwd, 'readme.md')).mode & 0o777).toBe(0o755);
});

test('makes a new file with its folders, and leaves no draft behind', async () => {
  expect(await text('edit_file', { path: 'new/dir/c.txt', new_text: 'hello' })).toBe(
    'made new/dir/c.txt with 5 characters',
  );
  expect(readdirSync(join(cwd, 'new/dir'))).toEqual(['c.txt']);
});

test.each([
  ['readme.md', undefined, 'x', /exists already/],
  ['readme.md', 'four', 'x', /does not stand in readme.md/],
  ['readme.md', 'o', 'x', /more than once \(lines 1 and 2\)/],
  ['missing.md', 'a', 'x', /does not exist; leave old_text out to make it/],
  ['picture.png', 'a', 'x', /is not text/],
])(
  'an edit of %s that cannot be meant leaves everything as it is',
  async (path, old_text, new_text, message) => {
    const before = readFileSync(join(cwd, 'readme.md'));
    const result = await call('edit_file', {
      path,
      new_text,
      ...(old_text === undefined ? {} : { old_text }),
    });
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(message);
    expect(readFileSync(join(cwd, 'readme.md'))).toEqual(before);
  },
);

test('an edit written with LF keeps the line ends and the byte-order mark of the file', async () => {
  writeFileSync(join(cwd, 'dos.txt'), '\uFEFFone\r\ntwo\r\nthree\r\n');
  await call('edit_file', { path: 'dos.txt', old_text: 'one\ntwo', new_text: 'one\n2\ntwo' });
  expect(readFileSync(join(cwd, 'dos.txt'), 'utf8')).toBe('\uFEFFone\r\n2\r\ntwo\r\nthree\r\n');
});
