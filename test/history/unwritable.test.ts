import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { handOver } from '../../src/history/ownership.ts';
import { changeOf, csv, type HistoryLab, openLab } from '../support/history-lab.ts';
import { skillText } from '../support/skills.ts';

/** A repository that holds the skill `csv` alone. */
function csvRepository({ root, git }: HistoryLab): string {
  const dir = join(root, '..', 'csv-of-others');
  mkdirSync(dir);
  writeFileSync(join(dir, 'SKILL.md'), skillText('csv', '- One.', { version: '1.0.0' }));
  git('-C', dir, 'init', '-q', '-b', 'main');
  git('-C', dir, 'add', '-A');
  git('-C', dir, 'commit', '-qm', 's');
  return dir;
}

function addSubmodule(lab: HistoryLab, path: string): void {
  const from = csvRepository(lab);
  lab.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from, path);
}

const KINDS: readonly [string, (lab: HistoryLab) => void][] = [
  ...['dirty', 'all'].map((ignore): [string, (lab: HistoryLab) => void] => [
    `is a submodule that hides its edits (${ignore})`,
    (lab) => {
      addSubmodule(lab, 'csv');
      lab.git('config', '-f', '.gitmodules', 'submodule.csv.ignore', ignore);
      lab.commitAll('sub');
    },
  ]),
  [
    'is a submodule where the settings hide edits',
    (lab) => {
      addSubmodule(lab, 'csv');
      lab.commitAll('sub');
      lab.git('config', 'diff.ignoreSubmodules', 'all');
    },
  ],
  [
    'holds a submodule',
    (lab) => {
      mkdirSync(join(lab.root, 'csv'));
      writeFileSync(join(lab.root, 'csv', 'SKILL.md'), skillText('csv', '- Mine.', { version: '1.0.0' }));
      addSubmodule(lab, 'csv/vendor');
      lab.git('config', '-f', '.gitmodules', 'submodule.csv/vendor.ignore', 'all');
      lab.commitAll('sub');
    },
  ],
  [
    'has a repository of its own beside the files that the library tracks',
    (lab) => {
      mkdirSync(join(lab.root, 'csv'));
      writeFileSync(join(lab.root, 'csv', 'SKILL.md'), skillText('csv', '- Mine.', { version: '1.0.0' }));
      lab.commitAll('one');
      renameSync(join(csvRepository(lab), '.git'), join(lab.root, 'csv', '.git'));
    },
  ],
  [
    'is a repository that git ignores',
    (lab) => {
      cpSync(csvRepository(lab), join(lab.root, 'csv'), { recursive: true });
      writeFileSync(join(lab.root, '.gitignore'), 'csv\n');
      lab.commitAll('ignored');
    },
  ],
];

test.each(KINDS)('a skill that %s is refused before a file of it is touched', async (_, make) => {
  const lab = await openLab('other-repository');
  const { root, history } = lab;
  make(lab);
  const deep = existsSync(join(root, 'csv', 'vendor')) ? join(root, 'csv', 'vendor') : join(root, 'csv');
  appendFileSync(join(deep, 'SKILL.md'), '- my unsaved rule\n');
  writeFileSync(join(deep, 'notes.md'), 'd');
  const all = (): string =>
    execFileSync('find', [root, '-type', 'f', '-not', '-path', '*/.git/*', '-exec', 'cksum', '{}', '+'], {
      encoding: 'utf8',
    });
  const before = [all(), readdirSync(join(root, 'csv')), lab.git('rev-parse', 'HEAD')];
  const refused = {
    kind: 'unavailable',
    why: expect.stringMatching(/^csv(\/vendor)? is a repository of its own, as a submodule is/) as string,
  };
  const present = await history.present('csv');
  const outcomes = [
    await history.commit(changeOf(present, csv('2.0.0', '- Two.'), '2.0.0')),
    await history.commit(changeOf(undefined, csv('2.0.0', '- Two.'), '2.0.0')),
  ];
  if ((await history.log('csv')).length > 0)
    outcomes.push(
      await history.rollback('csv', undefined, 'x'),
      await history.rollback('csv', 'none', 'x'),
      ...(present === undefined ? [] : [await handOver(history, 'csv', { owner: 'learned', why: 'x' })]),
    );
  expect(outcomes).toEqual(outcomes.map(() => refused));
  expect(await history.standing('csv')).toMatchObject({ blocked: refused.why });
  expect([all(), readdirSync(join(root, 'csv')), lab.git('rev-parse', 'HEAD')]).toEqual(before);
});

test('a skill that a sparse checkout leaves out is no edited one, and is refused with how to get it', async () => {
  const lab = await openLab('sparse');
  const { root, history } = lab;
  for (const name of ['csv', 'pdf']) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'SKILL.md'), skillText(name, '- One.', { version: '1.0.0' }));
    lab.commitAll(name);
  }
  lab.git('sparse-checkout', 'set', 'pdf');
  const why = `csv is not checked out here (a sparse checkout); \`git sparse-checkout add csv\` in ${root} brings it here`;
  expect(await history.rollback('csv', undefined, 'x')).toEqual({ kind: 'unavailable', why });
  expect(await history.rollback('csv', 'none', 'x')).toEqual({ kind: 'unavailable', why });
  expect(await history.standing('csv')).toMatchObject({ blocked: why });
  lab.git('sparse-checkout', 'add', 'csv');
  expect(await history.rollback('csv', 'none', 'x')).toMatchObject({ kind: 'committed' });
});

test('what stands in the way of every change is known before one is tried', async () => {
  const lab = await openLab('blocked');
  const { root, history } = lab;
  await history.commit(changeOf(undefined, csv('1.0.0', '- One.'), '1.0.0'));
  expect(await history.standing('csv')).not.toHaveProperty('blocked');
  writeFileSync(join(root, '.git', 'CHERRY_PICK_HEAD'), `${lab.git('rev-parse', 'HEAD')}\n`);
  expect(await history.standing('csv')).toMatchObject({
    blocked: `a cherry-pick is under way in ${root}; finish or abort it first`,
  });
  lab.git('cherry-pick', '--quit');
  lab.git('checkout', '-q', '--detach');
  expect(await history.standing('csv')).toMatchObject({
    blocked: `HEAD is detached in ${root}; check out a branch first`,
  });
});
