import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fileText } from '../../src/files/folder.ts';
import { bisect } from '../../src/history/bisect.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import { restore } from '../../src/history/ownership.ts';
import { planRevocation } from '../../src/history/revoke.ts';
import { changeOf, csv, type HistoryLab, openLab } from '../support/history-lab.ts';

const [one, two, three] = ['1.0.0', '1.1.0', '1.2.0'].map((version) => csv(version, `- Of ${version}.`));
const PATH = process.env['PATH'] ?? '';
let lab: HistoryLab;
let home = '';
let root = '';
beforeEach(async () => {
  lab = await openLab('cut');
  home = join(lab.root, '..');
  root = join(home, 'clone');
  const sessions = [{ id: 's1', events: ['e1'] }];
  await lab.history.commit(changeOf(undefined, one as NonNullable<typeof one>, '1.0.0'));
  await lab.history.commit({ ...changeOf(one, two as NonNullable<typeof two>, '1.1.0'), sessions });
});

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', env: { PATH, HOME: home }, stdio: 'pipe' });
function clone(depth: number): History {
  git('clone', '-q', '--depth', String(depth), `file://${lab.root}`, root);
  return createHistory({ root, environment: { home, path: PATH } });
}
const whyCut = (commit?: string) =>
  `the history is cut${commit === undefined ? '' : ` at ${commit.slice(0, 10)}`} (shallow clone), and what came before is not known here; \`git fetch --unshallow\` in ${root} first`;

test('in a shallow clone nothing takes the first commit that is there for the first that there was', async () => {
  const history = clone(1);
  const cut = whyCut(lab.git('rev-parse', 'HEAD'));
  const toldOf = async (action: Promise<unknown>): Promise<unknown> =>
    action.then(
      () => 'done',
      (error: unknown) => (error as Error).message,
    );
  expect(await toldOf(history.rollback('csv', undefined, 'x'))).toBe(
    `what csv was before cannot be told: ${cut}`,
  );
  expect(await toldOf(history.rollback('csv', '1.0.0', 'x'))).toBe(
    `csv has no version 1.0.0; it has 1.1.0; ${cut}`,
  );
  expect(await toldOf(history.folderAt('csv', '1.0.0'))).toContain(cut);
  expect(await toldOf(history.diff('csv', '1.0.0'))).toContain(cut);
  expect(await toldOf(bisect(history, 'csv', () => Promise.resolve('bad')))).toBe(
    `no earlier version of csv passes, but ${cut}`,
  );
  expect(await toldOf(planRevocation(history, 's1'))).toBe(`all that s1 taught cannot be told: ${cut}`);
  expect([await history.cut('csv'), await history.cut(undefined)]).toEqual([cut, cut]);
  expect(fileText((await history.present('csv')) ?? new Map(), 'SKILL.md')).toContain('Of 1.1.0.');
});

test('who made what comes from behind the cut may be a person', async () => {
  lab.git('commit', '-q', '--allow-empty', '-m', 'x');
  const history = clone(2);
  expect([await history.ownership('csv'), (await history.owners()).get('csv')]).toEqual([
    'written',
    'written',
  ]);
  git('-C', root, 'fetch', '-q', '--unshallow');
  expect([await history.ownership('csv'), (await history.owners()).get('csv')]).toEqual([
    'learned',
    'learned',
  ]);
});

test('what is known after the cut is as anywhere, and all of it once the rest is fetched', async () => {
  const history = clone(1);
  await history.commit(changeOf(two, three as NonNullable<typeof three>, '1.2.0'));
  expect(await history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
  // Back at the first that is known.
  await expect(history.rollback('csv', undefined, 'x')).rejects.toMatchObject({ code: 'refused' });
  const { folder } = await history.standing('csv');
  expect(fileText(folder ?? new Map(), 'SKILL.md')).toContain('Of 1.1.0.');
  git('-C', root, 'fetch', '-q', '--unshallow');
  expect(await history.cut('csv')).toBeUndefined();
  expect(await history.rollback('csv', undefined, 'x')).toMatchObject({
    kind: 'committed',
    revision: { version: '1.0.0' },
  });
});

test('a skill that went behind the cut is not called unknown, and one that came after it is whole', async () => {
  await lab.history.rollback('csv', 'none', 'x');
  lab.git('commit', '-q', '--allow-empty', '-m', 'x');
  const history = clone(1);
  await expect(restore(history, 'csv', 'x')).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining(whyCut()) as string,
  });
  await history.commit(changeOf(undefined, one as NonNullable<typeof one>, '1.0.0'));
  expect(await history.cut('csv')).toBeUndefined();
  expect(await history.rollback('csv', undefined, 'x')).toMatchObject({ revision: { version: 'none' } });
});
