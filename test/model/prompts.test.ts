import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createPrompts } from '../../src/model/prompts.ts';

let packageDir = '';
let overrideDir = '';
beforeAll(async () => {
  packageDir = await mkdtemp(join(tmpdir(), 'knack-prompts-'));
  overrideDir = await mkdtemp(join(tmpdir(), 'knack-prompts-'));
  for (const name of ['assistant', 'judge']) {
    await writeFile(join(packageDir, `${name}.md`), '\uFEFFRead {{text}}\r\nand {{other}}.\r\n');
    await writeFile(join(overrideDir, `${name}.md`), 'Mine: {{text}} {{other}}');
  }
  await writeFile(join(packageDir, 'spaced.md'), 'Read {{ text }}.');
  await writeFile(join(packageDir, 'inherited.md'), 'Read {{constructor}}.');
  await mkdir(join(packageDir, 'folder.md'));
});

const prompts = () => createPrompts({ packageDir, overrideDir, overridable: ['assistant'] });

test('values are put in as they are and never looked into', async () => {
  expect(await prompts().render('judge', { text: '{{other}} $&', other: 'b' })).toBe(
    'Read {{other}} $&\nand b.',
  );
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), async (text, other) => {
      expect(await prompts().render('judge', { text, other })).toBe(`Read ${text}\nand ${other}.`);
    }),
  );
});

test('a workspace overrides only what it may', async () => {
  expect(await prompts().render('assistant', { text: 'a', other: 'b' })).toBe('Mine: a b');
  expect(await prompts().render('judge', { text: 'a', other: 'b' })).toBe('Read a\nand b.');
});

const FAULTS: [title: string, name: string, variables: Record<string, string>, message: string][] = [
  [
    'a missing variable',
    'judge',
    { text: 'a' },
    'judge.md wants {{other}}, which it is not given; it may use {{text}}',
  ],
  [
    'an unused variable',
    'judge',
    { text: 'a', other: 'b', third: 'c' },
    'judge.md does not use {{third}}; put it where its text belongs',
  ],
  [
    'a misspelt variable',
    'spaced',
    { text: 'a' },
    'spaced.md has {{ text }}; write variables as {{name}}, without spaces',
  ],
  [
    'a name that every object has',
    'inherited',
    {},
    'inherited.md wants {{constructor}}, which it is not given; it may use none',
  ],
  ['a missing prompt', 'none', {}, 'there is no prompt none.md in '],
  ['a prompt that cannot be read', 'folder', {}, 'folder.md: it is a folder'],
];

test.each(FAULTS)('%s is an error that names the file', async (_, name, variables, message) => {
  await expect(prompts().render(name, variables)).rejects.toMatchObject({
    code: 'prompt-invalid',
    message: expect.stringContaining(message) as string,
  });
});
