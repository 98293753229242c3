import { expect, test } from 'vitest';
import { createApproval } from '../../src/tool/approval.ts';
import { RESULT_LIMIT, runTool } from '../../src/tool/run-tool.ts';
import type { Tool } from '../../src/tool/tool.ts';

const parameters = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: { text: { type: 'string' } },
};
const echo: Tool = {
  name: 'echo',
  description: 'says it again',
  parameters,
  effect: 'read',
  run: (args) => Promise.resolve({ text: String(args['text']), isError: false }),
};
const breaks: Tool = {
  name: 'breaks',
  description: 'fails',
  parameters: { type: 'object' },
  effect: 'read',
  run: () => {
    throw new Error('the disk is on fire');
  },
};
const flood: Tool = {
  ...breaks,
  name: 'flood',
  run: () => Promise.resolve({ text: 'x'.repeat(200_000), isError: false }),
};
const badSchema: Tool = { ...echo, name: 'bad_schema', parameters: { type: 'no-such-type' } };
const writes: Tool = { ...echo, name: 'writes', effect: 'write' };
const tools = [echo, breaks, flood, badSchema, writes];

function run(name: string, args: string, signal = new AbortController().signal) {
  return runTool(tools, { id: 'c1', name, arguments: args }, { cwd: '/', signal }, createApproval([]));
}

const form = `Expected a JSON object of this form: ${JSON.stringify(parameters)}`;

test.each([
  ['echo', '{"text":"hello"}', { text: 'hello', isError: false }],
  [
    'echo',
    '{"text":1}',
    { text: `Not run: echo: text must be string. ${form}`, isError: true, notRun: 'invalid' },
  ],
  [
    'echo',
    '',
    {
      text: `Not run: echo: the value must have required property 'text'. ${form}`,
      isError: true,
      notRun: 'invalid',
    },
  ],
  [
    'echo',
    '["text"]',
    {
      text: `Not run: the arguments of echo are not valid: they are a list, not an object. ${form}`,
      isError: true,
      notRun: 'malformed',
    },
  ],
  [
    'echo',
    '"{}"',
    {
      text: `Not run: the arguments of echo are not valid: they are a string, not an object. ${form}`,
      isError: true,
      notRun: 'malformed',
    },
  ],
  [
    'echo',
    'null',
    {
      text: `Not run: the arguments of echo are not valid: they are null, not an object. ${form}`,
      isError: true,
      notRun: 'malformed',
    },
  ],
  [
    'ecko',
    '{}',
    {
      text: 'Not run: there is no tool "ecko"; there are echo, breaks, flood, bad_schema, writes',
      isError: true,
      notRun: 'unknown-tool',
    },
  ],
  ['breaks', '', { text: 'breaks failed: the disk is on fire', isError: true }],
  [
    'writes',
    '{"text":"a"}',
    {
      text: 'Not run: writes needs approval and nobody can be asked here. Whoever started this can allow it with --allow "writes"',
      isError: true,
      notRun: 'denied',
    },
  ],
])('%s called with %s', async (name, args, result) => {
  expect(await run(name, args)).toEqual(result);
});

test.each(['{"text":"a"', '{text: 1}', 'text', '{"text":"a"}{"text":"b"}'])(
  'malformed arguments %s do not run, and the answer shows the parameters',
  async (args) => {
    const result = await run('echo', args);
    expect({ ...result, text: result.text.endsWith(form) }).toEqual({
      text: true,
      isError: true,
      notRun: 'malformed',
    });
  },
);

test('a schema that is none is an error of the tool and not of the loop', async () => {
  expect((await run('bad_schema', '{}')).isError).toBe(true);
});

test('a long answer keeps its beginning and its end and says what is missing', async () => {
  const { text } = await run('flood', '{}');
  expect(text.length).toBeLessThan(RESULT_LIMIT + 200);
  expect(text).toContain('152000 of 200000 characters left out');
});

test('after an abort nothing runs', async () => {
  expect(await run('echo', '{"text":"a"}', AbortSignal.abort())).toEqual({
    text: 'Not run: stopped by the user',
    isError: true,
    notRun: 'aborted',
  });
});
