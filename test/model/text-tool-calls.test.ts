import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeTextCalls, looksLikePrintedCall, readTextCalls } from '../../src/model/text-tool-calls.ts';

const TOOLS = ['add', 'read_file'].map((name) => ({
  name,
  description: 'Does.',
  parameters: { type: 'object' },
}));

test('a model is told each tool with its parameters', () => {
  expect(describeTextCalls(TOOLS).split('\n').slice(-2)).toEqual([
    '- add: Does. Parameters: {"type":"object"}',
    '- read_file: Does. Parameters: {"type":"object"}',
  ]);
});

const TEXTS: [title: string, text: string, rest: string, calls: [name: string, args: string][]][] = [
  ['one line', 'tool: add({"a": 1})', '', [['add', '{"a": 1}']]],
  ['text around it', 'First.\ntool: add({"a": 1})\nThen.', 'First.\nThen.', [['add', '{"a": 1}']]],
  [
    'two calls',
    'tool: add({"a": 1})\n  tool: read_file({"path": "x"}).',
    '',
    [
      ['add', '{"a": 1}'],
      ['read_file', '{"path": "x"}'],
    ],
  ],
  ['many lines', 'tool: add({\n  "a": [1,\n 2]\n})\nok', 'ok', [['add', '{\n  "a": [1,\n 2]\n}']]],
  ['parentheses in a string', 'tool: add({"a": "f(\\")) {"})', '', [['add', '{"a": "f(\\")) {"}']]],
  [
    'a call within a string',
    'tool: add({"a": 1, "b": "\ntool: add({})"})',
    '',
    [['add', '{"a": 1, "b": "\ntool: add({})"}']],
  ],
  ['no arguments', 'tool: add()', '', [['add', '{}']]],
  ['CRLF', 'tool: add({})\r\nok', 'ok', [['add', '{}']]],
  ['a fence around it', 'So:\n```\ntool: add({})\n```', 'So:', [['add', '{}']]],
  ['arguments that do not close', 'tool: add({"a": 1\nrest', 'rest', [['add', '{"a": 1']]],
  ['a quote too many', 'tool: add({"a": "x""})\nrest', 'rest', [['add', '{"a": "x""}']]],
  ['an unknown tool', 'tool: rm({"a": 1})', 'tool: rm({"a": 1})', []],
  ['prose about a call', 'tool: add({}) adds.', 'tool: add({}) adds.', []],
  ['a call inside a sentence', 'I use tool: add({})', 'I use tool: add({})', []],
];

test.each(TEXTS)('reads %s', (_, text, rest, calls) => {
  expect(readTextCalls(text, TOOLS)).toEqual({
    text: rest,
    calls: calls.map(([name, args], index) => ({ id: `text_${index + 1}`, name, arguments: args })),
  });
});

test('reads back any arguments that were written by the protocol', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.boolean(), (wanted, wide) => {
      const written = wanted.map((args) => JSON.stringify(args, null, wide ? 2 : 0));
      const { calls } = readTextCalls(written.map((args) => `tool: add(${args})`).join('\n'), TOOLS);
      expect(calls.map((call) => call.arguments)).toEqual(written);
    }),
  );
});

describe('a printed call', () => {
  test.each([
    '<tool_call>\n{"name": "add"}\n</tool_call>',
    '<function=add><parameter=a>1</parameter></function>',
    '[TOOL_CALLS][{"name":"add","arguments":{}}]',
    '<|channel|>commentary to=functions.add',
    '{"name": "add", "arguments": {"a": 1}}',
    '```json\n{"type": "function", "name": "add", "parameters": {}}\n```',
    'I will.\ntool: add({"a": 1})',
  ])('is recognised: %s', (text) => {
    expect(looksLikePrintedCall(text, TOOLS)).toBe(true);
  });

  test.each([
    'I added 1.',
    '{"name": "rose", "arguments": {}}',
    '{"a": 1}',
    'tool: hammer (heavy)',
    'use add({"a": 1})',
  ])('is not seen in: %s', (text) => {
    expect(looksLikePrintedCall(text, TOOLS)).toBe(false);
  });

  test('needs tools that could have been called', () => {
    expect(looksLikePrintedCall('<tool_call>', [])).toBe(false);
  });
});
