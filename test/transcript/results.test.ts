import { expect, test } from 'vitest';
import { type CallEvent, classifyResult } from '../../src/transcript/results.ts';

const ERRORS = "src/a.ts(3,1): error TS2304: Cannot find name 'x'.";

const CASES: [
  title: string,
  command: string,
  text: string,
  isError: boolean | undefined,
  expected: string,
][] = [
  ['a compiler that prints errors', 'npx tsc --noEmit', ERRORS, false, 'failure'],
  ['its errors picked out of a pipe', 'npx tsc 2>&1 | grep "a.ts" | head -40', ERRORS, false, 'failure'],
  ['errors in a log that is looked at', 'cat build.log | grep error', ERRORS, false, 'success'],
  [
    'errors in a log, in the last of several commands',
    'cd x && npm ci; cat build.log',
    ERRORS,
    false,
    'success',
  ],
  ['a search that found nothing', 'grep x b.ts', 'Command exited with code 1', true, 'unknown'],
  ['tests that passed', 'npm test 2>&1 | tail -5', '5 passed', undefined, 'success'],
];

test.each(CASES)('%s', (_, command, text, isError, expected) => {
  const call: CallEvent = {
    id: 'e1',
    ref: '1',
    role: 'assistant',
    kind: 'tool-call',
    toolName: 'bash',
    callId: 'c1',
    args: { command },
  };
  const result = {
    id: 'e2',
    ref: '2',
    role: 'tool',
    kind: 'tool-result',
    callId: 'c1',
    text,
    ...(isError === undefined ? {} : { isError }),
  } as const;
  expect(classifyResult(result, call)).toBe(expected);
});
