import type { Skill, SkillTestCase, SkillToolSpec } from '../skill/skill.ts';
import { type JsonSchema, schemaFaults } from '../text/json-schema.ts';

type Params = Record<string, unknown>;

/**
 * Cases to start from, made from the schemas alone: for each tool one that gives an example of every required parameter,
 * and for each required parameter one that leaves it out and one that gives it in a wrong type, as far as the schema
 * refuses that. An example that the schema does not take is said to be one to fill in.
 */
export function proposeCases(skill: Skill): SkillTestCase[] {
  return skill.tools.flatMap((tool) => {
    const required = requiredOf(tool.parameters);
    const params = exampleOfObject(tool.parameters, 0) as Params;
    const isSound = schemaFaults(tool.parameters, params).length === 0;
    const answers = {
      name: isSound
        ? `${tool.name} answers`
        : `${tool.name} answers (put parameters in that its schema takes)`,
      tool: tool.name,
      params,
      expect: { status: 'success' },
    };
    return [answers, ...required.flatMap((key) => refusals(tool, key, params))];
  });
}

function refusals(tool: SkillToolSpec, key: string, params: Params): SkillTestCase[] {
  const { [key]: example, ...others } = params;
  const candidates: readonly (readonly [string, Params])[] = [
    [`without ${key}`, others],
    [
      `with ${key} of a wrong type`,
      { ...params, [key]: typeof example === 'object' ? 'text' : { wrong: true } },
    ],
  ];
  return candidates
    .filter(([, wrong]) => schemaFaults(tool.parameters, wrong).some((fault) => fault.includes(key)))
    .map(([what, wrong]) => ({
      name: `${tool.name} refuses a call ${what}`,
      tool: tool.name,
      params: wrong,
      expect: { status: 'error', error_type: 'invalid_params' },
    }));
}

const DEEPEST = 5;

function exampleOf(schema: unknown, depth: number): unknown {
  if (!isSchema(schema) || depth > DEEPEST) return 'example';
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  for (const key of ['examples', 'enum']) {
    const [first] = listAt(schema, key);
    if (first !== undefined) return first;
  }
  const [choice] = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  if (choice !== undefined) return exampleOf(choice, depth + 1);
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return exampleOfNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: Math.min(numberAt(schema, 'minItems') ?? 0, 3) }, () =>
        exampleOf(schema['items'], depth + 1),
      );
    case 'object':
      return exampleOfObject(schema, depth);
    default:
      return exampleOfText(schema);
  }
}

function exampleOfObject(schema: JsonSchema, depth: number): unknown {
  const properties = schema['properties'];
  const known = isSchema(properties) ? properties : {};
  return Object.fromEntries(
    requiredOf(schema).map((key) => [key, exampleOf(Object.hasOwn(known, key) ? known[key] : {}, depth + 1)]),
  );
}

function exampleOfNumber(schema: JsonSchema): number {
  const least = numberAt(schema, 'minimum');
  const above = numberAt(schema, 'exclusiveMinimum');
  const most = numberAt(schema, 'maximum') ?? numberAt(schema, 'exclusiveMaximum');
  const start = least ?? (above === undefined ? 1 : above + 1);
  return most !== undefined && start > most ? most : start;
}

function exampleOfText(schema: JsonSchema): string {
  const [least = 0, most = Number.POSITIVE_INFINITY] = ['minLength', 'maxLength'].map((key) =>
    numberAt(schema, key),
  );
  return 'example'.padEnd(Math.min(least, 1000), 'x').slice(0, Math.max(most, 0));
}

function typeOf(schema: JsonSchema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type[0];
  return type ?? ('properties' in schema ? 'object' : 'items' in schema ? 'array' : 'string');
}

function requiredOf(schema: JsonSchema): string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

function listAt(schema: JsonSchema, key: string): readonly unknown[] {
  const value = schema[key];
  return Array.isArray(value) ? value : [];
}

function numberAt(schema: JsonSchema, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
