import { type JsonSchema, schemaFaults } from '../text/json-schema.ts';
import type { SkillTestCase } from './skill.ts';
import { type FileReading, readYaml } from './tools-file.ts';

const SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['cases'],
  properties: {
    cases: {
      type: 'array',
      items: {
        type: 'object',
        // A word that is not known would leave a case that tests less than it says.
        additionalProperties: false,
        required: ['name', 'tool', 'expect'],
        properties: {
          name: { type: 'string' },
          tool: { type: 'string' },
          params: { type: 'object' },
          expect: { type: 'object', minProperties: 1 },
        },
      },
    },
  },
};

/** Reads `tests.yaml`; a broken file gives no cases and says why. */
export function readTestsFile(text: string): FileReading<readonly SkillTestCase[]> {
  const read = readYaml(text, 'tests.yaml');
  const faults = read.problems.length > 0 ? [] : schemaFaults(SCHEMA, read.value);
  const problems = [
    ...read.problems,
    ...faults.map((fault) => ({
      rule: 'tests-file',
      severity: 'error' as const,
      message: `tests.yaml: ${fault}`,
    })),
  ];
  if (problems.length > 0) return { value: [], problems };
  const { cases } = read.value as {
    cases: (Omit<SkillTestCase, 'params'> & { params?: Record<string, unknown> })[];
  };
  return {
    value: cases.map(({ name, tool, params, expect }) => ({ name, tool, params: params ?? {}, expect })),
    problems: [],
  };
}
