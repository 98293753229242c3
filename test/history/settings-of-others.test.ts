import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { textFile, withFile } from '../../src/files/folder.ts';
import { changeOf, csv, type HistoryLab, openLab } from '../support/history-lab.ts';

let lab: HistoryLab;
beforeEach(async () => {
  lab = await openLab('settings');
});

const LONG = Array.from({ length: 40 }, (_, line) => `- Rule ${line}.`);

function giveAttributes(text: string): void {
  mkdirSync(join(lab.root, '.git', 'info'), { recursive: true });
  writeFileSync(join(lab.root, '.git', 'info', 'attributes'), text);
}

/** Two versions that differ in the first and the last of forty rules, a file that is text, and one that is not. */
async function twoVersions(): Promise<void> {
  const withBytes = (last: number) =>
    withFile(
      csv(`1.0.${last}`, [`- First ${last}.`, ...LONG, `- Last ${last}.`].join('\n'), {
        'data.dat': `one ${last}\n`,
      }),
      'picture.png',
      { bytes: new Uint8Array([137, 80, 0, last]), executable: false },
    );
  await lab.history.commit(changeOf(undefined, withBytes(0), '1.0.0'));
  await lab.history.commit(changeOf(withBytes(0), withBytes(1), '1.0.1'));
}

async function allThatIsRead(): Promise<unknown> {
  const { history } = lab;
  return [
    await history.diff('csv', '1.0.0', '1.0.1'),
    await history.blame('csv'),
    await history.blame('csv', 'data.dat'),
    await history.log('csv'),
    await history.logAll(),
    [...(await history.owners())],
    await history.standing('csv'),
  ];
}

test('no setting and no attribute changes what is read of the history', async () => {
  await twoVersions();
  const plain = await allThatIsRead();
  const settings = {
    'core.bigFileThreshold': '1',
    'core.abbrev': '20',
    'diff.context': '0',
    'diff.interHunkContext': '90',
    'diff.algorithm': 'patience',
    'diff.indentHeuristic': 'false',
    'diff.srcPrefix': 'x/',
    'diff.dstPrefix': 'y/',
    'diff.relative': 'true',
    'diff.suppressBlankEmpty': 'true',
    'diff.ignoreSubmodules': 'all',
    'log.showRoot': 'false',
    'log.follow': 'true',
    'log.diffMerges': 'separate',
    'status.showUntrackedFiles': 'no',
    'status.renames': 'copies',
    'color.ui': 'always',
  };
  for (const [name, value] of Object.entries(settings)) lab.git('config', name, value);
  giveAttributes('*.md -diff\n*.dat binary\n');
  expect(await allThatIsRead()).toEqual(plain);
});

test('a text that an attribute calls binary is shown line by line, and a binary file is not', async () => {
  await twoVersions();
  giveAttributes('* binary\n');
  const diff = await lab.history.diff('csv', '1.0.0', '1.0.1');
  expect(diff).toMatch(/^-- First 0\.$/m);
  expect(diff).toMatch(/^\+one 1$/m);
  expect(diff).toContain('Binary files a/csv/picture.png and b/csv/picture.png differ');
  expect(diff).not.toContain('\0');
});

test('no program that the settings name is run for what is read, nor its output shown', async () => {
  await twoVersions();
  const ran = join(lab.root, '..', 'ran');
  const program = `sh -c 'touch ${ran}; echo PROGRAM'`;
  for (const name of [
    'diff.x.textconv',
    'diff.x.command',
    'diff.external',
    'core.pager',
    'pager.log',
    'pager.diff',
    'pager.blame',
    'core.editor',
    'core.fsmonitor',
    'core.sshCommand',
    'core.askPass',
    'credential.helper',
    'gpg.program',
  ])
    lab.git('config', name, program);
  lab.git('config', 'log.showSignature', 'true');
  lab.git('config', 'commit.gpgSign', 'true');
  mkdirSync(join(lab.root, '.git', 'hooks'), { recursive: true });
  for (const hook of ['post-index-change', 'reference-transaction', 'pre-commit', 'post-commit'])
    writeFileSync(join(lab.root, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  giveAttributes('* diff=x\n');
  const read = JSON.stringify(await allThatIsRead());
  expect(await lab.history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
  expect([read.includes('PROGRAM'), existsSync(ran)]).toEqual([false, false]);
});

test('a folder that a person renamed changed for both names', async () => {
  await twoVersions();
  renameSync(join(lab.root, 'csv'), join(lab.root, 'tables'));
  lab.commitAll('rename');
  const owners = await lab.history.owners();
  expect([owners.get('csv'), owners.get('tables')]).toEqual(['written', 'written']);
});

test('the diff of a file whose name looks like a pattern is that file’s alone', async () => {
  const one = withFile(csv('1.0.0', '- One.'), 'a*.md', textFile('one\n'));
  await lab.history.commit(changeOf(undefined, one, '1.0.0'));
  const two = withFile(withFile(one, 'a*.md', textFile('two\n')), 'ab.md', textFile('b\n'));
  await lab.history.commit(changeOf(one, two, '1.0.1'));
  giveAttributes('*.md -diff\n');
  expect((await lab.history.diff('csv', '1.0.0', '1.0.1')).match(/^\+\w+$/gm)).toEqual(['+two', '+b']);
});
