import { describe, expect, test } from 'vitest';
import { isCorrection, isCourseChange, isStandingWish } from '../../src/transcript/cues.ts';
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
  test.each(WISHES)('"%s" is a wish for all times', (text) => expect(isStandingWish(text)).toBe(true));
  test.each(NO_WISHES)('"%s" is none', (text) => expect(isStandingWish(text)).toBe(false));
  test('an admission is a change of course, an announcement is not', () => {
    expect([
      isCourseChange('My mistake: it was the other file.'),
      isCourseChange('Let me try a different approach'),
      isCourseChange('Now I read the file.'),
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
