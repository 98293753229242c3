import { existsSync } from 'node:fs';
import { cp, readdir, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mendImports } from '../../src/transfer/mend-imports.ts';
import { numbered, outcomes, place, transferLab } from './transfer-lab.ts';

/** An import whose update was killed: the number of no process holds the lock. */
async function killedUpdate(state: 'between the renames' | 'behind the renames' | 'amid the preparation') {
  const lab = await transferLab();
  const source = await place();
  await source.write({ 'words/SKILL.md': numbered('words') });
  const { root = '' } = await lab.add(source.dir, { readOnly: true });
  await source.write({ 'words/SKILL.md': numbered('words', { last: 'new' }) });
  const imports = join(lab.workspace.dir, 'imports');
  const [id = ''] = root.split('/').slice(-2);
  const [dir, next, old] = ['', '.next-', '.old-'].map((before) => join(imports, before + id)) as [
    string,
    string,
    string,
  ];
  await cp(dir, next, { recursive: true });
  if (state !== 'amid the preparation') await rename(dir, old);
  if (state === 'behind the renames') await rename(next, dir);
  await writeFile(join(imports, '.writer.lock'), `4194305 ${hostname()} dead`);
  return { lab, imports, id };
}

test.each(['between the renames', 'behind the renames', 'amid the preparation'] as const)(
  'an import whose update was killed %s is there at the next start, and is updated',
  async (state) => {
    const { lab, imports, id } = await killedUpdate(state);
    const library = await (await lab.open()).library();
    expect(library.find('words')?.path).toBe(join(imports, id, 'skills/words/SKILL.md'));
    expect(outcomes(await lab.update())).toEqual({ words: 'updated' });
    expect(await readdir(imports)).toEqual([id]);
    expect(await lab.workspace.read(`imports/${id}/skills/words/SKILL.md`)).toContain('Step new');
  },
);

test('what is put back is told, and once', async () => {
  const { imports, id } = await killedUpdate('between the renames');
  const lines: string[] = [];
  await mendImports(imports, (line) => lines.push(line));
  await mendImports(imports, (line) => lines.push(line));
  expect(lines).toEqual([`${join(imports, id)}: an interrupted update was undone`]);
});

test('an update that is under way is waited for, and not undone', async () => {
  const { imports, id } = await killedUpdate('between the renames');
  const lock = join(imports, '.writer.lock');
  await writeFile(lock, `${process.ppid} ${hostname()} alive`);
  const lines: string[] = [];
  const mending = mendImports(imports, (line) => lines.push(line));
  await new Promise((resolve) => setImmediate(resolve));
  expect(existsSync(join(imports, id))).toBe(false);
  await rename(join(imports, `.next-${id}`), join(imports, id));
  // The owner gives it back.
  await writeFile(lock, `4194305 ${hostname()} dead`);
  await mending;
  expect([lines, await readdir(imports)]).toEqual([[], [id]]);
});
