import { chmod, chown, link, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixSkill } from '../../src/skill/fix-skill.ts';
import { parseSkill } from '../../src/skill/parse.ts';
import type { SkillReading } from '../../src/skill/skill.ts';
import { strictForm } from '../../src/skill/strict-form.ts';
import { temporary } from '../support/skills.ts';
import { mutatedText } from './mutated-text.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const strict = (text: string, path = '/root/pdf/SKILL.md') => {
  const form = strictForm({ path, bytes: bytesOf(text) });
  return form.kind === 'changed' ? form.text : 'same';
};

const D = 'description: "Reads PDF."';
const FORMS: [title: string, text: string, expected: string][] = [
  [
    'fields of others go under metadata, and what stands between them stays',
    `---\nname: pdf\n${D}\n# mine\nversion: 1.10 # first\ntags: [a, B]\n\nlicense: MIT # kept\nmetadata:\n  author: me  # kept\n---\nb`,
    `---\nname: pdf\n${D}\n# mine\n# first\n\nlicense: MIT # kept\nmetadata:\n  author: me  # kept\n  version: "1.10"\n  tags: "a, B"\n---\nb`,
  ],
  [
    'another name becomes an alias',
    `---\nname: Portable Documents\n${D}\nmetadata:\n  aliases: acrobat\n---\nb`,
    `---\nname: pdf\n${D}\nmetadata:\n  aliases: "acrobat, portable-documents"\n---\nb`,
  ],
  [
    'a value that YAML does not read is quoted',
    '---\nname: pdf\ndescription: Use for Go: vet\nlicense: see: LICENSE\n---\nb',
    '---\nname: pdf\ndescription: "Use for Go: vet"\nlicense: "see: LICENSE"\n---\nb',
  ],
  [
    'a missing fence is written',
    `<!-- from elsewhere -->\n---\nname: pdf\n${D}\n\n# Body\n`,
    `---\n# <!-- from elsewhere -->\nname: pdf\n${D}\n---\n\n# Body\n`,
  ],
  [
    'line ends stay, and the mark before the first goes',
    `\uFEFF---\r\nname: pdf\r\n${D}\r\nmodel: any\r\n---\r\n\r\nOne\rTwo\nThree\r\n`,
    `---\r\nname: pdf\r\n${D}\r\nmetadata:\r\n  model: "any"\r\n---\r\n\r\nOne\rTwo\nThree\r\n`,
  ],
  [
    'what restricts a skill stays where others read it',
    `---\nname: pdf\n${D}\ndisable-model-invocation: true\nuser-invocable: false\nhooks:\n  stop: x\n---\nb`,
    'same',
  ],
  [
    'a field that metadata has in another form stays',
    `---\nname: pdf\n${D}\ntags: a\nmetadata:\n  tags: b\n---\nb`,
    'same',
  ],
  [
    'a field that metadata has in the same form goes',
    `---\nname: pdf\n${D}\ntags: [a, b]\nmetadata:\n  tags: a, b\n---\nb`,
    `---\nname: pdf\n${D}\nmetadata:\n  tags: a, b\n---\nb`,
  ],
  ['a NUL stays, which is no text', `---\nname: P\0df\n${D}\nversion: 1\n---\nb`, 'same'],
  ['a list of more than texts stays', `---\nname: pdf\n${D}\ntags:\n  - a\n  - b: c\n---\nb`, 'same'],
  ['a code tag stays refused', `---js\nname: pdf\n${D}\n---\nb`, 'same'],
  ['a skill in the form stays', `---\nname: pdf\n${D}\n---\nb`, 'same'],
];

test.each(FORMS)('%s', (_, text, expected) => {
  expect(strict(text)).toBe(expected);
});

test('a name stays where the folder’s is no better', () => {
  expect(strict(`---\nname: a_b\n${D}\n---\nb`, '/root/a_b/SKILL.md')).toBe('same');
});

test('whatever the text, the strict form reads alike, keeps the body, and has no strict form of its own', () => {
  const path = '/root/pdf/SKILL.md';
  fc.assert(
    fc.property(mutatedText, (text) => {
      const form = strictForm({ path, bytes: bytesOf(text) });
      if (form.kind === 'same') return;
      const [before, after] = [text, form.text].map((each) => parseSkill({ path, bytes: bytesOf(each) }));
      expect(strict(form.text)).toBe('same');
      expect(after?.kind).toBe('loaded');
      if (before?.kind !== 'loaded') return;
      const [was, is] = [before, after].map((reading) => contentOf(reading));
      expect(is).toEqual(was);
      const raw = text.slice(text.length - Math.min(before.skill.body.length, 4));
      expect(form.text.endsWith(raw)).toBe(true);
    }),
    { numRuns: 400 },
  );
});

function contentOf(reading: SkillReading | undefined): unknown {
  if (reading?.kind !== 'loaded') return reading;
  const { description, tags, version, allowedTools, userOnly, body, tools } = reading.skill;
  return { description, tags, version, allowedTools, userOnly, body, tools };
}

test('a file is replaced with its mode, or said what would be written; a link and a read-only file stay', async () => {
  const dir = await temporary('fix');
  const text = `---\nname: Words\n${D}\n---\nb`;
  for (const name of ['words', 'dry', 'closed', 'linked']) await mkdir(join(dir, name));
  const file = (name: string) => join(dir, name, 'SKILL.md');
  for (const name of ['words', 'dry', 'closed']) await writeFile(file(name), text);
  await chmod(file('words'), 0o640);
  await chmod(file('closed'), 0o440);
  await symlink(file('dry'), file('linked'));
  const fixes = [
    await fixSkill(file('words'), { write: true }),
    await fixSkill(file('dry'), { write: false }),
    await fixSkill(file('closed'), { write: true }),
    await fixSkill(file('linked'), { write: true }),
  ];
  const after = text.replace('Words', 'words');
  expect(fixes).toMatchObject([
    { kind: 'changed', before: text, after },
    { kind: 'changed' },
    { kind: 'left', why: 'it is read-only' },
    { kind: 'left', why: 'it is a link; name the file it leads to' },
  ]);
  const texts = await Promise.all(
    ['words', 'dry', 'closed', 'linked'].map((name) => readFile(file(name), 'utf8')),
  );
  expect(texts).toEqual([after, text, text, text]);
  expect([(await lstat(file('words'))).mode & 0o777, await readdir(join(dir, 'words'))]).toEqual([
    0o640,
    ['SKILL.md'],
  ]);
});

test('a half-written file of somebody else is named and left, and keeps no skill from being written', async () => {
  const dir = join(await temporary('fix'), 'words');
  await mkdir(dir);
  const file = join(dir, 'SKILL.md');
  await writeFile(file, `---\nname: Words\n${D}\n---\nb`);
  // The last is of an earlier process with the same number.
  const theirs = ['SKILL.md.new', 'SKILL.md.99999999-1.new', `SKILL.md.${process.pid}-1.new`];
  for (const name of theirs) await writeFile(join(dir, name), `theirs ${name}`);
  expect(await fixSkill(file, { write: true })).toMatchObject({
    kind: 'changed',
    asides: [join(dir, 'SKILL.md.99999999-1.new'), join(dir, 'SKILL.md.new')],
  });
  expect(await readFile(file, 'utf8')).toContain('name: words\n');
  expect(new Set(await readdir(dir))).toEqual(new Set(['SKILL.md', ...theirs]));
  expect(await Promise.all(theirs.map((name) => readFile(join(dir, name), 'utf8')))).toEqual(
    theirs.map((name) => `theirs ${name}`),
  );
});

test('a file with several names is left, for they would part; its proper name it may get', async () => {
  const dir = await temporary('fix');
  const [words, terms] = ['words/SKILL.md', 'terms/skill.md'].map((name) => join(dir, name)) as [
    string,
    string,
  ];
  for (const [file, text] of [
    [words, `---\nname: Words\n${D}\n---\nb`],
    [terms, `---\nname: terms\n${D}\n---\nb`],
  ] as const) {
    await mkdir(join(file, '..'));
    await writeFile(file, text);
    await link(file, `${file}.other`);
  }
  expect([await fixSkill(words, { write: true }), await fixSkill(terms, { write: true })]).toMatchObject([
    { kind: 'left', why: expect.stringContaining('hard links') },
    { kind: 'changed', to: join(dir, 'terms/SKILL.md') },
  ]);
  expect((await lstat(words)).ino).toBe((await lstat(`${words}.other`)).ino);
});

test.runIf(process.getuid?.() === 0)('a file that root fixes keeps its owner', async () => {
  const file = join(await temporary('fix'), 'SKILL.md');
  await writeFile(file, `---\nname: Words\n${D}\nversion: 1\n---\nb`);
  await chown(file, 12, 34);
  expect((await fixSkill(file, { write: true })).kind).toBe('changed');
  const { uid, gid } = await lstat(file);
  expect([uid, gid]).toEqual([12, 34]);
});
