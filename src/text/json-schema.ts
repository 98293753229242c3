import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { KnackError } from '../errors.ts';
import { createMatcher, hasNestedRepetition } from './regular-expression.ts';

/** A JSON Schema object as it stands in a file or a tool definition. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Longer texts are not held against a pattern. */
const LONGEST_MATCHED = 100_000;
const OPTIONS = { allErrors: true, strict: false, validateFormats: false, ownProperties: true };
const DRAFT_7 = 'http://json-schema.org/draft-07/schema';
/** Knows the form of schemas; compiles none. */
let forms: Ajv | undefined;
const compiled = new WeakMap<object, ValidateFunction>();
const own = new WeakSet<object>();

/**
 * Marks a schema that stands in our own code and refers to no other: its form is not looked at, which takes longer than
 * all else of a start.
 */
export function ownSchema(schema: JsonSchema): JsonSchema {
  own.add(schema);
  return schema;
}

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
  try {
    if (check(value)) return [];
  } catch (error) {
    // A pattern that took too long, or a text too long for one.
    if (error instanceof KnackError && error.code === 'refused') return [error.message];
    throw error;
  }
  return (check.errors ?? []).map(describe);
}

function compile(schema: JsonSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  // Schemas come from many files: one that shares an instance with others would collide with their ids or refer to them.
  const ajv = new Ajv({
    ...OPTIONS,
    meta: false,
    validateSchema: false,
    code: { regExp: Object.assign(guardedPattern, { code: 'guardedPattern' }) },
  });
  const check = ajv.compile(own.has(schema) ? schema : sound(schema, ajv));
  compiled.set(schema, check);
  return check;
}

/** What is to be compiled of a schema of somebody else's; throws where it is none. It may refer to the form of schemas. */
function sound(schema: JsonSchema, ajv: Ajv): JsonSchema {
  // The dialect is ours to choose, and what an asynchronous schema answers is no verdict yet.
  const { $schema: _, $async, ...rest } = schema;
  if ($async !== undefined) throw new Error('$async is not supported');
  forms ??= new Ajv(OPTIONS);
  if (!forms.validateSchema(rest)) throw new Error(`schema is invalid: ${forms.errorsText()}`);
  ajv.addSchema(forms.getSchema(DRAFT_7)?.schema ?? {}, DRAFT_7);
  return rest;
}

/** A `pattern` as somebody else's schema has it: refused where it is unsafe by its form, stopped where it takes long. */
function guardedPattern(pattern: string, flags: string): { test(text: string): boolean } {
  if (hasNestedRepetition(pattern))
    throw new Error(`the pattern ${pattern} repeats what is repeated, which may take for ever to match`);
  const expression = new RegExp(pattern, flags);
  let match: ReturnType<typeof createMatcher> | undefined;
  // Without groups, one repetition at most is matched in a time that grows with the square of the text at worst.
  const isSimple = !pattern.includes('(') && (pattern.match(/[*+{]/g) ?? []).length <= 1;
  return {
    test(text) {
      if (text.length > LONGEST_MATCHED)
        throw new KnackError(
          'refused',
          `a text of ${text.length} characters is too long for the pattern ${pattern}`,
        );
      if (isSimple && text.length <= 1000) return expression.test(text);
      match ??= createMatcher(expression);
      return match([text]).length > 0;
    },
  };
}

function describe(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'the value' : error.instancePath.slice(1).replaceAll('/', '.');
  const extra = error.params['additionalProperty'] ?? error.params['allowedValues'];
  return `${where} ${error.message ?? 'is invalid'}${extra === undefined ? '' : ` (${JSON.stringify(extra)})`}`;
}
