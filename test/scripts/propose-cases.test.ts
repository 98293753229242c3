import { expect, test } from 'vitest';
import { proposeCases } from '../../src/scripts/propose-cases.ts';
import type { Skill } from '../../src/skill/skill.ts';
import type { JsonSchema } from '../../src/text/json-schema.ts';
import { schemaFaults } from '../../src/text/json-schema.ts';
import { callableSkills } from '../support/callable-skills.ts';

/** A skill with one tool of this schema. */
async function skillWith(parameters: JsonSchema): Promise<Skill> {
  const tools = [{ name: 'add', description: 'Adds.', script: 's.sh', parameters }];
  const skill = (await callableSkills({ sums: { 'tools.yaml': JSON.stringify({ tools }) } })).skill('sums');
  expect(skill.problems).toEqual([]);
  return skill;
}

const REFUSED = { status: 'error', error_type: 'invalid_params' };

test('for each tool one case with examples, and for each required parameter one without and one of a wrong type', async () => {
  const skill = await skillWith({
    type: 'object',
    required: ['a', 'any'],
    properties: { a: { type: 'number', minimum: 3 }, b: { type: 'string' }, any: {} },
  });
  expect(proposeCases(skill)).toEqual([
    { name: 'add answers', tool: 'add', params: { a: 3, any: 'example' }, expect: { status: 'success' } },
    { name: 'add refuses a call without a', tool: 'add', params: { any: 'example' }, expect: REFUSED },
    {
      name: 'add refuses a call with a of a wrong type',
      tool: 'add',
      params: { a: { wrong: true }, any: 'example' },
      expect: REFUSED,
    },
    { name: 'add refuses a call without any', tool: 'add', params: { a: 3 }, expect: REFUSED },
  ]);
});

const EXAMPLES: [title: string, schema: JsonSchema, example: unknown][] = [
  ['a constant', { const: 4 }, 4],
  ['a default', { type: 'integer', default: 7 }, 7],
  ['an example of its own', { type: 'string', examples: ['2024-01'] }, '2024-01'],
  ['one of several', { enum: ['b', 'a'] }, 'b'],
  ['a number in bounds', { type: 'number', maximum: -2 }, -2],
  ['a number above a bound', { type: 'integer', exclusiveMinimum: 4 }, 5],
  ['a long text', { type: 'string', minLength: 9 }, 'examplexx'],
  ['a short text', { type: 'string', maxLength: 2 }, 'ex'],
  ['a list', { type: 'array', minItems: 2, items: { type: 'boolean' } }, [true, true]],
  ['a map in a map', { type: 'object', required: ['x'], properties: { x: { type: 'null' } } }, { x: null }],
  ['the first of several types', { type: ['integer', 'null'] }, 1],
  ['the first of several schemas', { anyOf: [{ type: 'boolean' }, { type: 'string' }] }, true],
];

test.each(EXAMPLES)('the example of %s is valid', async (_, schema, example) => {
  const parameters = { type: 'object', required: ['x'], properties: { x: schema } };
  const [answers, ...refusals] = proposeCases(await skillWith(parameters));
  expect(answers).toEqual({
    name: 'add answers',
    tool: 'add',
    params: { x: example },
    expect: { status: 'success' },
  });
  expect(refusals.length).toBeGreaterThan(0);
  for (const { params } of refusals) expect(schemaFaults(parameters, params)).not.toEqual([]);
});

test('an example that cannot be guessed is said to be one to fill in', async () => {
  const parameters = {
    type: 'object',
    required: ['x'],
    properties: { x: { pattern: '^[0-9]{4}$', type: 'string' } },
  };
  expect(proposeCases(await skillWith(parameters)).map(({ name }) => name)).toEqual([
    'add answers (put parameters in that its schema takes)',
    'add refuses a call without x',
    'add refuses a call with x of a wrong type',
  ]);
});
