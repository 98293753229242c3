import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createPrompts } from '../../src/model/prompts.ts';
import { countTokens, loadTokenizer } from '../../src/model/tokens.ts';

let packageDir = '';
let overrideDir = '';
beforeAll(async () => {
  packageDir = await mkdtemp(join(tmpdir(), 'knack-prompts-'));
  overrideDir = await mkdtemp(join(tmpdir(), 'knack-prompts-'));
  for (const name of ['assistant', 'judge']) {
    await writeFile(join(packageDir, `${name}.md`), 'Read {{text}} and {{other}}.\n');
    await writeFile(join(overrideDir, `${name}.md`), 'Mine: {{text}} {{other}}');
  }
});

const prompts = () => createPrompts({ packageDir, overrideDir, overridable: ['assistant'] });

test('values are put in and never looked into', async () => {
  expect(await prompts().render('judge', { text: '{{other}} $&', other: 'b' })).toBe(
    'Read {{other}} $& and b.',
  );
});

test('a workspace overrides only what it may', async () => {
  expect(await prompts().render('assistant', { text: 'a', other: 'b' })).toBe('Mine: a b');
  expect(await prompts().render('judge', { text: 'a', other: 'b' })).toBe('Read a and b.');
});

test('a missing variable, an unused one and a missing prompt are errors', async () => {
  await expect(prompts().render('judge', { text: 'a' })).rejects.toMatchObject({
    code: 'prompt-invalid',
    message: expect.stringContaining('{{other}}') as string,
  });
  await expect(prompts().render('judge', { text: 'a', other: 'b', third: 'c' })).rejects.toMatchObject({
    code: 'prompt-invalid',
    message: expect.stringContaining('{{third}}') as string,
  });
  await expect(prompts().render('none', {})).rejects.toMatchObject({ code: 'prompt-invalid' });
});

test('tokens are counted by one tokenizer, control tokens as text', async () => {
  await loadTokenizer();
  expect([
    countTokens('hello world'),
    countTokens(''),
    countTokens('<|endoftext|>') > 1,
    countTokens('x '.repeat(100)),
  ]).toEqual([2, 0, true, 101]);
});
