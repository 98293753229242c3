import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Folder, readFolder, textFile, withFile } from '../../src/files/folder.ts';
import { createHistory } from '../../src/history/history.ts';
import { digestOf } from '../../src/history/tree.ts';
import { changeOf, csv, type HistoryLab, openLab } from '../support/history-lab.ts';
import { skillText } from '../support/skills.ts';

let lab: HistoryLab;
beforeEach(async () => {
  lab = await openLab('attributes');
});
const at = (path: string) => join(lab.root, 'csv', path);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Two commits of a person under these attributes: `SKILL.md` and `data.txt` change, `same.txt` does not. */
async function twoVersions(
  attributes: string,
  encode: (text: string) => Buffer,
  settings: readonly [string, string][] = [],
): Promise<void> {
  for (const [name, value] of settings) lab.git('config', name, value);
  await writeFile(join(lab.root, '.gitattributes'), attributes);
  await mkdir(join(lab.root, 'csv'));
  for (const [version, data] of [
    ['1.0.0', 'one\n'],
    ['1.1.0', 'two\n'],
  ] as const) {
    await writeFile(at('SKILL.md'), skillText('csv', data, { version }));
    await writeFile(at('same.txt'), encode('the same\n'));
    await writeFile(at('data.txt'), encode(data));
    lab.commitAll(version);
  }
}

const upper: [string, string][] = [
  ['filter.case.clean', 'tr a-z A-Z'],
  ['filter.case.smudge', 'tr A-Z a-z'],
];
const WAYS: [
  title: string,
  attributes: string,
  encode: (text: string) => Buffer,
  settings: [string, string][],
][] = [
  ['working-tree-encoding', '*.txt working-tree-encoding=UTF-16LE\n', utf16, []],
  ['a filter that works both ways', '*.txt filter=case\n', (text) => Buffer.from(text), upper],
  ['line ends', '*.txt text eol=crlf\n', (text) => Buffer.from(text.replaceAll('\n', '\r\n')), []],
];

test.each(WAYS)(
  'under %s a rollback writes what a checkout writes, and no file that does not change',
  async (_, attributes, encode, settings) => {
    await twoVersions(attributes, encode, settings);
    const before = await stat(at('same.txt'));
    expect(await lab.history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
    expect([
      lab.git('rev-parse', 'HEAD:csv'),
      lab.git('status', '--porcelain'),
      await readFile(at('data.txt')),
      await readFile(at('same.txt')),
    ]).toEqual([lab.git('rev-parse', 'HEAD~2:csv'), '', encode('one\n'), encode('the same\n')]);
    const after = await stat(at('same.txt'));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(await lab.history.rollback('csv', '1.1.0', 'x')).toMatchObject({ kind: 'committed' });
    expect([await readFile(at('data.txt')), lab.git('status', '--porcelain')]).toEqual([encode('two\n'), '']);
    expect((await lab.history.standing('csv')).dirty).toEqual([]);
  },
);

test.each(WAYS)(
  'a change of other files under %s leaves what git has of them',
  async (_, attributes, encode, settings) => {
    await twoVersions(attributes, encode, settings);
    const kept = lab.git('ls-tree', 'HEAD', 'csv/data.txt', 'csv/same.txt');
    const base = (await lab.history.present('csv')) as Folder;
    const next = withFile(base, 'SKILL.md', textFile(skillText('csv', 'three', { version: '1.2.0' })));
    expect(await lab.history.commit(changeOf(base, next, '1.2.0'))).toMatchObject({ kind: 'committed' });
    expect([
      lab.git('ls-tree', 'HEAD', 'csv/data.txt', 'csv/same.txt'),
      lab.git('status', '--porcelain'),
    ]).toEqual([kept, '']);
  },
);

test.each([
  [WAYS[0], 'csv/data.txt (working-tree-encoding=UTF-16LE)'],
  [WAYS[1], 'csv/data.txt (filter=case)'],
])(
  'a change that an attribute would alter is not written, and the attribute is named',
  async (way, named) => {
    const [, attributes = '', encode = utf16, settings = []] = way ?? [];
    await twoVersions(attributes, encode, settings);
    const base = (await lab.history.present('csv')) as Folder;
    const next = withFile(base, 'data.txt', textFile('three\n\n'));
    const head = lab.git('rev-parse', 'HEAD');
    expect(await lab.history.commit(changeOf(base, next, '1.2.0'))).toEqual({
      kind: 'unavailable',
      why: `an attribute has git keep ${named} otherwise than it is; make the change with git, or take the attribute off it in .gitattributes or in info/attributes of the git folder`,
    });
    expect([
      lab.git('rev-parse', 'HEAD'),
      lab.git('status', '--porcelain'),
      await readFolder(at('')),
    ]).toEqual([head, '', base]);
  },
);

test('new files with other line ends than git is to keep are committed as git keeps them, and stand as they were', async () => {
  await writeFile(join(lab.root, '.gitattributes'), '* text=auto eol=crlf\n');
  const one = csv('1.0.0', '- one', { 'a.txt': 'a\r\nb\r\n' });
  expect(await lab.history.commit(changeOf(undefined, one, '1.0.0'))).toMatchObject({ kind: 'committed' });
  expect([
    lab.git('cat-file', '-p', 'HEAD:csv/a.txt'),
    await readFolder(at('')),
    lab.git('status', '--porcelain', 'csv'),
  ]).toEqual(['a\nb', one, '']);
  expect((await lab.history.standing('csv')).dirty).toEqual([]);
});

const KILL = [
  ['before it is staged', `*' update-index '*) kill -9 $PPID; exit 1;;`],
  ['before the commit', `*' fast-import '*) kill -9 $PPID; exit 1;;`],
  ['right after the commit', `*' fast-import '*) PATH=$REAL git "$@"; kill -9 $PPID; exit 1;;`],
];
test.each(KILL)(
  'a process that is killed %s of files with such line ends leaves nothing that bricks',
  async (_, script) => {
    await writeFile(join(lab.root, '.gitattributes'), '* text=auto\n');
    lab.commitAll('attributes');
    const bin = join(lab.root, '.git', 'bin');
    await mkdir(bin);
    const real = process.env['PATH'] ?? '';
    await writeFile(
      join(bin, 'git'),
      `#!/bin/sh\nREAL='${real}'\ncase "$*" in ${script} esac\nPATH=$REAL exec git "$@"\n`,
      { mode: 0o755 },
    );
    const child = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, '../support/line-ends-child.ts'), lab.root],
      { env: { ...process.env, PATH: `${bin}:${real}` }, encoding: 'utf8' },
    );
    expect([child.signal, child.stderr]).toEqual(['SIGKILL', '']);
    const after = createHistory({ root: lab.root, environment: { home: lab.root, path: real } });
    expect((await after.log('csv')).map(({ version }) => version)).toEqual(['1.0.0']);
    expect(await after.present('csv')).toEqual(csv('1.0.0', '- one\r\n- two\r'));
    expect([
      lab.git('status', '--porcelain', 'csv'),
      execFileSync('ls', [join(lab.root, '.git/knack')], { encoding: 'utf8' }),
    ]).toEqual(['', '']);
    expect(await after.rollback('csv', undefined, 'x')).toMatchObject({ revision: { version: 'none' } });
  },
);

test('where the program of a filter is missing, history is read, and its files count as edited', async () => {
  await twoVersions('*.txt filter=case\n', (text) => Buffer.from(text), upper);
  // So that git itself does not ask the filter.
  lab.git('update-index', '--assume-unchanged', 'csv/data.txt', 'csv/same.txt');
  for (const direction of ['clean', 'smudge'])
    lab.git('config', `filter.case.${direction}`, 'no-such-program');
  lab.git('config', 'filter.case.required', 'true');
  expect((await lab.history.log('csv')).map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
  expect((await lab.history.standing('csv')).dirty).toEqual(['csv/data.txt', 'csv/same.txt']);
});

test('the files of an import that git keeps with other line ends are there for the next update', async () => {
  await writeFile(join(lab.root, '.gitattributes'), '* text=auto\n');
  const taken = csv('1.0.0', '- one\r\n- two\r');
  const origin = { source: '/elsewhere', path: '', name: 'csv', tree: digestOf(taken) };
  const change = { ...changeOf(undefined, taken, '1.0.0'), actor: 'import', origin } as const;
  expect(await lab.history.commit(change)).toMatchObject({ kind: 'committed' });
  expect(await lab.history.origin('csv')).toEqual({ origin, base: taken });
});

test.each(['* text=auto\n', '*.md text\n', '*.md text eol=crlf\n', '*.md filter=case\n', '*.md ident\n'])(
  'attributes that a person has for all repositories (%j) change no byte of a commit, nor of a rollback',
  async (attributes) => {
    const home = dirname(lab.root);
    const settings = `[core]\n\tattributesFile = ${home}/attr\n[filter "case"]\n\tclean = tr a-z A-Z\n`;
    await writeFile(join(home, '.gitconfig'), settings);
    await writeFile(join(home, 'attr'), attributes);
    const one = csv('1.0.0', '- one', { 'references/crlf.md': 'a\r\nb $Id$\r\n' });
    const two = csv('1.1.0', '- two', { 'references/crlf.md': 'c\r\n' });
    const standing = async () => [
      execFileSync('git', ['-C', lab.root, 'cat-file', 'blob', 'HEAD:csv/references/crlf.md'], {
        encoding: 'utf8',
      }),
      await lab.history.present('csv'),
      (await lab.history.standing('csv')).dirty,
    ];
    expect(await lab.history.commit(changeOf(undefined, one, '1.0.0'))).toMatchObject({ kind: 'committed' });
    expect(await standing()).toEqual(['a\r\nb $Id$\r\n', one, []]);
    expect(await lab.history.commit(changeOf(one, two, '1.1.0'))).toMatchObject({ kind: 'committed' });
    expect(await lab.history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
    expect(await standing()).toEqual(['a\r\nb $Id$\r\n', one, []]);
  },
);

test.each([
  ['.gitattributes', '*.md text eol=crlf\n', 'text'],
  ['.git/info/attributes', '* text=auto\n', 'text=auto'],
])('line ends that %s has git unify are named', async (file, attributes, named) => {
  await mkdir(dirname(join(lab.root, file)), { recursive: true });
  await writeFile(join(lab.root, file), attributes);
  const lines: string[] = [];
  const environment = { home: dirname(lab.root), path: process.env['PATH'] ?? '' };
  const history = createHistory({ root: lab.root, environment, log: (line) => lines.push(line) });
  const one = csv('1.0.0', '- one', { 'references/crlf.md': 'a\r\n', 'references/lf.md': 'a\n' });
  expect(await history.commit(changeOf(undefined, one, '1.0.0'))).toMatchObject({ kind: 'committed' });
  expect(lines).toEqual([
    `git keeps csv/references/crlf.md (${named}) with line ends of LF, as an attribute of the repository says: a clone gets these`,
  ]);
});
