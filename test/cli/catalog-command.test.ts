import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';

interface Catalog {
  readonly text: string;
  readonly tokens: number;
  readonly shown: number;
  readonly total: number;
}

async function workspaceWith(files: Readonly<Record<string, string>>) {
  const { knack, workspace } = await freshKnack('catalog');
  await knack(['init']);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(workspace, path, '..'), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  const json = async <Value>(...args: string[]) => {
    const { stdout } = await knack([...args, '--json']);
    return JSON.parse(stdout) as Value;
  };
  return { json, workspace };
}

const skillFiles = (count: number, description: (index: number) => string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `skills/s${index}/SKILL.md`,
      skillText(`s${index}`, '- do it', { description: description(index) }),
    ]),
  );

test('a budget of knack.json holds as many small skills as fit it', async () => {
  const files = skillFiles(16, (index) => `Does ${index}.`);
  const { json } = await workspaceWith({ ...files, 'knack.json': '{"disclosure":{"catalogTokens":9000}}' });
  const { shown, total, text } = await json<Catalog>('skills', 'catalog');
  expect([shown, total]).toEqual([23, 23]);
  for (let index = 0; index < 16; index += 1) expect(text).toContain(`- s${index}: Does ${index}.`);
});

test('a budget of knack.json cuts descriptions, names all, and says how many and what to do', async () => {
  const files = skillFiles(33, (index) =>
    index === 4 ? 'It goes on and on. '.repeat(160) : `Does ${index}.`,
  );
  const { json } = await workspaceWith({ ...files, 'knack.json': '{"disclosure":{"catalogTokens":600}}' });
  const { shown, total, text, tokens } = await json<Catalog>('skills', 'catalog');
  expect(tokens).toBeLessThanOrEqual(600);
  expect(shown).toBeGreaterThanOrEqual(32);
  expect(text).toMatch(/^Others, by name: .*\bs4\b/m);
  expect(text.split('\n').at(-1)).toMatch(
    new RegExp(
      `^\\(${total - shown} of ${total} skills are not described here\\. Find them with search_skills;`,
    ),
  );
});

test('every command counts the same skills, none below another, in a hidden folder or in node_modules; a list of all names the first two', async () => {
  const inner = skillText('inner', '- no');
  const { json, workspace } = await workspaceWith({
    'skills/group/tea/SKILL.md': skillText('tea', '- brew'),
    'skills/group/tea/vendored/inner/SKILL.md': inner,
    'skills/.hidden/inner/SKILL.md': inner,
    'skills/node_modules/inner/SKILL.md': inner,
    'skills/broken/SKILL.md': 'no front matter',
  });
  const root = join(workspace, 'skills');
  const list = await json<{ skills: unknown[] }>('skills', 'list', '--root', root);
  const all = await json<{ skills: { state: string }[] }>('skills', 'list', '--all', '--root', root);
  const catalog = await json<Catalog>('skills', 'catalog', '--root', root);
  const validated = await json<{ summary: { found: number; loadable: number } }>('skills', 'validate', root);
  const { hits } = await json<{ hits: unknown[] }>('skills', 'search', 'tea inner', '--all', '--root', root);
  expect({
    listed: list.skills.length,
    all: all.skills.map(({ state }) => state),
    catalog: catalog.total,
    found: validated.summary.found,
    loadable: validated.summary.loadable,
    hits: hits.length,
  }).toEqual({
    listed: 1,
    all: ['refused', 'listed', 'nested', 'skipped'],
    catalog: 1,
    found: 2,
    loadable: 1,
    hits: 1,
  });
});
