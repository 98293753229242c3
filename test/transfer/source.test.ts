import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KnackError } from '../../src/errors.ts';
import { linkSkills } from '../../src/transfer/link.ts';
import { parseSource, sourceName, sourceOf, sourceText, withoutSecrets } from '../../src/transfer/source.ts';
import { targetFolder } from '../../src/transfer/target-folder.ts';
import { skillText, temporary } from '../support/skills.ts';
import { place, transferLab } from './transfer-lab.ts';

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

/** A folder with a skill, a file, a link to nowhere and a repository. */
async function odd() {
  const dir = await temporary('odd');
  await mkdir(join(dir, 'words'));
  await writeFile(join(dir, 'words/SKILL.md'), skillText('words', '# Words'));
  await writeFile(join(dir, 'file'), '');
  await symlink('nowhere', join(dir, 'dangling'));
  return dir;
}

test.each([
  ['words/SKILL.md', /words\/SKILL\.md is the file of a skill; give its folder, \/\S+\/words$/],
  ['owner/repo', /no folder \S+; give one that exists, or https:\/\/github\.com\/owner\/repo for/],
  ['owner/repo#v1', /or https:\/\/github\.com\/owner\/repo#v1 for a repository/],
  ['github.com/owner/repo', /or https:\/\/github\.com\/owner\/repo for a repository/],
  ['words#main', /taken as it stands, without what is behind #; file:\/\/\/\S+\/words#main is a branch/],
  ['file:///srv/b#', /^nothing stands behind #; leave it out/],
  ['file:///srv/b#a..b', /^"a\.\.b" names no branch, tag or commit$/],
  ['http://example.org/a', /expected https:\/\/.*\(http:\/\/ reaches this machine alone\)/],
  ['https://github.com/o/r/tree/main', /is a page and no repository; give https:\/\/github\.com\/o\/r#main$/],
  [
    'https://github.com/o/r/tree/v1/skills/words',
    /give https:\/\/github\.com\/o\/r#v1 --path skills\/words$/,
  ],
  ['https://github.com/o/r/blob/main/a/SKILL.md', /give https:\/\/github\.com\/o\/r#main --path a$/],
  ['https://git.example.org/g/s/r/-/tree/main/a', /give https:\/\/git\.example\.org\/g\/s\/r#main --path a$/],
])('%s: says what to give in its place', async (given, told) => {
  const dir = await odd();
  expect(() => parseSource(given, dir)).toThrow(told);
});

test('a repository on this machine that is none, or has no commit, is told as such', async () => {
  const lab = await transferLab();
  const dir = await odd();
  const empty = await place('empty');
  execFileSync('git', ['init', '--quiet', empty.dir]);
  const told = async (source: string) =>
    lab.add(source).then(
      () => '',
      (error: Error) => error.message,
    );
  expect([
    await told(`file://${dir}/words`),
    await told(`file://${dir}/file`),
    await told(empty.url),
    await told(`file://${dir}/missing`),
  ]).toEqual([
    `cannot fetch file://${dir}/words: it is a folder and no repository; give it as ${dir}/words, without file://`,
    `cannot fetch file://${dir}/file: it is a file and no repository`,
    `cannot fetch ${empty.url}: it has no commit yet`,
    `cannot fetch file://${dir}/missing: see whether the address is right`,
  ]);
});

test.each([
  ['file', /--to file is a file; expected a folder/],
  ['file/below', /--to file\/below lies below \/\S+\/file, which is a file/],
  ['file/below/that', /lies below \/\S+\/file, which is a file/],
  ['dangling', /--to dangling is a link that leads nowhere/],
  ['dangling/below', /lies below \/\S+\/dangling, a link that leads nowhere/],
  ['https://example.org/a', /is an address and no folder on this machine/],
  ['git@example.org:a', /is an address and no folder on this machine/],
])('%s is no folder to put skills into', async (given, told) => {
  const dir = await odd();
  expect(() => targetFolder(given, dir)).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringMatching(told) }),
  );
});

test('a folder, or one that is yet to be made, is one to put skills into', async () => {
  const dir = await odd();
  expect([targetFolder('words', dir), targetFolder('a/b', dir)]).toEqual([
    join(dir, 'words'),
    join(dir, 'a/b'),
  ]);
});

test.skipIf(process.getuid?.() === 0)(
  'what may not be looked into, or written to, is told with its place',
  async () => {
    const lab = await transferLab();
    const dir = await odd();
    await lab.add(join(dir, 'words'));
    await chmod(dir, 0o000);
    try {
      expect(() => parseSource('words', dir)).toThrow(
        /^cannot look at \S+words: a folder above it may not be entered/,
      );
      await expect(lab.add(dir)).rejects.toThrow(/^cannot look into the source \S+: EACCES/);
      await chmod(dir, 0o500);
      const [skill] = (await (await lab.open()).library()).skills;
      const request = {
        folders: [dir],
        skills: skill === undefined ? [] : [{ ...skill, name: 'other' }],
        copy: false,
        own: [],
        dryRun: false,
      };
      await expect(linkSkills(join(lab.home, 'links.json'), request)).rejects.toThrow(
        /^cannot make \S+other: EACCES.*; give a folder that you can write to with --to$/,
      );
    } finally {
      await chmod(dir, 0o700);
    }
  },
);
