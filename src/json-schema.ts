import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

/** A JSON Schema object as it stands in a file or a tool definition. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
const compiled = new WeakMap<object, ValidateFunction>();

/** What is wrong with the schema itself; undefined if it can be used. */
export function schemaFault(schema: JsonSchema): string | undefined {
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The faults of `value` under `schema`, one sentence each, empty if valid. Throws if the schema is unusable. */
export function schemaFaults(schema: JsonSchema, value: unknown): string[] {
  const check = compile(schema);
  if (check(value)) return [];
  return (check.errors ?? []).map(describe);
}

function compile(schema: JsonSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const check = ajv.compile(schema);
  compiled.set(schema, check);
  return check;
}

function describe(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'the value' : error.instancePath.slice(1).replaceAll('/', '.');
  const extra = error.params['additionalProperty'] ?? error.params['allowedValues'];
  return `${where} ${error.message ?? 'is invalid'}${extra === undefined ? '' : ` (${JSON.stringify(extra)})`}`;
}
