import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { type DiscoveryLimits, discoverSkills } from '../../src/library/reading/discover.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';

let root: LibraryFolder;
let outside: LibraryFolder;

beforeEach(() => {
  root = libraryFolder();
  outside = libraryFolder();
});

/** What was found, by paths relative to the root that was asked for. */
function discovered(dir = root.dir, limits: Partial<DiscoveryLimits> = {}) {
  const { files, refused, problems } = discoverSkills(dir, limits);
  return {
    files: files.map(({ path }) => path.slice(dir.length + 1)),
    refused: refused.map(({ path, problem }) => [path.slice(dir.length + 1), problem.rule]),
    problems: problems.map(({ problem }) => problem.rule),
  };
}

const found = (...files: string[]) => ({ files, refused: [], problems: [] });

describe('a skill is found', () => {
  test('in the root, in groups, sorted by path', () => {
    root.skill('pdf');
    root.skill('writing/letters/formal');
    root.skill('csv');
    expect(discovered()).toEqual(found('csv/SKILL.md', 'pdf/SKILL.md', 'writing/letters/formal/SKILL.md'));
  });

  test('once below a root that is a skill itself', () => {
    root.file('SKILL.md', 'x');
    root.skill('examples/other');
    expect(discovered()).toEqual(found('SKILL.md'));
  });

  test('and nothing below it is', () => {
    root.skill('pdf');
    root.skill('pdf/vendor/copy');
    expect(discovered()).toEqual(found('pdf/SKILL.md'));
  });

  test('under a name that differs in case, and the exact one wins', () => {
    root.file('lower/skill.md', 'x');
    root.file('title/Skill.md', 'x');
    root.file('both/SKILL.md', 'x');
    root.file('both/skill.md', 'x');
    expect(discovered()).toEqual(found('both/SKILL.md', 'lower/skill.md', 'title/Skill.md'));
  });

  test('in a root of any name, while folders of that name below it are passed over', () => {
    for (const folder of ['node_modules', '.agents/skills', '.git']) {
      root.skill(`${folder}/pdf`);
      expect(discovered(root.path(folder))).toEqual(found('pdf/SKILL.md'));
    }
    expect(discovered()).toEqual(found());
  });
});

describe('links', () => {
  test('to the root, to a skill in it and to one outside give what real folders give', () => {
    outside.skill('pdf');
    outside.skill('csv');
    root.skill('csv');
    root.link('pdf', outside.path('pdf'));
    const linked = libraryFolder();
    linked.link('skills', root.dir);
    const expected = found('csv/SKILL.md', 'pdf/SKILL.md');
    expect(discovered()).toEqual(expected);
    expect(discovered(outside.dir)).toEqual(expected);
    expect(discovered(linked.path('skills'))).toEqual(expected);
  });

  test('that lead to one folder count once, and the real place counts before a link', () => {
    root.skill('real/pdf');
    root.link('a-link', root.path('real/pdf'));
    root.link('b-link', root.path('real'));
    expect(discovered()).toEqual(found('real/pdf/SKILL.md'));
  });

  test('to what was found by another path are told as such', () => {
    root.skill('real/pdf');
    root.link('a-link', root.path('real/pdf'));
    root.link('b-link', root.path('real'));
    root.link('c/SKILL.md', root.path('real/pdf/SKILL.md'));
    expect(discoverSkills(root.dir).again).toEqual([
      { path: root.path('a-link'), real: root.path('real/pdf') },
      { path: root.path('b-link'), real: root.path('real') },
      { path: root.path('c/SKILL.md'), real: root.path('real/pdf/SKILL.md') },
    ]);
  });

  test('in a circle end', () => {
    root.skill('group/pdf');
    root.link('group/up', root.dir);
    root.link('self', root.path('self'));
    expect(discovered()).toEqual({ ...found('group/pdf/SKILL.md'), problems: ['link-not-followed'] });
  });

  test('to a folder of skills outside are named, not followed', () => {
    outside.skill('pdf');
    root.link('more', outside.dir);
    expect(discovered()).toEqual({ ...found(), problems: ['link-not-followed'] });
  });

  test('that lead nowhere are named', () => {
    root.link('gone', outside.path('nothing'));
    expect(discovered()).toEqual({ ...found(), problems: ['link-not-followed'] });
  });

  test.each(['SKILL.md', 'skill.md'])('of a %s out of the root are refused, others are not', (name) => {
    outside.file('secret.md', 'x');
    outside.file('escaping/SKILL.md', 'x');
    root.link(`evil/${name}`, outside.path('secret.md'));
    root.file('shared/text.md', 'x');
    root.link(`inner/${name}`, root.path('shared/text.md'));
    outside.link(`linked/${name}`, outside.path('secret.md'));
    root.link('linked', outside.path('linked'));
    expect(discovered()).toEqual({
      files: [`inner/${name}`],
      refused: [
        [`evil/${name}`, 'escapes-root'],
        [`linked/${name}`, 'escapes-root'],
      ],
      problems: [],
    });
  });

  test('that lead nowhere but are a SKILL.md are read, so that reading refuses them', () => {
    root.link('pdf/SKILL.md', root.path('nothing'));
    expect(discovered()).toEqual(found('pdf/SKILL.md'));
  });
});

test('a folder called SKILL.md is refused, and what is beside it is still found', () => {
  root.file('pdf/SKILL.md/readme.txt', 'x');
  root.skill('pdf/inner');
  expect(discovered()).toEqual({
    files: ['pdf/inner/SKILL.md'],
    refused: [['pdf/SKILL.md', 'not-a-file']],
    problems: [],
  });
});

const LOOSE: [title: string, path: string, content: string, reported: boolean][] = [
  ['in the root', 'foo.md', '---\nname: foo\ndescription: x\n---\n', true],
  ['in a group', 'group/foo.md', '---\ndescription: x\n---\n', true],
  ['with a byte-order mark and CRLF', 'foo.md', '\uFEFF---\r\nname: foo\r\n---\r\n', true],
  ['without front matter', 'foo.md', '# Foo\n\n---\nname: foo\n', false],
  ['of a usual name', 'README.md', '---\nname: foo\n---\n', false],
  ['deeper', 'a/b/foo.md', '---\nname: foo\n---\n', false],
];

describe('a loose file', () => {
  test.each(LOOSE)('%s', (_, path, content, reported) => {
    root.file(path, content);
    const { problems } = discoverSkills(root.dir);
    const folder = root.path(path.replace('.md', ''));
    expect(problems.map(({ problem }) => problem.message)).toEqual(
      reported ? [`${root.path(path)} is not used: a skill is a folder; move it to ${folder}/SKILL.md`] : [],
    );
  });

  test('that is a pipe, or a link to one, is never opened', () => {
    execFileSync('mkfifo', [root.path('pipe.md')]);
    root.link('link.md', root.path('pipe.md'));
    expect(discovered()).toEqual(found());
  });

  test('that is reached by a link is reported as well', () => {
    outside.file('foo.md', '---\nname: foo\n---\n');
    root.link('foo.md', outside.path('foo.md'));
    expect(discovered().problems).toEqual(['loose-file']);
  });
});

describe('a limit', () => {
  const messages = (limits: Partial<DiscoveryLimits>) =>
    discoverSkills(root.dir, limits).problems.map(({ problem }) =>
      problem.message.replaceAll(root.dir, 'ROOT'),
    );

  beforeEach(() => {
    for (const folder of ['a', 'b', 'deep/er/c']) root.skill(folder);
  });

  test.each<[Partial<DiscoveryLimits>, string[]]>([
    [{ depth: 2 }, ['folders more than 2 below ROOT are not looked at: ROOT/deep/er/c']],
    [{ skills: 2 }, ['there are more than 2 skills below ROOT; the rest is not read']],
    [{ folders: 3 }, ['there are more than 3 folders below ROOT; the rest is not looked at']],
    [{ depth: 3, skills: 3, folders: 6, loose: 0 }, []],
  ])('%o says when it is met', (limits, expected) => {
    expect(messages(limits)).toEqual(expected);
  });

  test('of loose files says when it is met, and no more of them is opened', () => {
    for (const name of ['a', 'b', 'c']) root.file(`${name}.md`, '---\nname: x\n---\n');
    root.file('README.md', 'x');
    expect(messages({ loose: 3 })).toHaveLength(3);
    expect(messages({ loose: 1 })).toEqual([
      'ROOT/a.md is not used: a skill is a folder; move it to ROOT/a/SKILL.md',
      'there are more than 1 loose files below ROOT, where a skill would be a folder; the rest is not looked at',
    ]);
  });

  test('does not hide that another is met', () => {
    expect(messages({ depth: 1, skills: 1 })).toEqual([
      'there are more than 1 skills below ROOT; the rest is not read',
      'folders more than 1 below ROOT are not looked at: ROOT/deep/er',
    ]);
  });

  test('of skills is not met by a second way to one that was read', () => {
    root.link('again', root.path('a/SKILL.md'));
    root.link('twice/SKILL.md', root.path('a/SKILL.md'));
    expect(messages({ skills: 3 })).toEqual([]);
  });
});

describe('what cannot be looked at is named and hides no other', () => {
  test.skipIf(process.platform !== 'linux')('a link of the kernel to a pipe, which has no path', () => {
    root.skill('pdf');
    root.link('x', '/proc/self/fd/9');
    // In a process of its own, whose ninth file is a pipe.
    const program = `
      import { discoverSkills } from ${JSON.stringify(new URL('../../src/library/reading/discover.ts', import.meta.url).href)};
      const { files, passedOver } = discoverSkills(${JSON.stringify(root.dir)});
      process.stdout.write(JSON.stringify([files.map(({ path }) => path), passedOver.map(({ path }) => path)]));`;
    root.file('find.mts', program);
    const tsx = fileURLToPath(import.meta.resolve('tsx'));
    const found = execFileSync(
      'bash',
      ['-c', `"$0" --import "$1" "$2" 9< <(cat)`, process.execPath, tsx, root.path('find.mts')],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    expect(JSON.parse(found)).toEqual([[root.path('pdf/SKILL.md')], [root.path('x')]]);
  });

  test('a root that is no place for files', () => {
    expect(discovered('/dev').files).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')('a folder, a link and a page whose names are no UTF-8', () => {
    root.skill('pdf');
    const named = (...bytes: number[]) => Buffer.concat([Buffer.from(`${root.dir}/`), Buffer.from(bytes)]);
    mkdirSync(named(0x63, 0xe9));
    mkdirSync(Buffer.concat([named(0x64, 0xff)]));
    writeFileSync(named(0x66, 0xe9), 'neither of them');
    root.skill('true \ufffd');
    const { files, problems, passedOver } = discoverSkills(root.dir);
    expect(files.map(({ path }) => path.slice(root.dir.length + 1))).toEqual([
      'pdf/SKILL.md',
      'true \ufffd/SKILL.md',
    ]);
    expect(problems.map(({ problem }) => problem.message.replaceAll(root.dir, 'ROOT'))).toEqual(
      ['c\\xe9', 'd\\xff'].map(
        (name) =>
          `ROOT/${name} has a name that is not UTF-8 (\\xNN is a byte) and is not looked at; rename it`,
      ),
    );
    expect(passedOver.map(({ path }) => path)).toEqual([root.path('c\\xe9'), root.path('d\\xff')]);
  });
});

test.each(['missing', 'file.txt'])('a root that is no folder is an error: %s', (name) => {
  root.file('file.txt', 'x');
  expect(() => discoverSkills(root.path(name))).toThrow(
    expect.objectContaining({ code: 'not-found', message: expect.stringContaining(root.path(name)) }),
  );
});

test.skipIf(process.getuid?.() === 0)('a folder that cannot be opened is named and hides no other', () => {
  root.skill('pdf');
  root.skill('closed/x');
  chmodSync(root.path('closed'), 0);
  try {
    expect(discovered()).toEqual({ ...found('pdf/SKILL.md'), problems: ['unreadable'] });
  } finally {
    chmodSync(root.path('closed'), 0o700);
  }
});
