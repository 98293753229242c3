import { describe, expect, test } from 'vitest';
import { isAccident } from '../../src/transcript/accidents.ts';
import { correctionIn, courseChangeIn, isCorrection, standingWishIn } from '../../src/transcript/cues.ts';
import type { Transcript, TranscriptEvent } from '../../src/transcript/event.ts';
import { injectedAs } from '../../src/transcript/injected.ts';
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

CASES.push(
  [
    'an interrupt whose words are a correction shows what was stopped, not the words twice',
    [
      ['user', 'rename it'],
      ['assistant', 'I copy the file.'],
      ['interrupt', 'x'],
      ['user', 'no, use git mv'],
    ],
    [
      ['interrupt', 'e3', 'e2', 'e4'],
      ['correction', 'e4', 'e2'],
    ],
  ],
  [
    'an interrupt to say that all is well is none',
    [
      ['user', 'remove them'],
      ['assistant', 'I look.'],
      ['interrupt', 'x'],
      ['user', 'ok, i removed them myself'],
    ],
    [],
  ],
  [
    'a request beside an earlier one in like words is none',
    [
      ['user', 'create a custom light theme and open it for me in the editor'],
      ['assistant', 'Done.'],
      ['user', 'create a custom dark theme and open it for me in the editor'],
    ],
    [],
  ],
  [
    'a proposal that the assistant agrees to is none',
    [
      ['user', 'fix the tests'],
      ['assistant', 'They pass.'],
      ['user', 'ok, i think the levels need tokens of their own'],
      ['assistant', "You're right. I add them."],
    ],
    [],
  ],
  [
    'attempts with a look between them are a retry',
    [
      ['call', 'make a'],
      ['fail', 'Error: 1'],
      ['call', 'search x'],
      ['ok', 'x'],
      ['call', 'make a'],
      ['fail', 'Error: 1'],
      ['call', 'search y'],
      ['ok', 'y'],
      ['call', 'make a'],
      ['fail', 'Error: 1'],
    ],
    [['retry', 'e1', 'e5', 'e9']],
  ],
  [
    'a missing program that is set up is a finding, with the call that did it',
    [
      ['call', 'jq . a'],
      ['fail', 'bash: jq: command not found'],
      ['call', 'apk add jq'],
      ['ok', 'OK: 9 MiB'],
      ['call', 'jq . a'],
      ['ok', '1'],
    ],
    [['error-then-success', 'e2', 'e1', 'e3', 'e5', 'e6']],
  ],
  [
    'a look at a file that is not there is a slip',
    [
      ['call', 'cat a.ts'],
      ['fail', 'cat: a.ts: No such file or directory'],
      ['call', 'cat src/a.ts'],
      ['ok', 'x'],
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
  'Nein, nimm das andere Feld',
  'das habe ich nicht gesagt',
  'funktioniert leider immer noch nicht',
  'nimm das Komma statt des Semikolons',
  'No, usa el otro archivo',
  'te olvidaste de la cabecera',
  'eso todavía no funciona',
  '别用这个库',
  '你忘了加测试',
  '还是报错',
  '我说的是第二个',
  'いいえ、別のファイルです',
  'まだ動きません',
  'そこは間違っています',
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
  'no problem, go on',
  "don't forget the changelog",
  'stop the server when you are done',
  'wait for the build, then tag it',
  'ok, the colours are too bright, adjust them',
  'omfg that is great, now make the header dim',
  'the login page does not work for guests, add a test for it',
  'nein danke, das war alles',
  'schreib bitte auch einen Test',
  'gut, jetzt die andere Datei',
  'no hay problema, sigue',
  'para el siguiente paso usa Python',
  'ahora haz lo mismo con el otro',
  '别的文件也改一下',
  '停止服务后再部署',
  '报错了会怎么样？',
  '好的，下一个应该是价格',
  '違うファイルも見てください',
  'いやー、すごい',
  'では次のファイルをお願いします',
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
  'we never push to main',
  'next time, ask me before you delete',
  'merk dir: Beträge immer in Cent',
  'nimm immer Tabs',
  'a partir de ahora responde en español',
  'nunca borres las migraciones',
  '每次都要先跑测试',
  '不要再用 npm',
  '毎回テストを実行してください',
  'これからは日本語で書いて',
];
const NO_WISHES = [
  'run the tests',
  'never mind',
  'das geht immer noch',
  'what is the date?',
  'I prefer a window seat',
  'the tests never finish',
  'i like it',
  'that should never happen',
  'warum schlägt das immer fehl?',
  'siempre falla en la misma línea',
  '为什么总是失败',
  '以后再说',
  'いつもありがとう',
  '必ず失敗します',
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

test('what a program put beside the words of a person is neither a cue nor quoted', () => {
  const text =
    'sum the rest <system-reminder>No, that is wrong. Always answer in German.</system-reminder> and stop';
  expect([correctionIn(text), standingWishIn(text)]).toEqual([undefined, undefined]);
  const both = 'no, use cents\n<system-reminder>Never use cents.</system-reminder>';
  expect(correctionIn(both)).toBe('no, use cents');
});

const INJECTED: [text: string, why: string | undefined][] = [
  ['<system-reminder>x</system-reminder>', 'harness'],
  ['<environment_context>\n<cwd>/a</cwd>\n</environment_context>', 'harness'],
  ['<skill>\n<name>a</name>\n</skill>', 'skill'],
  ['Base directory for this skill: /a/b\n\nAlways x.', 'skill'],
  ["[read_file for 'a.ts'] Result:\nno, wrong", 'tool output'],
  ['<returncode>1</returncode>\n<output>', 'tool output'],
  ['<system-reminder>x</system-reminder> no, wrong', undefined],
  ['<instructions>always x</instructions>', undefined],
  ['a < b', undefined],
];

test.each(INJECTED)('%j is put in as %s', (text, why) => expect(injectedAs(text)).toBe(why));

const ACCIDENTS: [output: string, isOne: boolean][] = [
  ['bash: jq: command not found', true],
  ['npm error code EACCES', true],
  ['cp: error writing: No space left on device', true],
  ['Error: 429 Too Many Requests', true],
  ['fatal: unable to access: Could not resolve host: github.com', true],
  ['OSError: [Errno 30] Read-only file system', true],
  ['AssertionError: expected 3 to be 4', false],
  ['error TS2304: Cannot find name', false],
];

test.each(ACCIDENTS)('%j is an accident: %s', (output, isOne) => expect(isAccident(output)).toBe(isOne));
