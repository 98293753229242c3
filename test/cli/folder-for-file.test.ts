import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';
import { temporary } from '../support/skills.ts';

const { knack, workspace } = await freshKnack('folder-for-file');
await mkdir(workspace, { recursive: true });
const folder = join(await temporary('folder-for-file'), 'fol\nder');
await mkdir(folder);
const shown = folder.replace('\n', ' ');

test.each([
  [
    ['skills', 'search', '--queries', folder],
    `cannot read the queries ${shown}: it is a folder, and a file was expected; give a file with one {"id","query"} a line`,
  ],
  [
    ['gate', folder, '--draft', folder],
    `cannot read the draft ${shown}: it is a folder, and a file was expected`,
  ],
  [['skills', 'graph', '--html', folder], `cannot write ${shown}: it is a folder, and a file was expected`],
])('a folder where a file was expected is said to be one: %j', async (args, message) => {
  const { code, stderr } = await knack(args);
  expect([code, stderr]).toEqual([1, `knack: ${message}\n`]);
});
