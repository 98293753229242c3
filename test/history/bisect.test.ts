import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Folder, fileText } from '../../src/files/folder.ts';
import { bisect, type Trial } from '../../src/history/bisect.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

/** Revisions whose bodies are these words; `=N` brings back what revision N was, counted from 0. */
async function historyOf(words: readonly string[]): Promise<History> {
  const root = join(await temporary('bisect'), 'skills');
  const history = createHistory({ root, environment: { home: root, path: process.env['PATH'] ?? '' } });
  let base: Folder | undefined;
  const shas: string[] = [];
  for (const [index, word] of words.entries()) {
    const to = `1.${index}.0`;
    const target = folderOf({ 'SKILL.md': skillText('csv', word, { version: to }) });
    const outcome = word.startsWith('=')
      ? await history.rollback('csv', shas[Number(word.slice(1))], 'y')
      : await history.commit({
          skill: 'csv',
          base,
          target,
          to,
          what: word,
          why: 'y',
          actor: 'reviewer',
          sessions: [],
          operations: [],
        });
    if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome));
    shas.push(outcome.revision.sha);
    base = await history.present('csv');
  }
  return history;
}

/** A body begins with what it is: good, bad or skip. */
async function tried(folder: Folder): Promise<Trial> {
  const word = /^(good|bad|skip)/m.exec(fileText(folder, 'SKILL.md') ?? '')?.[1];
  if (word !== 'good' && word !== 'bad' && word !== 'skip') throw new Error(`what is ${word}`);
  return word;
}

test.each<[string, string[], broken: string, before: string]>([
  ['the second of two', ['good', 'bad'], '1.1.0', '1.0.0'],
  ['one long ago', ['good', 'good 1', ...Array.from({ length: 9 }, (_, n) => `bad ${n}`)], '1.2.0', '1.1.0'],
  ['files that a rollback brought back', ['good', 'bad', '=0', '=1'], '1.1.0', '1.0.0'],
  ['files that came back, and were changed', ['good', 'bad', '=0', '=1', 'bad 2'], '1.1.0', '1.0.0'],
  [
    'a fault that came again',
    ['good', 'bad', 'bad 1', 'good 1', 'bad 2', 'bad 3', 'bad 4', 'bad 5'],
    '1.4.0',
    '1.3.0',
  ],
  ['a fault after a first version that failed too', ['bad', 'good', 'bad 1'], '1.2.0', '1.1.0'],
  ['one that only a look at each finds', ['bad', 'good', 'bad 1', 'bad 2', 'bad 3'], '1.2.0', '1.1.0'],
  ['one behind some that cannot be told', ['good', 'skip', 'skip 1', 'bad', 'bad 1'], '1.3.0', '1.0.0'],
])('finds %s', async (_, words, broken, before) => {
  const found = await bisect(await historyOf(words), 'csv', tried);
  expect([found.broken.version, found.before.version]).toEqual([broken, before]);
});

test('tries the same files once', async () => {
  const found = await bisect(await historyOf(['good', 'bad', '=0', '=1', '=0', '=1']), 'csv', tried);
  expect([found.trials, found.untold]).toEqual([2, []]);
});

test.each<[string, string[], RegExp]>([
  ['that passes', ['bad', 'good'], /newest version of csv passes/],
  ['that passes again', ['good', 'bad', '=0'], /newest version of csv passes/],
  ['that cannot be told', ['good', 'skip'], /newest version of csv cannot be told/],
  ['that fails as all before', ['bad', 'skip', 'bad 1'], /no earlier version of csv passes/],
  ['that is the only one', ['bad'], /no earlier version of csv passes/],
])('finds nothing before a version %s', async (_, words, message) => {
  await expect(bisect(await historyOf(words), 'csv', tried)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(message),
  });
});
