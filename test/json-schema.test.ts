import { expect, test } from 'vitest';
import { type JsonSchema, schemaFault, schemaFaults } from '../src/json-schema.ts';
import { readToolsFile } from '../src/skill/tools-file.ts';

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

test.each<[title: string, schema: JsonSchema, fault: RegExp]>([
  ['of no form', { type: 'text' }, /schema is invalid: data\/type must be equal/],
  ['that answers later', { $async: true, type: 'string' }, /\$async is not supported/],
])('a schema %s is unusable', (_, schema, fault) => {
  expect(schemaFault(schema)).toMatch(fault);
});
