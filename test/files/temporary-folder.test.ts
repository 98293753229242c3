import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeTemporaryFolder, removeAbandoned } from '../../src/files/temporary-folder.ts';
import { freshKnack } from '../support/command-line.ts';
import { temporary } from '../support/skills.ts';

let place: string;
/** Of a process that has ended. */
let dead: number;

beforeEach(async () => {
  place = await temporary('place');
  dead = spawnSync(process.execPath, ['-e', '']).pid;
});

/** A folder that a process of this number left, with a file in it. */
async function leftBy(pid: number, name: string): Promise<string> {
  const made = await makeTemporaryFolder(name, place);
  const left = join(place, basename(made).replace(`-${process.pid}-`, `-${pid}-`));
  if (left !== made) renameSync(made, left);
  mkdirSync(join(left, 'deeper'));
  writeFileSync(join(left, 'deeper/file'), 'x');
  return basename(left);
}

test('what a process left that was killed goes, what is in use and what is not ours stays', async () => {
  const abandoned = await leftBy(dead, 'knack-fetch');
  const kept = [
    await leftBy(process.pid, 'knack-fetch'),
    await leftBy(dead, 'knack-other'),
    abandoned.replace(/-[0-9a-f]{8}-/, '-00000000-'),
    'knack-fetch-notes',
  ];
  for (const name of kept) mkdirSync(join(place, name), { recursive: true });
  await removeAbandoned('knack-fetch', place);
  expect(new Set(readdirSync(place))).toEqual(new Set(kept));
});

test('a link of such a name is not followed', async () => {
  const abandoned = await leftBy(dead, 'knack-fetch');
  renameSync(join(place, abandoned), join(place, 'elsewhere'));
  symlinkSync(join(place, 'elsewhere'), join(place, abandoned));
  await removeAbandoned('knack-fetch', place);
  expect(existsSync(join(place, 'elsewhere/deeper/file'))).toBe(true);
});

test('a fetch removes what an earlier one left', async () => {
  const { knack } = await freshKnack('fetch');
  await leftBy(dead, 'knack-fetch');
  const source = await temporary('source');
  const git = (...args: string[]) => spawnSync('git', ['-C', source, ...args]);
  git('init', '--quiet');
  git('-c', 'user.name=A', '-c', 'user.email=a@x.test', 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
  await knack(['skills', 'add', `file://${source}`, '--list'], { TMPDIR: place });
  expect(readdirSync(place)).toEqual([]);
});
