import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

/** A JSON Schema object as it stands in a file or a tool definition. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const OPTIONS = { allErrors: true, strict: false, validateFormats: false };
const DRAFT_7 = 'http://json-schema.org/draft-07/schema';
/** Knows the form of schemas; compiles none. */
const forms = new Ajv(OPTIONS);
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
  // The dialect is ours to choose, and what an asynchronous schema answers is no verdict yet.
  const { $schema: _, $async, ...own } = schema;
  if ($async !== undefined) throw new Error('$async is not supported');
  if (!forms.validateSchema(own)) throw new Error(`schema is invalid: ${forms.errorsText()}`);
  // Schemas come from many files: one that shares an instance with others would collide with their ids or refer to them.
  const ajv = new Ajv({ ...OPTIONS, meta: false, validateSchema: false });
  ajv.addSchema(forms.getSchema(DRAFT_7)?.schema ?? {}, DRAFT_7);
  const check = ajv.compile(own);
  compiled.set(schema, check);
  return check;
}

function describe(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'the value' : error.instancePath.slice(1).replaceAll('/', '.');
  const extra = error.params['additionalProperty'] ?? error.params['allowedValues'];
  return `${where} ${error.message ?? 'is invalid'}${extra === undefined ? '' : ` (${JSON.stringify(extra)})`}`;
}
