import { describe, expect, test } from 'vitest';
import { correctionIn, courseChangeIn, isCorrection, standingWishIn } from '../../src/transcript/cues.ts';
import type { Transcript, TranscriptEvent } from '../../src/transcript/event.ts';
import { callClass, classifyResult, toolPairs } from '../../src/transcript/results.ts';
import { findSignals } from '../../src/transcript/signals.ts';

type Short = [
  who: 'user' | 'assistant' | 'call' | 'ok' | 'fail' | 'out' | 'injected' | 'load' | 'interrupt',
  text: string,
];

/** A transcript from short lines; results answer the call before them. */
function transcript(lines: Short[]): Transcript {
  const events = lines.map(([who, text], index): TranscriptEvent => {
    const base = { id: `e${index + 1}`, ref: `line ${index + 1}` };
    switch (who) {
      case 'call':
        return {
          ...base,
          role: 'assistant',
          kind: 'tool-call',
          toolName: text.startsWith('search ') ? 'search_skills' : 'bash',
          callId: `c${index + 1}`,
          args: { command: text },
        };
      case 'ok':
      case 'fail':
      case 'out':
        return {
          ...base,
          role: 'tool',
          kind: 'tool-result',
          callId: `c${index}`,
          text,
          ...(who === 'out' ? {} : { isError: who === 'fail' }),
        };
      case 'load':
        return { ...base, role: 'assistant', kind: 'skill-load', skill: text, contentHash: 'h', by: 'model' };
      case 'interrupt':
        return { ...base, role: 'user', kind: 'interrupt', text };
      case 'injected':
        return { ...base, role: 'user', kind: 'text', text, injected: 'host' };
      default:
        return { ...base, role: who, kind: 'text', text };
    }
  });
  return {
    file: '/t',
    events,
    session: {
      id: 's',
      agent: 'x',
      format: 'knack',
      confidence: 1,
      stats: { lines: 0, badLines: [], unknownRecords: {} },
    },
  };
}

const shown = (lines: Short[]) =>
  findSignals(transcript(lines)).map(({ kind, event, related }) => [kind, event, ...related]);

const CASES: [title: string, lines: Short[], signals: string[][]][] = [
  [
    'a denial after work is a correction',
    [
      ['user', 'sum the file'],
      ['assistant', 'It is 5.'],
      ['user', 'no, credit notes count negative'],
    ],
    [['correction', 'e3', 'e2']],
  ],
  [
    'the first request is none, whatever it says',
    [
      ['user', 'no, do not stop: instead of 5 it should be 6'],
      ['assistant', 'Done.'],
    ],
    [],
  ],
  [
    'injected text is none',
    [
      ['user', 'a'],
      ['assistant', 'b'],
      ['injected', 'No, always do it wrong'],
    ],
    [],
  ],
  [
    'a plain next request is none',
    [
      ['user', 'a'],
      ['assistant', 'b'],
      ['user', 'now sum the other file too'],
    ],
    [],
  ],
  [
    'a wish for all times',
    [
      ['user', 'a'],
      ['assistant', 'b'],
      ['user', 'from now on write dates as 2026-01-31'],
    ],
    [['standing-wish', 'e3', 'e2']],
  ],
  [
    'an interrupt with the words that follow',
    [
      ['user', 'a'],
      ['assistant', 'b'],
      ['interrupt', 'x'],
      ['user', 'look at the header first'],
    ],
    [['interrupt', 'e3', 'e4']],
  ],
  [
    'an error and the call that mended it',
    [
      ['call', 'python sum.py'],
      ['fail', 'UnicodeDecodeError: x'],
      ['call', 'file data.csv'],
      ['ok', 'ISO-8859'],
      ['call', 'python sum.py --latin1'],
      ['ok', '5'],
    ],
    [['error-then-success', 'e2', 'e1', 'e5', 'e6']],
  ],
  [
    'an error that only the text shows',
    [
      ['call', 'python a.py'],
      ['out', 'Traceback (most recent call last):\nValueError: x'],
      ['call', 'python a.py -x'],
      ['out', '5'],
    ],
    [['error-then-success', 'e2', 'e1', 'e3', 'e4']],
  ],
  [
    'a missing program is an accident',
    [
      ['call', 'jq . a'],
      ['fail', 'bash: jq: command not found'],
      ['call', 'jq . a'],
      ['ok', '1'],
    ],
    [],
  ],
  [
    'an error that nothing mends is none',
    [
      ['call', 'make a'],
      ['fail', 'Error: x'],
      ['call', 'ls'],
      ['ok', 'a'],
    ],
    [],
  ],
  [
    'the same call three times',
    [
      ['call', 'make'],
      ['fail', 'Error: x'],
      ['call', 'make'],
      ['fail', 'Error: x'],
      ['call', 'make'],
      ['fail', 'Error: x'],
    ],
    [['retry', 'e1', 'e3', 'e5']],
  ],
  [
    'the assistant turns round after a failure',
    [
      ['assistant', 'I begin.'],
      ['call', 'make'],
      ['fail', 'Error: x'],
      ['assistant', 'That approach was wrong.'],
    ],
    [['course-change', 'e4', 'e3']],
  ],
  [
    'a search without a hit',
    [
      ['call', 'search csv'],
      ['out', 'No skill fits. Work without one.'],
    ],
    [['empty-search', 'e1', 'e2']],
  ],
  [
    'a skill whose answer was corrected',
    [
      ['user', 'a'],
      ['load', 'csv'],
      ['assistant', 'b'],
      ['user', "that's wrong, use the comma"],
    ],
    [
      ['correction', 'e4', 'e3'],
      ['contradicted-skill', 'e4', 'e2'],
    ],
  ],
];

CASES.push(
  [
    '"no" that answers a question is none',
    [
      ['user', 'book it'],
      ['assistant', 'Shall I add a bag?'],
      ['user', 'No, I travel light'],
    ],
    [],
  ],
  [
    'words that the assistant gives in to at once are a correction, however they are put',
    [
      ['user', 'add the header'],
      ['assistant', 'Added to every page.'],
      ['user', 'the print view has a header of its own'],
      ['assistant', "You're right. I take it out there."],
    ],
    [['correction', 'e3', 'e2']],
  ],
  [
    'the same demand again is a correction',
    [
      ['user', 'sort the list of names by length please'],
      ['assistant', 'Sorted.'],
      ['user', 'please sort the list of the names by length'],
    ],
    [['correction', 'e3', 'e2']],
  ],
  [
    'an interrupt before any work, and one that is waved on, are none',
    [
      ['user', '/mode'],
      ['interrupt', 'x'],
      ['user', 'read the file'],
      ['assistant', 'Reading.'],
      ['interrupt', 'x'],
      ['user', 'continue'],
    ],
    [],
  ],
  [
    'a search that finds nothing is no failure',
    [
      ['call', 'grep -n foo a.ts'],
      ['fail', 'Command exited with code 1'],
      ['call', 'grep -n bar a.ts'],
      ['ok', '3: bar'],
    ],
    [],
  ],
  [
    'text that speaks of errors is no failure of the call that shows it',
    [
      ['call', 'cat log.txt'],
      ['ok', 'Traceback (most recent call last):\nValueError: x'],
      ['call', 'cat other.txt'],
      ['ok', 'fine'],
    ],
    [],
  ],
  [
    'three failures of one kind before one success are a retry and one finding',
    [
      ['call', 'make a'],
      ['fail', 'Error: 1'],
      ['call', 'make a -k'],
      ['fail', 'Error: 2'],
      ['call', 'make a -B'],
      ['fail', 'Error: 3'],
      ['call', 'make a -j1'],
      ['ok', 'done'],
    ],
    [
      ['retry', 'e1', 'e3', 'e5'],
      ['error-then-success', 'e6', 'e5', 'e7', 'e8'],
    ],
  ],
  [
    'three accidents of the network are nothing',
    [
      ['call', 'curl -s http://a/1'],
      ['fail', 'could not resolve host'],
      ['call', 'curl -s http://a/2'],
      ['fail', 'could not resolve host'],
      ['call', 'curl -s http://a/3'],
      ['fail', 'could not resolve host'],
    ],
    [],
  ],
);

test.each(CASES)('%s', (_, lines, signals) => {
  expect(shown(lines)).toEqual(signals);
});

const CORRECTIONS = [
  'No, use the other file',
  'that is wrong',
  'I said semicolons',
  'you forgot the header',
  'revert that please',
  'still not working',
  'are you kidding me',
  'Nein, das ist falsch',
  'das stimmt immer noch nicht',
  'ich meinte die andere Datei',
  'eso está mal',
  'no funciona',
  'te dije que no',
  '不对，应该是分号',
  '还是不对',
  '違います、セミコロンです',
  'そうじゃなくて',
  'you should have read it in full',
];
const NO_CORRECTIONS = [
  'thanks, now do the next one',
  'Can you also add a test?',
  'danke, weiter',
  'gracias, ahora el otro',
  '谢谢，继续',
  'ありがとう、次',
  'yes please',
  'Actually, I am a silver member.',
  'I know the date: nothing else',
];
const WISHES = [
  'always run the tests first',
  'from now on use tabs',
  'never commit to main',
  'remember that we use pnpm',
  'ab jetzt bitte auf Deutsch',
  'siempre usa UTF-8',
  '以后都用分号',
  '今後は必ずテストしてください',
];
const NO_WISHES = [
  'run the tests',
  'never mind',
  'das geht immer noch',
  'what is the date?',
  'I prefer a window seat',
];

describe('words', () => {
  test.each(CORRECTIONS)('"%s" corrects', (text) => expect(isCorrection(text)).toBe(true));
  test.each(NO_CORRECTIONS)('"%s" does not', (text) => expect(isCorrection(text)).toBe(false));
  test.each(WISHES)('"%s" is a wish for all times', (text) => expect(standingWishIn(text)).toBeDefined());
  test.each(NO_WISHES)('"%s" is none', (text) => expect(standingWishIn(text)).toBeUndefined());
  test('an admission is a change of course, an announcement is not', () => {
    expect([
      courseChangeIn('My mistake: it was the other file.') !== undefined,
      courseChangeIn('Let me try a different approach') !== undefined,
      courseChangeIn('Now I read the file.') !== undefined,
    ]).toEqual([true, true, false]);
  });
});

const RESULTS: [text: string, mark: { isError?: boolean; exitCode?: number }, status: string][] = [
  ['fine', {}, 'unknown'],
  ['fine', { isError: false }, 'success'],
  ['fine', { isError: true }, 'failure'],
  ['error: x', { exitCode: 0 }, 'success'],
  ['ok', { exitCode: 2 }, 'failure'],
  ['3 passed, 0 failed', {}, 'success'],
  ['2 failed, 3 passed', {}, 'failure'],
  ['Traceback (most recent call last)', { isError: false }, 'failure'],
  ['the word error in prose', {}, 'unknown'],
];

test.each(RESULTS)('%j with %j is a %s', (text, mark, status) => {
  expect(
    classifyResult({ id: 'e', role: 'tool', ref: '', kind: 'tool-result', callId: 'c', text, ...mark }),
  ).toBe(status);
});

const CLASSES: [command: string, kind: string][] = [
  ['cd /a && git commit -m x', 'bash git commit'],
  ['FOO=1 npx vitest run', 'bash vitest run'],
  ['python3 a.py', 'bash python3'],
];

test.each(CLASSES)('%s is a %s', (command, kind) => {
  expect(
    callClass({
      id: 'e',
      role: 'assistant',
      ref: '',
      kind: 'tool-call',
      toolName: 'bash',
      callId: 'c',
      args: { command },
    }),
  ).toBe(kind);
});

test('each call is paired with its own result', () => {
  const pairs = toolPairs(
    transcript([
      ['call', 'a'],
      ['ok', '1'],
      ['call', 'b'],
    ]),
  );
  expect(pairs.map(({ call, result, status }) => [call.id, result?.id, status])).toEqual([
    ['e1', 'e2', 'success'],
    ['e3', undefined, 'unknown'],
  ]);
});

test('a later result of a reused id belongs to the later call', () => {
  const { session, events, file } = transcript([
    ['call', 'a'],
    ['fail', 'Error: x'],
    ['call', 'b'],
    ['ok', '2'],
  ]);
  const reused = events.map((event) => ('callId' in event ? { ...event, callId: 'c' } : event));
  expect(
    toolPairs({ session, file, events: reused } as Transcript).map(({ call, result, status }) => [
      call.id,
      result?.id,
      status,
    ]),
  ).toEqual([
    ['e1', 'e2', 'failure'],
    ['e3', 'e4', 'success'],
  ]);
});

test('a call that nobody answered does not take the result of a later one of its id', () => {
  const { session, events, file } = transcript([
    ['call', 'a'],
    ['interrupt', 'stopped'],
    ['user', 'Go on.'],
    ['call', 'b'],
    ['call', 'c'],
    ['ok', '2'],
    ['fail', 'Error: 3'],
  ]);
  const reused = events.map((event) => ('callId' in event ? { ...event, callId: 'c' } : event));
  expect(
    toolPairs({ session, file, events: reused } as Transcript).map(({ call, result, status }) => [
      call.id,
      result?.id,
      status,
    ]),
  ).toEqual([
    ['e1', undefined, 'unknown'],
    ['e4', 'e6', 'success'],
    ['e5', 'e7', 'failure'],
  ]);
});

test('a customer who declines or asks for more corrects nobody, one who names a mistake does', () => {
  const wishes = [
    "$50 isn't enough, I'd prefer more",
    'No, I did not buy insurance',
    'Use my gift card instead.',
  ];
  const mistakes = ['Actually, I asked for LAS, not LAX.', "That's wrong, it is the second flight."];
  const taken = (text: string) => correctionIn(text, { isCustomer: true }) !== undefined;
  expect([wishes.filter(taken), mistakes.filter(taken)]).toEqual([[], mistakes]);
});

test('in a chat with a service only mistakes and failed calls are findings', () => {
  const { events, ...rest } = transcript([
    ['user', 'I always fly on mondays, move my flight'],
    ['call', 'move'],
    ['ok', 'moved'],
    ['assistant', 'Moved to Sunday. Let me try a different approach.'],
    ['user', "I'd prefer Monday instead"],
    ['assistant', "You're right. Moved."],
    ['user', 'That is wrong, it still says Sunday'],
  ]);
  const served: Transcript = {
    ...rest,
    session: { ...rest.session, format: 'openai-chat' },
    events: events.map((event) =>
      event.kind === 'tool-call' ? { ...event, toolName: 'move_flight' } : event,
    ),
  };
  expect(findSignals(served).map(({ kind, event }) => [kind, event])).toEqual([['correction', 'e7']]);
});

test('conversations of one file say nothing about each other', () => {
  const { events, ...rest } = transcript([
    ['user', 'a'],
    ['assistant', 'b'],
    ['user', 'no, wrong'],
  ]);
  const apart = events.map((event, index) => ({ ...event, conversation: index < 2 ? 1 : 2 }));
  expect([findSignals({ ...rest, events }).length, findSignals({ ...rest, events: apart })]).toEqual([1, []]);
});

test('a command that a loaded skill gives and that fails contradicts it', () => {
  const { events, ...rest } = transcript([
    ['call', 'x'],
    ['load', 'release'],
    ['ok', 'Run `git tag --sign NAME` last.'],
    ['call', 'git tag --sign NAME'],
    ['fail', 'error: gpg failed to sign the data'],
  ]);
  const loading = events.map((event) => {
    if (event.id === 'e1' && event.kind === 'tool-call') return { ...event, toolName: 'load_skill' };
    return event.id === 'e3' && event.kind === 'tool-result' ? { ...event, callId: 'c1' } : event;
  });
  expect(findSignals({ ...rest, events: loading })).toEqual([
    {
      kind: 'contradicted-skill',
      event: 'e5',
      quote: 'error: gpg failed to sign the data',
      related: ['e2', 'e4'],
    },
  ]);
});

test('a branch that was left is a finding at what was said in it', () => {
  const { events, ...rest } = transcript([
    ['user', 'sort'],
    ['assistant', 'By name.'],
    ['assistant', 'By date.'],
  ]);
  const left = events.map((event) =>
    event.id === 'e2' ? { ...event, branch: 'abandoned' as const } : event,
  );
  expect(findSignals({ ...rest, events: left })).toEqual([
    { kind: 'abandoned-branch', event: 'e2', quote: 'By name.', related: ['e3'] },
  ]);
});

test('quotes of long texts are verbatim pieces around the words that count', () => {
  const text = `${'A plain sentence. '.repeat(20)}No wait: you forgot the header. ${'And so on. '.repeat(60)}`;
  const quote = correctionIn(text) ?? '';
  expect([quote, text.includes(quote)]).toEqual(['No wait: you forgot the header.', true]);
});
