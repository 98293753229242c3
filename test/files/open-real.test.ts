import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { listResources } from '../../src/disclosure/list-resources.ts';
import { readResource } from '../../src/disclosure/resources.ts';
import { openReal } from '../../src/files/open-real.ts';
import { readSkill } from '../../src/skill/parse.ts';
import { readFileContent } from '../../src/tool/file-text.ts';
import { temporary } from '../support/skills.ts';

/** A skill with a file, and a file of the same name and another size outside of it. */
async function place() {
  const dir = await temporary('open-real');
  await mkdir(join(dir, 'tea/refs'), { recursive: true });
  await mkdir(join(dir, 'out'));
  await writeFile(
    join(dir, 'tea/SKILL.md'),
    '---\nname: tea\ndescription: Makes tea. Use when thirsty.\n---\nb',
  );
  await writeFile(join(dir, 'tea/refs/a.md'), 'INSIDE');
  await writeFile(join(dir, 'out/a.md'), 'A SECRET');
  return dir;
}

test('a file is opened by its real path; one that a link leads to by then is not', async () => {
  const dir = await place();
  const handle = await openReal(join(dir, 'out/a.md'));
  expect(await handle.readFile('utf8')).toBe('A SECRET');
  await handle.close();
  await symlink(join(dir, 'out'), join(dir, 'tea/swapped'));
  for (const use of ['read', 'look'] as const)
    await expect(openReal(join(dir, 'tea/swapped/a.md'), use)).rejects.toMatchObject({ code: 'refused' });
  await expect(readFileContent(join(dir, 'tea/swapped/a.md'))).rejects.toMatchObject({ code: 'refused' });
});

test.runIf(process.platform === 'linux')(
  'to look at a file takes no right to read it, and a pipe keeps nobody waiting',
  async () => {
    const dir = await place();
    await chmod(join(dir, 'out/a.md'), 0o000);
    execFileSync('mkfifo', [join(dir, 'out/pipe')]);
    for (const name of ['a.md', 'pipe']) await (await openReal(join(dir, 'out', name), 'look')).close();
    await (await openReal(join(dir, 'out/pipe'))).close();
  },
);

test('while a folder of the skill is swapped for a link that leads out, nothing from there is read or listed', async () => {
  const dir = await place();
  const reading = await readSkill(join(dir, 'tea'));
  if (reading.kind !== 'loaded') throw new Error('tea is refused');
  const [refs, aside, out] = ['tea/refs', 'tea/.aside', 'out'].map((name) => join(dir, name));
  const swaps = new Worker(
    `const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
     const { workerData: [refs, aside, out] } = require('node:worker_threads');
     for (;;) { renameSync(refs, aside); symlinkSync(out, refs); unlinkSync(refs); renameSync(aside, refs); }`,
    { eval: true, workerData: [refs, aside, out] },
  );
  try {
    const seen = new Set<string>();
    for (let round = 0; round < 4000; round += 1) {
      const resource = await readResource(reading.skill, 'refs/a.md');
      if (resource.kind === 'text') seen.add(resource.text);
      if (round % 4 === 0)
        for (const { path, size } of await listResources(reading.skill)) seen.add(`${path} ${size}`);
    }
    expect([...seen].filter((each) => each !== 'INSIDE' && each !== 'refs/a.md 6')).toEqual([]);
    expect(seen).toContain('INSIDE');
  } finally {
    await swaps.terminate();
  }
});
