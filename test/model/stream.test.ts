import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAssembler } from '../../src/model/stream.ts';

interface Piece {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly args?: unknown;
}

function assemble(chunks: readonly unknown[]) {
  const assembler = createAssembler(() => undefined);
  for (const chunk of chunks) assembler.add(chunk);
  return assembler.result();
}

const chunkOf = ({ index, id, name, args }: Piece) => ({
  choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: args } }] } }],
});

const CALLS: [title: string, pieces: Piece[], calls: [id: string, name: string, args: string][]][] = [
  [
    'two calls, interleaved by index',
    [
      { index: 0, id: 'x', name: 'add', args: '{"a"' },
      { index: 1, id: 'y', name: 'add', args: '{"a":2' },
      { index: 0, args: ':1}' },
      { index: 1, args: '}' },
    ],
    [
      ['x', 'add', '{"a":1}'],
      ['y', 'add', '{"a":2}'],
    ],
  ],
  [
    'two calls with index 0, interleaved by id',
    [
      { index: 0, id: 'x', name: 'add', args: '{"a"' },
      { index: 0, id: 'y', name: 'add', args: '{"a":2' },
      { index: 0, id: 'x', args: ':1}' },
      { index: 0, id: 'y', args: '}' },
    ],
    [
      ['x', 'add', '{"a":1}'],
      ['y', 'add', '{"a":2}'],
    ],
  ],
  [
    'two calls with index 0 and fragments without an id',
    [
      { index: 0, id: 'x', name: 'add', args: '{"a"' },
      { index: 0, args: ':1}' },
      { index: 0, id: 'y', name: 'add', args: '' },
      { index: 0, args: '{"a":2}' },
    ],
    [
      ['x', 'add', '{"a":1}'],
      ['y', 'add', '{"a":2}'],
    ],
  ],
  [
    'two calls without index and id',
    [
      { name: 'add', args: '{"a":1}' },
      { name: 'add', args: '{"a":2}' },
    ],
    [
      ['call_1', 'add', '{"a":1}'],
      ['call_2', 'add', '{"a":2}'],
    ],
  ],
  [
    'two tools with one index',
    [
      { index: 0, name: 'add', args: '' },
      { index: 0, name: 'take', args: '' },
    ],
    [
      ['call_1', 'add', ''],
      ['call_2', 'take', ''],
    ],
  ],
  [
    'one call whose id and name come with every fragment',
    [
      { index: 0, id: 'x', name: 'add', args: '{"a"' },
      { index: 0, id: 'x', name: 'add', args: ':{}}' },
      { index: 0, id: 'x', name: 'add', args: '' },
    ],
    [['x', 'add', '{"a":{}}']],
  ],
  ['arguments as a value', [{ index: 0, id: 'x', name: 'add', args: { a: 1 } }], [['x', 'add', '{"a":1}']]],
  ['malformed arguments, as they are', [{ id: 'x', name: 'add', args: '{"a":' }], [['x', 'add', '{"a":']]],
];

test.each(CALLS)('keeps apart %s', (_, pieces, calls) => {
  expect(assemble(pieces.map(chunkOf)).toolCalls.map((call) => [call.id, call.name, call.arguments])).toEqual(
    calls,
  );
});

test('any calls, cut anywhere and all with index 0, come out as they went in', () => {
  const name = fc.constantFrom('add', 'take', 'read');
  const call = fc.record({
    name,
    args: fc.dictionary(fc.string(), fc.jsonValue()),
    size: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 5 }), (wanted) => {
      const pieces = wanted.flatMap(({ name, args, size }, number) => {
        const text = JSON.stringify(args);
        const cuts = Array.from({ length: Math.ceil(text.length / size) }, (_, cut) =>
          text.slice(cut * size, (cut + 1) * size),
        );
        return cuts.map((part, cut) => ({
          index: 0,
          args: part,
          ...(cut === 0 ? { id: `id_${number}`, name } : {}),
        }));
      });
      expect(assemble(pieces.map(chunkOf)).toolCalls).toEqual(
        wanted.map(({ name, args }, number) => ({
          id: `id_${number}`,
          name,
          arguments: JSON.stringify(args),
        })),
      );
    }),
  );
});

describe('odd chunks', () => {
  test('without choices or delta are passed over, and their usage is read', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 6 };
    const { content, finish, promptTokens, completionTokens } = assemble([
      null,
      'text',
      {},
      { choices: null },
      { choices: [] },
      { choices: [{}] },
      { choices: [{ delta: null }] },
      { choices: [{ delta: { content: 'x', tool_calls: null } }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage },
    ]);
    expect({ content, finish, promptTokens, completionTokens }).toEqual({
      content: 'x',
      finish: 'stop',
      promptTokens: 5,
      completionTokens: 6,
    });
  });

  test.each([[{ prompt_tokens: 0 }], [{ prompt_tokens: 'many' }], [{ prompt_tokens: null }], [{}]])(
    'with usage %j have not counted',
    (usage) => {
      expect(assemble([{ usage }]).promptTokens).toBeUndefined();
    },
  );

  test('with the text as a list of parts give the text alone', () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'yes' },
    ];
    expect(assemble([{ choices: [{ delta: { content } }] }]).content).toBe('yes');
  });

  test('never throw', () => {
    const delta = fc.record({ content: fc.jsonValue(), tool_calls: fc.jsonValue(), other: fc.jsonValue() });
    const chunk = fc.record({ choices: fc.array(fc.record({ delta })), usage: fc.jsonValue() });
    fc.assert(
      fc.property(fc.array(fc.oneof(chunk, fc.jsonValue())), (chunks) => {
        expect(typeof assemble(chunks).content).toBe('string');
      }),
    );
  });
});
