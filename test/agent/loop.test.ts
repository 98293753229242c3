import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tool } from '../../src/tool/tool.ts';
import { chunk, type Step } from '../support/scripted-model.ts';
import { bad, ok, scriptedTurn, toolOf } from './scripted-turn.ts';

const call = (name: string, args: unknown = {}, id?: string) => ({
  name,
  arguments: args,
  ...(id === undefined ? {} : { id }),
});
const calls = (...toolCalls: ReturnType<typeof call>[]): Step => ({ toolCalls });
const fails = toolOf('fails', () => bad('no such thing'));
const look = toolOf('look', (args) => ok(`seen ${JSON.stringify(args)}`));

const results = (turn: { messages: readonly { role: string; content: string }[] }) =>
  turn.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
const notes = (turn: { events: readonly { type: string }[] }) =>
  turn.events.flatMap((event) => ('reason' in event ? [event.reason] : []));

test('an answer ends the turn and has streamed before', async () => {
  const turn = await scriptedTurn([
    { text: 'Hello there, this is an answer that comes in more than one piece.' },
  ]);
  expect(turn.outcome.stop).toBe('answer');
  const streamed = turn.events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  expect(streamed.length).toBeGreaterThan(1);
  expect(streamed.join('')).toBe(turn.outcome.text);
  expect(turn.outcome).not.toHaveProperty('problem');
});

test('results go back to the model with the ids of their calls', async () => {
  const turn = await scriptedTurn(
    [calls(call('look', { n: 1 }, 'a'), call('look', { n: 2 }, 'b')), { text: 'Seen.' }],
    {
      tools: [look],
    },
  );
  expect(turn.requests[1]?.messages.slice(2)).toEqual([
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'look', arguments: '{"n":1}' } },
        { id: 'b', type: 'function', function: { name: 'look', arguments: '{"n":2}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'seen {"n":1}' },
    { role: 'tool', tool_call_id: 'b', content: 'seen {"n":2}' },
  ]);
});

test('ids that a server uses again are made fresh', async () => {
  const turn = await scriptedTurn(
    [calls(call('look', { n: 1 }, 'call_0')), calls(call('look', { n: 2 }, 'call_0')), { text: 'Seen.' }],
    { tools: [look] },
  );
  expect(turn.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))).toEqual([
    'call_0',
    'call_0_2',
  ]);
});

test('calls that only read run at once, others one after the other', async () => {
  for (const [effect, atOnce] of [
    ['read', 3],
    ['write', 1],
    ['execute', 1],
  ] as const) {
    let open = 0;
    let most = 0;
    const slow = toolOf(
      'slow',
      async () => {
        most = Math.max(most, ++open);
        await new Promise(setImmediate);
        open--;
        return ok('');
      },
      effect,
    );
    await scriptedTurn(
      [calls(call('slow', { n: 1 }), call('slow', { n: 2 }), call('slow', { n: 3 })), { text: 'Seen.' }],
      {
        tools: [slow],
      },
    );
    expect(most).toBe(atOnce);
  }
});

test('malformed arguments are asked for again at most twice, while valid calls beside them run', async () => {
  const seen: unknown[] = [];
  const tool = toolOf('look', (args) => {
    seen.push(args);
    return ok('seen');
  });
  const step = (n: number) => calls(call('look', '{"n": oops', `bad${n}`), call('look', { n }, `good${n}`));
  const turn = await scriptedTurn([step(1), step(2), step(3)], { tools: [tool] });
  expect(turn.outcome.stop).toBe('stuck');
  expect(turn.outcome.problem).toBe('the model wrote malformed arguments 3 times in a row');
  expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('arguments that are nested deeply are malformed, and the turn goes on', async () => {
  const deep = `{"path":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  const turn = await scriptedTurn([calls(call('look', deep)), { text: 'I will not.' }], { tools: [look] });
  expect(turn.outcome).toMatchObject({ stop: 'answer', text: 'I will not.' });
  expect(results(turn)[0]).toMatch(/^Not run: .*not valid: it is nested deeper than 200 levels/);
});

test('malformed arguments stand in the history as valid JSON', async () => {
  const turn = await scriptedTurn([calls(call('look', '{"n": oops')), { text: 'I will not.' }], {
    tools: [look],
  });
  expect(turn.messages[2]).toMatchObject({ toolCalls: [{ arguments: '{"malformed":"{\\"n\\": oops"}' }] });
  expect(results(turn)[0]).toMatch(/^Not run: the arguments of look are not valid: .*Expected a JSON object/);
});

test('a call that failed twice is not run a third time, and a fourth ends the turn', async () => {
  let runs = 0;
  const tool = toolOf('fails', () => {
    runs++;
    return bad('no such thing');
  });
  const step = (n: number) => calls(call('fails', { n: 1 }, `c${n}`));
  const turn = await scriptedTurn([step(1), step(2), step(3), step(4)], { tools: [tool] });
  expect(runs).toBe(2);
  expect(results(turn).slice(0, 2)).toEqual(['no such thing', 'no such thing']);
  expect(results(turn)[2]).toMatch(/^Not run: this same call failed 2 times, and nothing was changed since/);
  expect(turn.outcome.stop).toBe('stuck');
});

test('a failing call may come again after something was changed', async () => {
  let runs = 0;
  const check = toolOf(
    'check',
    () => {
      runs++;
      return runs < 4 ? bad('red') : ok('green');
    },
    'execute',
  );
  const edit = toolOf('edit', () => ok('changed'), 'write');
  const round = [calls(call('check')), calls(call('edit'))];
  const turn = await scriptedTurn([...round, ...round, ...round, calls(call('check')), { text: 'Done.' }], {
    tools: [check, edit],
  });
  expect([runs, turn.outcome.stop]).toEqual([4, 'answer']);
});

test('success claimed after errors is questioned once', async () => {
  const turn = await scriptedTurn(
    [calls(call('fails')), { text: 'Done, all is fixed.' }, { text: 'Done, really.' }],
    {
      tools: [fails],
    },
  );
  expect(notes(turn)).toEqual(['unproven-success']);
  expect(turn.outcome).toMatchObject({ stop: 'answer', text: 'Done, really.' });
  expect(turn.requests[2]?.messages.at(-1)).toEqual({
    role: 'user',
    content:
      'The last tool results were errors, yet your answer reports success. Check it with a tool, or say plainly what failed.',
  });
});

test.each([
  [
    'an answer that owns up to the failure',
    [calls(call('fails')), { text: 'It is not fixed: the call failed.' }],
  ],
  ['success after a later call went well', [calls(call('fails')), calls(call('look')), { text: 'Done.' }]],
  ['success where one of several reads failed', [calls(call('fails'), call('look')), { text: 'Done.' }]],
])('%s is not questioned', async (_, steps) => {
  const turn = await scriptedTurn(steps as Step[], { tools: [fails, look] });
  expect([notes(turn), turn.outcome.stop]).toEqual([[], 'answer']);
});

test('a call that was printed as text is asked for once as a real one', async () => {
  const turn = await scriptedTurn(
    [
      { text: '<tool_call>{"name":"look","arguments":{}}</tool_call>' },
      calls(call('look')),
      { text: 'Seen.' },
    ],
    { tools: [look] },
  );
  expect([notes(turn), results(turn), turn.outcome.stop]).toEqual([['printed-call'], ['seen {}'], 'answer']);
});

test('an empty answer is asked for once more and is no answer then', async () => {
  const turn = await scriptedTurn([{ text: '' }, { text: '' }]);
  expect([notes(turn), turn.outcome.stop]).toEqual([['empty-answer'], 'model-error']);
});

test('an answer cut by the token limit is not taken as whole', async () => {
  const turn = await scriptedTurn([{ text: 'The first half of', finish: 'length' }]);
  expect(turn.outcome).toMatchObject({
    stop: 'length',
    text: 'The first half of',
    problem: 'the answer was cut by the token limit and is not whole',
  });
});

test('no call of a message cut by the token limit runs; a second cut ends the turn', async () => {
  const cut: Step = {
    raw: [
      chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'look', arguments: '{}' } }] }),
      chunk({}, 'length'),
      'data: [DONE]\n\n',
    ],
  };
  let runs = 0;
  const tool = toolOf('look', () => {
    runs++;
    return ok('seen');
  });
  const turn = await scriptedTurn([cut, cut], { tools: [tool] });
  expect([runs, turn.outcome.stop]).toEqual([0, 'length']);
  expect(results(turn)).toHaveLength(2);
});

test('an answer withheld by a filter ends the turn with that reason', async () => {
  const turn = await scriptedTurn([
    { raw: [chunk({ content: 'I' }), chunk({}, 'content_filter'), 'data: [DONE]\n\n'] },
  ]);
  expect(turn.outcome).toMatchObject({
    stop: 'model-error',
    problem: 'the provider withheld the answer: its filter objected',
  });
});

test('a failing model ends the turn with its message', async () => {
  const turn = await scriptedTurn([{ status: 401, error: { error: { message: 'bad key' } } }]);
  expect(turn.outcome.stop).toBe('model-error');
  expect(turn.outcome.problem).toContain('bad key');
  expect(turn.events.at(-1)).toMatchObject({ type: 'turn-end', stop: 'model-error' });
});

test('limits end the turn by name and say what to do', async () => {
  const steps = [calls(call('look', { n: 1 })), calls(call('look', { n: 2 }))];
  const byTurns = await scriptedTurn(steps, { tools: [look], limits: { maxTurns: 2 } });
  expect(byTurns.outcome).toMatchObject({
    stop: 'turn-limit',
    problem: expect.stringContaining('after 2 model calls'),
  });
  const byTokens = await scriptedTurn(steps.slice(0, 1), { tools: [look], limits: { maxTokens: 10 } });
  expect(byTokens.outcome).toMatchObject({ stop: 'token-limit', problem: expect.stringContaining('go on') });
});

test('a full context window ends the turn before the server would refuse it', async () => {
  const flood = toolOf('flood', () => ok('word '.repeat(2000)));
  const turn = await scriptedTurn([calls(call('flood'))], {
    tools: [flood],
    limits: { contextTokens: 2000 },
  });
  expect(turn.outcome).toMatchObject({
    stop: 'context-limit',
    problem: expect.stringContaining('begin a new session'),
  });
});

test.each(['message', 'tool-start', 'tool-end', 'turn-end'])(
  'a log that fails at %s ends the turn with its error, and each call is answered',
  async (type) => {
    const steps = [
      calls(call('look', { n: 1 }), call('look', { n: 2 })),
      ...(type === 'turn-end' ? [{ text: 'Seen.' }] : []),
    ];
    const turn = scriptedTurn(steps, {
      tools: [look],
      onEvent: (event) => {
        if (event.type === type) throw new Error('no space left');
      },
    });
    await expect(turn).rejects.toThrow('no space left');
  },
);

test('an abort while the answer streams keeps what was seen', async () => {
  const stop = new AbortController();
  const turn = await scriptedTurn([{ raw: [chunk({ content: 'The first' })], ending: 'hang' }], {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type === 'text') stop.abort();
    },
  });
  expect(turn.outcome).toMatchObject({ stop: 'aborted', text: 'The first' });
  expect(turn.messages.at(-1)).toEqual({ role: 'assistant', content: 'The first' });
  expect(turn.events.at(-2)).toMatchObject({ type: 'message', finish: 'interrupted' });
});

test('an abort during a call stops the rest and leaves each call answered', async () => {
  const stop = new AbortController();
  const stops = toolOf(
    'stops',
    () => {
      stop.abort();
      return ok('stopping');
    },
    'execute',
  );
  const turn = await scriptedTurn([calls(call('stops', { n: 1 }), call('stops', { n: 2 }))], {
    tools: [stops],
    signal: stop.signal,
  });
  expect([results(turn), turn.outcome.stop]).toEqual([
    ['stopping', 'Not run: stopped by the user'],
    'aborted',
  ]);
});

test('an abort before the turn asks nothing', async () => {
  const turn = await scriptedTurn([], { signal: AbortSignal.abort() });
  expect([turn.outcome.stop, turn.requests]).toEqual(['aborted', []]);
});

test('whatever the model does and whenever it is stopped, every call is answered', async () => {
  const tools: Tool[] = [look, fails, toolOf('change', () => ok('changed'), 'write')];
  const anyCall = fc.record({
    name: fc.constantFrom('look', 'fails', 'change', 'unknown'),
    arguments: fc.constantFrom('{}', '{"n":1}', '{"n":"x"}', '{"n"', '[]', ''),
    id: fc.constantFrom('a', 'b', 'call_0', ''),
  });
  const step = fc.oneof(
    fc.record({ toolCalls: fc.array(anyCall, { minLength: 1, maxLength: 4 }) }),
    fc.record({ text: fc.constantFrom('Done.', 'It failed.', '') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 5 }), fc.nat(12), async (steps, stopAt) => {
      const stop = new AbortController();
      let seen = 0;
      // Steps that are left over are taken by requests of another turn, so the script ends in enough answers.
      const script: Step = { answer: () => (steps.shift() as Step | undefined) ?? { text: 'The end.' } };
      const server = Array.from({ length: 12 }, () => script);
      await scriptedTurn(server, {
        tools,
        limits: { maxTurns: 8 },
        signal: stop.signal,
        onEvent: () => {
          if (seen++ === stopAt) stop.abort();
        },
      }).catch((error: Error) => {
        if (!/steps were not used/.test(error.message)) throw error;
      });
    }),
    { numRuns: 40 },
  );
});
