import { parseDocument, visit } from 'yaml';
import type { Problem } from '../errors.ts';
import { type JsonSchema, schemaFault, schemaFaults } from '../text/json-schema.ts';
import { chainFault } from './chain-faults.ts';
import type { ChainStep, SkillToolSpec } from './skill.ts';
import type { YamlMapping } from './yaml-mapping.ts';

/** A value read from a companion file, with what is wrong in it. */
export interface FileReading<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
}

const LONGEST_SECONDS = 120;
const DEFAULT_SECONDS = 30;

const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['tools'],
  properties: {
    tools: {
      type: 'array',
      maxItems: 200,
      items: {
        type: 'object',
        required: ['name', 'description'],
        properties: {
          name: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
          description: { type: 'string', minLength: 1 },
          script: { type: 'string', minLength: 1 },
          chain: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              required: ['tool'],
              properties: { tool: { type: 'string' }, params: { type: 'object' } },
            },
          },
          parameters: { type: 'object' },
          returns: { type: 'object' },
          timeout_s: { type: 'number', exclusiveMinimum: 0 },
          calls: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};

interface RawTool {
  readonly name: string;
  readonly description: string;
  readonly script?: string;
  readonly chain?: readonly { readonly tool: string; readonly params?: Record<string, unknown> }[];
  readonly parameters?: JsonSchema;
  readonly returns?: JsonSchema;
  readonly timeout_s?: number;
  readonly calls?: readonly string[];
}

/** Reads `tools.yaml`. A file that is broken as a whole gives no tools; one broken tool never costs the others. */
export function readToolsFile(text: string): FileReading<readonly SkillToolSpec[]> {
  const read = readYaml(text, 'tools.yaml');
  if (read.problems.length > 0) return { value: [], problems: read.problems };
  const faults = schemaFaults(SCHEMA, read.value);
  if (faults.length > 0)
    return { value: [], problems: faults.map((fault) => problem('tools-file', `tools.yaml: ${fault}`)) };
  const problems: Problem[] = [];
  const tools = new Map<string, SkillToolSpec>();
  const raws = (read.value as { tools: RawTool[] }).tools;
  const byName = new Map(raws.map((raw) => [raw.name, raw]));
  for (const raw of raws) {
    const fault = faultOf(raw, tools) ?? chainFault(raw, byName);
    if (fault === undefined) tools.set(raw.name, toSpec(raw));
    else problems.push(problem('tools-file', `tools.yaml: the tool "${raw.name}" ${fault}`));
    if ((raw.timeout_s ?? 0) > LONGEST_SECONDS)
      problems.push(
        problem(
          'tools-file',
          `tools.yaml: the tool "${raw.name}" gets ${LONGEST_SECONDS} s, the most there is`,
          'warning',
        ),
      );
  }
  return { value: [...tools.values()], problems };
}

/** A `params` map of the front matter (name → type, description, required), read as one tool that runs `script`. */
export function toolFromParams(
  params: YamlMapping,
  skill: { name: string; description: string; script: string },
): SkillToolSpec {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    const spec =
      typeof value === 'object' && !Array.isArray(value)
        ? (value as YamlMapping)
        : { type: typeof value === 'string' ? value : 'string' };
    const type =
      typeof spec['type'] === 'string' && /^(string|number|integer|boolean|array|object)$/.test(spec['type'])
        ? spec['type']
        : 'string';
    properties[name] = {
      type,
      ...(typeof spec['description'] === 'string' ? { description: spec['description'] } : {}),
    };
    if (spec['required'] === 'true') required.push(name);
  }
  return {
    name: 'run',
    description: skill.description,
    run: { kind: 'script', script: skill.script },
    parameters: { type: 'object', additionalProperties: false, properties, required },
    timeoutSeconds: DEFAULT_SECONDS,
    calls: [],
  };
}

/** Keys are compared each with each. */
const LARGEST_YAML = 256 * 1024;
const MOST_ALIASES = 100;

/** A companion file as plain values; `problems` says why it is none. Aliases are few, tags and duplicates refused. */
export function readYaml(text: string, file: string): FileReading<unknown> {
  const refuse = (what: string) => ({
    value: undefined,
    problems: [problem(ruleOf(file), `${file}: ${what}`)],
  });
  if (text.length > LARGEST_YAML) return refuse(`it has ${text.length} characters; at most ${LARGEST_YAML}`);
  try {
    const document = parseDocument(text, {
      uniqueKeys: true,
      merge: false,
      prettyErrors: false,
      logLevel: 'error',
    });
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) {
      const line = text.slice(0, error.pos[0]).split('\n').length;
      return {
        value: undefined,
        problems: [{ ...problem(ruleOf(file), `${file}:${line}: ${error.message}`) }],
      };
    }
    let aliases = 0;
    const countAlias = () => {
      aliases += 1;
    };
    visit(document, { Alias: countAlias });
    if (aliases > MOST_ALIASES) return refuse(`it has ${aliases} aliases; at most ${MOST_ALIASES}`);
    return { value: withoutPrototype(document.toJS({ maxAliasCount: 20 })), problems: [] };
  } catch (error) {
    if (error instanceof ReferenceError || error instanceof RangeError)
      return refuse('too many aliases, or nested too deeply');
    throw error;
  }
}

function withoutPrototype(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (key, item) =>
    key === '__proto__' || key === 'constructor' || key === 'prototype' ? undefined : item,
  ) as unknown;
}

function faultOf(raw: RawTool, before: ReadonlyMap<string, SkillToolSpec>): string | undefined {
  if (before.has(raw.name)) return 'stands there twice';
  if ((raw.script === undefined) === (raw.chain === undefined)) return 'needs either a script or a chain';
  for (const [key, schema] of Object.entries({ parameters: raw.parameters, returns: raw.returns })) {
    const fault = schema === undefined ? undefined : schemaFault(schema);
    if (fault !== undefined) return `has ${key} that are no JSON Schema: ${fault}`;
  }
  return undefined;
}

function toSpec(raw: RawTool): SkillToolSpec {
  const steps: ChainStep[] = (raw.chain ?? []).map(({ tool, params }) => ({ tool, params: params ?? {} }));
  return {
    name: raw.name,
    description: raw.description,
    run: raw.script === undefined ? { kind: 'chain', steps } : { kind: 'script', script: raw.script },
    parameters: { type: 'object', ...raw.parameters },
    ...(raw.returns === undefined ? {} : { returns: raw.returns }),
    timeoutSeconds: Math.min(raw.timeout_s ?? DEFAULT_SECONDS, LONGEST_SECONDS),
    // What a chain runs of other skills it calls, said or not.
    calls: [...new Set([...(raw.calls ?? []), ...steps.map(({ tool }) => tool).filter(isElsewhere)])],
  };
}

function isElsewhere(tool: string): boolean {
  return tool.includes('/');
}

function ruleOf(file: string): string {
  return file.replace('.yaml', '-file');
}

function problem(rule: string, message: string, severity: Problem['severity'] = 'error'): Problem {
  return { rule, severity, message };
}
