import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Folder, fileText, readFolder } from '../../src/files/folder.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import { restore } from '../../src/history/ownership.ts';
import type { RevisionOperation } from '../../src/history/revision.ts';
import { planRevocation, revoke } from '../../src/history/revoke.ts';
import { undoRevision } from '../../src/history/undo-revision.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

const PATH = process.env['PATH'] ?? '';
let root = '';
let history: History;
beforeEach(async () => {
  root = join(await temporary('revoke'), 'skills');
  history = createHistory({ root, environment: { home: root, path: PATH } });
});

type Lesson = readonly [line: string, ...sessions: string[]];

/** A folder whose body holds these lines. */
const csv = (version: string, lines: readonly string[], more: Record<string, string> = {}): Folder =>
  folderOf({ 'SKILL.md': skillText('csv', `# Steps\n\n${lines.join('\n')}\n`, { version }), ...more });

/** Commits the next version; each taught line with the sessions that taught it. */
async function teach(
  version: string,
  lines: readonly string[],
  taught: readonly Lesson[],
  more: Record<string, string> = {},
): Promise<void> {
  const target = csv(version, lines, more);
  const text = (fileText(target, 'SKILL.md') ?? '').split('\n');
  const operations = taught.map(([line, ...sessions]): RevisionOperation => {
    const at = text.indexOf(line) + 1;
    return {
      op: at > 0 ? 'insert_after' : 'delete',
      file: 'SKILL.md',
      ...(at > 0 ? { lines: [at, at] as const } : {}),
      evidence: sessions.map((session) => ({ session, event: 'e1', quote: line })),
    };
  });
  const sessions = [...new Set(taught.flatMap(([, ...ids]) => ids))];
  const outcome = await history.commit({
    skill: 'csv',
    base: await history.present('csv'),
    target,
    to: version,
    what: 'teach',
    why: 'because',
    actor: 'reviewer',
    sessions: sessions.map((id) => ({ id, events: ['e1'] })),
    operations,
  });
  if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome));
}

async function revokeAll(session: string): Promise<void> {
  for (const plan of await planRevocation(history, session)) {
    const outcome = await revoke(history, plan, { session, why: 'it was wrong' });
    if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome));
  }
}

const present = async () => readFolder(join(root, 'csv'));
const body = async () =>
  (fileText(await present(), 'SKILL.md') ?? '').split('# Steps\n\n')[1]?.trim().split('\n');

test('takes out the lines of one session, leaves those of others, and takes a higher number', async () => {
  await teach('1.0.0', ['Read the header.'], [['Read the header.', 's1']]);
  await teach('1.1.0', ['Read the header.', 'Drop empty rows.'], [['Drop empty rows.', 's2']]);
  await teach('1.2.0', ['Read the header.', 'Drop empty rows.', 'Sort by date.'], [['Sort by date.', 's3']]);
  await revokeAll('s2');
  expect(await body()).toEqual(['Read the header.', 'Sort by date.']);
  const [latest] = await history.log('csv');
  expect(latest).toMatchObject({ version: '2.0.0', actor: 'rollback' });
  expect(fileText(await present(), 'SKILL.md')).toContain('version: "2.0.0"');
  expect(await history.ownership('csv')).toBe('learned');
});

test('what a session replaced comes back, with the turn that had taught it', async () => {
  await teach(
    '1.0.0',
    ['Use commas.', 'Keep quotes.'],
    [
      ['Use commas.', 's1'],
      ['Keep quotes.', 's1'],
    ],
  );
  await teach('2.0.0', ['Use semicolons.', 'Keep quotes.'], [['Use semicolons.', 's2']]);
  await revokeAll('s2');
  expect(await body()).toEqual(['Use commas.', 'Keep quotes.']);
  const lines = await history.blame('csv');
  expect(lines.find(({ text }) => text === 'Use commas.')).toMatchObject({
    session: 's1',
    quote: 'Use commas.',
  });
});

test('what a session deleted comes back where it stood', async () => {
  await teach(
    '1.0.0',
    ['One.', 'Two.', 'Three.'],
    [
      ['One.', 's1'],
      ['Two.', 's1'],
      ['Three.', 's1'],
    ],
  );
  await teach('2.0.0', ['One.', 'Three.'], [['Two.', 's2']]);
  await teach('2.1.0', ['One.', 'Three.', 'Four.'], [['Four.', 's3']]);
  await revokeAll('s2');
  expect(await body()).toEqual(['One.', 'Two.', 'Three.', 'Four.']);
});

test('a line that two sessions taught stays, and so does one that another session changed since', async () => {
  await teach(
    '1.0.0',
    ['One.', 'Two.', 'Three.'],
    [
      ['One.', 's1', 's2'],
      ['Two.', 's1'],
      ['Three.', 's1'],
    ],
  );
  await teach('1.1.0', ['One.', 'Two, now better.', 'Three.'], [['Two, now better.', 's3']]);
  await revokeAll('s1');
  expect(await body()).toEqual(['One.', 'Two, now better.']);
});

test('a skill that holds nothing else is taken out, and a rollback brings it back to the byte', async () => {
  await teach('1.0.0', ['One.'], [['One.', 's1']], {
    'evals/triggers.json': '[{"query": "clean", "should_trigger": true}]\n',
  });
  const before = await present();
  await revokeAll('s1');
  expect(await history.present('csv')).toBeUndefined();
  await history.rollback('csv', '1.0.0', 'it was right');
  expect(await present()).toEqual(before);
});

test('recorded queries of the session go, those of others stay', async () => {
  const query = (text: string) => ({ query: text, should_trigger: true });
  const json = (...texts: string[]) => `${JSON.stringify(texts.map(query), null, 2)}\n`;
  await teach('1.0.0', ['One.'], [['One.', 's1']], { 'evals/triggers.json': json('a') });
  await teach('1.1.0', ['One.', 'Two.'], [['Two.', 's2']], { 'evals/triggers.json': json('a', 'b') });
  await teach('1.2.0', ['One.', 'Two.', 'Three.'], [['Three.', 's3']], {
    'evals/triggers.json': json('a', 'b', 'c'),
  });
  await revokeAll('s2');
  expect(JSON.parse(fileText(await present(), 'evals/triggers.json') ?? '')).toEqual([
    query('a'),
    query('c'),
  ]);
});

test('after a rollback nothing is left to revoke, and revoking twice changes nothing', async () => {
  await teach(
    '1.0.0',
    ['One.', 'Two.'],
    [
      ['One.', 's1'],
      ['Two.', 's1'],
    ],
  );
  await teach('2.0.0', ['One.'], [['Two.', 's2']]);
  await history.rollback('csv', undefined, 'undo');
  expect(await planRevocation(history, 's2')).toEqual([]);
  await revokeAll('s1');
  expect(await planRevocation(history, 's1')).toEqual([]);
});

const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });

describe('a skill that is retired', () => {
  test('stays so and is cleaned: a restore brings back what others taught, with their turns', async () => {
    await teach('1.0.0', ['One.', 'Three.'], [['One.', 's1']], { 'scripts/run.sh*': '#!/bin/sh\n' });
    await teach('1.1.0', ['One.', 'Two.', 'Three.'], [['Two.', 's2']], {
      'scripts/run.sh*': '#!/bin/sh\n',
    });
    await teach('1.2.0', ['One.', 'Two.', 'Three.', 'Four.'], [['Four.', 's3']], {
      'scripts/run.sh*': '#!/bin/sh\n',
    });
    await history.rollback('csv', 'none', 'not wanted');
    const [plan] = await planRevocation(history, 's2');
    expect([plan?.from, plan?.to, plan?.out === undefined]).toEqual(['none', '2.0.0', false]);
    await revokeAll('s2');
    expect([await history.present('csv'), git('status', '--porcelain')]).toEqual([undefined, '']);
    const [latest, held] = await history.log('csv');
    expect(latest).toMatchObject({ version: 'none', what: 'take it out of the library', why: 'not wanted' });
    expect(held).toMatchObject({ version: '2.0.0', what: 'take out what s2 taught', actor: 'rollback' });
    expect(git('fsck', '--strict')).toBe('');
    await restore(history, 'csv', 'wanted again');
    expect(await body()).toEqual(['One.', 'Three.', 'Four.']);
    expect((await present()).get('scripts/run.sh')?.executable).toBe(true);
    const taught = (await history.blame('csv')).flatMap(({ text, session }) =>
      session === undefined ? [] : [`${text} ${session}`],
    );
    expect(taught).toEqual(['One. s1', 'Four. s3']);
    expect(await history.ownership('csv')).toBe('learned');
    expect(await planRevocation(history, 's2')).toEqual([]);
  });

  test.each(['retired before', 'taken out by the revocation'])(
    'of which nothing is left comes back by no restore, which names the rollback that does: %s',
    async (when) => {
      await teach('1.0.0', ['One.'], [['One.', 's1']]);
      if (when === 'retired before') await history.rollback('csv', 'none', 'not wanted');
      await revokeAll('s1');
      expect([await history.present('csv'), git('status', '--porcelain')]).toEqual([undefined, '']);
      await expect(restore(history, 'csv', 'wanted again')).rejects.toMatchObject({
        code: 'refused',
        message: expect.stringMatching(
          /^all that csv said came from sessions that were revoked .*`knack skills rollback csv` does so/,
        ),
      });
      expect(await planRevocation(history, 's1')).toEqual([]);
      await history.rollback('csv', undefined, 'it was right');
      expect(await body()).toEqual(['One.']);
      await expect(restore(history, 'csv', 'again')).resolves.toBeUndefined();
    },
  );

  test('is cleaned of one session after the other', async () => {
    await teach('1.0.0', ['One.'], [['One.', 's1']]);
    await teach('1.1.0', ['One.', 'Two.'], [['Two.', 's2']]);
    await history.rollback('csv', 'none', 'not wanted');
    await revokeAll('s1');
    await revokeAll('s2');
    await expect(restore(history, 'csv', 'wanted again')).rejects.toMatchObject({ code: 'refused' });
  });

  test('and came back meanwhile is left as it is', async () => {
    await teach('1.0.0', ['One.'], [['One.', 's1']]);
    await teach('1.1.0', ['One.', 'Two.'], [['Two.', 's2']]);
    await history.rollback('csv', 'none', 'not wanted');
    const [plan] = await planRevocation(history, 's2');
    await restore(history, 'csv', 'wanted again');
    if (plan === undefined) throw new Error('nothing is revoked');
    expect((await revoke(history, plan, { session: 's2', why: 'wrong' })).kind).toBe('moved');
  });
});

test('of a skill whose files somebody removed without a commit nothing is passed over', async () => {
  await teach('1.0.0', ['One.'], [['One.', 's1']]);
  await rm(join(root, 'csv'), { recursive: true });
  const [plan] = await planRevocation(history, 's1');
  if (plan === undefined) throw new Error('nothing is revoked');
  expect((await revoke(history, plan, { session: 's1', why: 'wrong' })).kind).toBe('dirty');
});

test('a session that taught nothing is named', async () => {
  await teach('1.0.0', ['One.'], [['One.', 's1']]);
  await expect(planRevocation(history, 's9')).rejects.toMatchObject({ code: 'not-found' });
});

test('a heading that a person edited stays, and with it the skill', async () => {
  await teach('1.0.0', ['One.'], [['One.', 's1']]);
  const text = fileText(await present(), 'SKILL.md') ?? '';
  await writeFile(join(root, 'csv/SKILL.md'), text.replace('# Steps', '# Steps, our way'));
  git('-c', 'user.name=p', '-c', 'user.email=p@x', 'commit', '-qam', 'by hand');
  await revokeAll('s1');
  const left = fileText(await present(), 'SKILL.md') ?? '';
  expect(left.split('---\n').at(-1)?.trim()).toBe('# Steps, our way');
  expect(left.endsWith('\n')).toBe(true);
});

/** Rules in lines that begin with `+` are what the session adds, and with `p` what a person adds afterwards. */
test.each<[what: string, lines: string]>([
  ['a rule at the end', '# A|- a|+- x|'],
  ['a section at the end', '# A||- a|+|+## X|+|+- x|'],
  ['a section between two', '# A||- a|+|+## X|+|+- x||## B||- b|'],
  ['a paragraph that parted two rules', '# A||- a|+|+Between.|+|- b|'],
  ['a rule between two', '# A||- a|+- x|- b|'],
  ['a rule after which a person added one', '# A||- a|+- x|p- y|'],
  ['a section below which a person added a paragraph', '# A||- a|+|+## X|+|+- x|p|pMine.|'],
  ['the only rule of a section, above a rule of a person', '# A|+|+- x|p- y|'],
  ['a rule at the end that has no line end', '# A||- a|+- x'],
])('taking out %s leaves lines and line ends in form', (_, lines) => {
  const all = lines.split('|');
  const text = (marks: string) =>
    all.flatMap((line) =>
      /^[+p]/.test(line) ? (marks.includes(line[0] ?? '') ? [line.slice(1)] : []) : [line],
    );
  const folder = (marks: string) => folderOf({ 'SKILL.md': text(marks).join('\n') });
  const evidence = [{ session: 's', event: 'e', quote: 'q' }];
  const done = {
    revision: {
      sessions: [{ id: 's', events: ['e'] }],
      operations: [{ op: 'insert_after', file: 'SKILL.md', evidence }],
    },
    before: folder(''),
    after: folder('+'),
  };
  const left = fileText(undoRevision(folder('+p'), done, 's'), 'SKILL.md');
  // What a person set apart from what goes stays apart from what stays.
  const wanted = text('p').join('\n').replace('# A\n- y', '# A\n\n- y');
  expect(left).toBe(wanted);
});

const HEAD = ['---', 'name: csv', 'description: d', '---', ''];
test.each<[what: string, made: string[], now: string[], left: string[]]>([
  ['a rule below its own', ['# A', '', '- x', ''], ['# A', '', '- x', '- y', ''], ['# A', '', '- y', '']],
  ['a rule above its own', ['# A', '', '- x', ''], ['# A', '', '- y', '- x', ''], ['# A', '', '- y', '']],
  [
    'a title, and a section at the end',
    ['# A', '', '- x', ''],
    ['# Mine', '', '- x', '', '## More', '', '- y', ''],
    ['# Mine', '', '## More', '', '- y', ''],
  ],
  [
    'a section in the middle',
    ['# A', '', '- x', '', '## B', '', '- z', ''],
    ['# A', '', '- x', '', '## Mine', '', '- y', '', '## B', '', '- z', ''],
    ['# A', '', '## Mine', '', '- y', ''],
  ],
])(
  'of a skill that the session made a person keeps %s, with its blank lines and the last line end',
  (_, made, now, left) => {
    const folder = (lines: readonly string[]) => folderOf({ 'SKILL.md': [...HEAD, ...lines].join('\n') });
    const evidence = [{ session: 's', event: 'e', quote: 'q' }];
    const operations = [{ op: 'write_file', file: 'SKILL.md', evidence }];
    const done = {
      revision: { sessions: [{ id: 's', events: ['e'] }], operations },
      before: undefined,
      after: folder(made),
    };
    expect(undoRevision(folder(now), done, 's')).toEqual(folder(left));
  },
);
