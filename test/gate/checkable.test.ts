import { expect, test } from 'vitest';
import { findCheckableTask } from '../../src/gate/checkable.ts';
import { type Line, sessionOf } from '../support/gate-lab.ts';

const FOLDER = '/work/shop';
const STARTED = '2026-01-10T12:00:00Z';
const SESSION = { cwd: FOLDER, started: STARTED };
const ASKED: Line = ['user', 'Make the checkout tests pass.'];
const FAILS: Line[] = [
  ['call', 'npm test'],
  ['fail', 'exit code 1\nthe total is 3, not 4'],
];
const PASSES: Line[] = [
  ['call', 'npm test'],
  ['ok', 'all is well'],
];
const EDIT: Line[] = [
  ['call', 'edit_file: {"path":"src/total.js"}'],
  ['ok', 'edited'],
];

const find = (
  lines: readonly Line[],
  cited: readonly string[] = [],
  more: Parameters<typeof sessionOf>[1] = SESSION,
) => findCheckableTask(sessionOf(lines, more), { cited: new Set(cited) });

test('the task is what the user had said before the command failed first, the command the one that passed at last', () => {
  const lines: Line[] = [ASKED, ['injected', 'AGENTS.md says so'], ['user', 'Mind the discount.'], ...FAILS];
  expect(find([...lines, ['user', 'Round to cents.'], ...EDIT, ...PASSES, ['user', 'Thanks.']])).toEqual({
    session: 's1',
    task: 'Make the checkout tests pass.\n\nMind the discount.',
    command: 'npm test',
    folder: FOLDER,
    began: '2026-01-10T12:00:00.000Z',
  });
});

test('of several the last counts, but before it one that the draft cites', () => {
  const other: Line[] = [
    ['call', 'npm run lint'],
    ['fail', 'one problem'],
    ['call', 'npm run lint'],
    ['ok', 'none'],
  ];
  const lines = [ASKED, ...FAILS, ...EDIT, ...PASSES, ...other];
  const command = (cited: readonly string[]) => {
    const found = find(lines, cited);
    return 'command' in found ? found.command : found.why;
  };
  expect([command([]), command(['e7']), command(['e3']), command(['e99'])]).toEqual([
    'npm run lint',
    'npm test',
    'npm test',
    'npm run lint',
  ]);
});

test('the session began with its first event where nothing else says so; a list that a shell reads is its text', () => {
  const argv = (ok: boolean): Line[] => [
    ['call', 'shell: {"command":["bash","-lc","npm test"]}'],
    ok ? ['ok', 'all is well'] : ['fail', 'no'],
  ];
  const { events, ...rest } = sessionOf([ASKED, ...argv(false), ...EDIT, ...argv(true)], { cwd: FOLDER });
  const timed = events.map((event, index) => ({ ...event, ts: `2026-01-10T1${index}:00:00+01:00` }));
  expect(findCheckableTask({ ...rest, events: timed }, { cited: new Set() })).toMatchObject({
    command: 'npm test',
    began: '2026-01-10T09:00:00.000Z',
  });
});

const NONE = /no session with a checkable outcome/;
const CASES: [title: string, lines: Line[], why: RegExp, more?: Parameters<typeof sessionOf>[1]][] = [
  ['nothing that failed', [ASKED, ...EDIT, ...PASSES], NONE],
  ['nothing that passed', [ASKED, ...FAILS, ...EDIT], NONE],
  ['another command that passed', [ASKED, ...FAILS, ['call', 'npm test -- --bail'], ['ok', 'well']], NONE],
  ['a pass that nothing marks as one', [ASKED, ...FAILS, ['call', 'npm test'], ['out', 'hm']], NONE],
  ['an edit after the pass', [ASKED, ...FAILS, ...PASSES, ...EDIT], NONE],
  ['a failure after the pass', [ASKED, ...FAILS, ...PASSES, ...FAILS], NONE],
  ['a user who corrects it', [ASKED, ...FAILS, ...EDIT, ...PASSES, ['user', 'No, that is wrong.']], NONE],
  [
    'a user who corrects it later',
    [ASKED, ...FAILS, ...EDIT, ...PASSES, ['user', 'Thanks.'], ['user', 'No, that is wrong after all.']],
    NONE,
  ],
  [
    'a program that was missing',
    [ASKED, ['call', 'npm test'], ['fail', 'npm: command not found'], ...PASSES],
    NONE,
  ],
  [
    'a command that edits',
    [ASKED, ['call', 'make all > out.txt'], ['fail', 'no'], ['call', 'make all > out.txt'], ['ok', 'done']],
    NONE,
  ],
  [
    'a command that shows',
    [ASKED, ['call', 'cat test.log'], ['fail', 'no'], ['call', 'cat test.log'], ['ok', 'done']],
    NONE,
  ],
  [
    'a tool that is no shell',
    [
      ASKED,
      ['call', 'run_tests: {"suite":"a"}'],
      ['fail', 'no'],
      ['call', 'run_tests: {"suite":"a"}'],
      ['ok', 'done'],
    ],
    NONE,
  ],
  ['no words of the user', [...FAILS, ASKED, ...EDIT, ...PASSES], /had asked for nothing/],
  ['no folder', [ASKED, ...FAILS, ...PASSES], /in which folder/, { started: STARTED }],
  ['no time', [ASKED, ...FAILS, ...PASSES], /when it began/, { cwd: FOLDER }],
  ['a secret', [['user', 'Log in with AKIAIOSFODNN7EXAMPLA.'], ...FAILS, ...PASSES], /a secret stands/],
  ['a task as long as a book', [['user', 'words '.repeat(4000)], ...FAILS, ...PASSES], /too long/],
  [
    'a call in another folder',
    [
      ASKED,
      ...FAILS.map(
        ([who]): Line =>
          who === 'call' ? [who, 'shell: {"command":"npm test","workdir":"/b"}'] : [who, 'no'],
      ),
      ...PASSES.map(
        ([who]): Line =>
          who === 'call' ? [who, 'shell: {"command":"npm test","workdir":"/b"}'] : [who, 'ok'],
      ),
    ],
    /in another folder/,
  ],
  [
    'a shell that had moved',
    [ASKED, ['call', 'cd packages/a && ls'], ['ok', 'x'], ...FAILS, ...PASSES],
    /in another folder/,
    { ...SESSION, format: 'claude-code' },
  ],
];

test.each(CASES)('%s is no task that can be done again', (_, lines, why, more) => {
  expect(find(lines, [], more)).toEqual({ why: expect.stringMatching(why) });
});

test('a shell that went to its own folder has not moved', () => {
  const lines: Line[] = [ASKED, ['call', `cd ${FOLDER}/ && ls`], ['ok', 'x'], ...FAILS, ...EDIT, ...PASSES];
  expect(find(lines, [], { ...SESSION, format: 'claude-code' })).toMatchObject({ command: 'npm test' });
});
