import { expect, test } from 'vitest';
import { configSchema } from '../../src/config-schema.ts';
import { readToolsFile } from '../../src/skill/tools-file.ts';
import { type JsonSchema, schemaFault, schemaFaults } from '../../src/text/json-schema.ts';

const ID = 'https://schemas.test/city';
const city = (): JsonSchema => ({ $id: ID, type: 'object', properties: { name: { type: 'string' } } });

const TOOLS = `tools:
  - name: weather
    description: Tells the weather.
    script: scripts/weather.py
    parameters:
      $id: ${ID}
      type: object
      properties: { city: { $id: "${ID}/name", type: string } }
`;

test('a tools.yaml that is read again keeps its tool', () => {
  const readings = [TOOLS, TOOLS, TOOLS.replace('Tells', 'Says')].map(readToolsFile);
  expect(readings.map(({ value, problems }) => [value.map(({ name }) => name), problems])).toEqual([
    [['weather'], []],
    [['weather'], []],
    [['weather'], []],
  ]);
});

test('schemas of one id are each held to their own form', () => {
  const other: JsonSchema = { $id: ID, type: 'object', properties: { name: { type: 'number' } } };
  expect([city(), other, city()].map((schema) => schemaFaults(schema, { name: 'Bern' }))).toEqual([
    [],
    ['name must be number'],
    [],
  ]);
});

test('no schema refers to what another one defines', () => {
  expect(
    schemaFault({ properties: { a: { $id: 'https://schemas.test/inner', type: 'string' } } }),
  ).toBeUndefined();
  expect(schemaFault({ properties: { b: { $ref: 'https://schemas.test/inner' } } })).toMatch(
    /can't resolve reference/,
  );
});

test.each<[title: string, schema: JsonSchema, value: unknown, faults: string[]]>([
  [
    'of a newer dialect',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' },
    1,
    ['the value must be string'],
  ],
  [
    'that takes a schema',
    { $ref: 'http://json-schema.org/draft-07/schema#' },
    { type: 1 },
    [
      'type must be equal to one of the allowed values (["array","boolean","integer","null","number","object","string"])',
      'type must be array',
      'type must match a schema in anyOf',
    ],
  ],
  [
    'that refers to its own parts',
    { $defs: { n: { type: 'integer' } }, items: { $ref: '#/$defs/n' } },
    [1, 'x'],
    ['1 must be integer'],
  ],
])('a schema %s is used', (_, schema, value, faults) => {
  expect(schemaFaults(schema, value)).toEqual(faults);
});

test('what every object inherits is nothing that was given', () => {
  const names = ['constructor', 'toString', '__proto__'];
  expect(schemaFaults({ type: 'object', required: names }, {})).toEqual(
    names.map((name) => `the value must have required property '${name}'`),
  );
  expect(schemaFaults({ required: ['constructor'] }, { constructor: 'Bau AG' })).toEqual([]);
});

test.each<[title: string, schema: JsonSchema, fault: RegExp]>([
  ['of no form', { type: 'text' }, /schema is invalid: data\/type must be equal/],
  ['that answers later', { $async: true, type: 'string' }, /\$async is not supported/],
])('a schema %s is unusable', (_, schema, fault) => {
  expect(schemaFault(schema)).toMatch(fault);
});

test.each(['^(\\w+\\s?)*$', '(a+)+', '^(?:[a-z]*)*x', '((a|b+)c?){2,}$'])(
  'a tool whose schema has the pattern %s, which may take for ever, is refused with it',
  (pattern) => {
    const text = TOOLS.replace(
      '{ $id: "https://schemas.test/city/name", type: string }',
      JSON.stringify({ pattern }),
    );
    const { value, problems } = readToolsFile(text);
    expect([value, problems.map(({ rule, severity }) => [rule, severity])]).toEqual([
      [],
      [['tools-file', 'error']],
    ]);
    expect(problems[0]?.message).toContain(`the pattern ${pattern} repeats what is repeated`);
    expect(schemaFault({ patternProperties: { [pattern]: { type: 'string' } } })).toContain(
      'repeats what is repeated',
    );
  },
);

test.each(['^[a-z0-9]+(-[a-z0-9]+)*$', '^(\\d+\\.)*\\d+$', '^\\([a+]+\\)+$'])(
  'a pattern whose rounds are told apart is kept: %s',
  (pattern) => expect(schemaFault({ pattern })).toBeUndefined(),
);

test('a pattern that takes too long all the same is a fault of the value, as is a text that is too long for one', () => {
  expect(schemaFaults({ pattern: '^(a|a)*$' }, `${'a'.repeat(60)}!`)).toEqual([
    'the expression ^(a|a)*$ takes too long; write it without nested repetition',
  ]);
  expect(schemaFaults({ pattern: '^a' }, 'a'.repeat(100_001))).toEqual([
    'a text of 100001 characters is too long for the pattern ^a',
  ]);
  expect(schemaFaults({ pattern: '^a+b+$' }, 'aab')).toEqual([]);
});

test('a schema of our own, whose form is not looked at in use, is a sound one', () => {
  expect(schemaFault({ ...configSchema })).toBeUndefined();
  expect(schemaFault({ ...configSchema, type: 'objekt' })).toContain('schema is invalid');
});
