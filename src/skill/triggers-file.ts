import { messageOf, type Problem } from '../errors.ts';
import { type JsonSchema, schemaFaults } from '../text/json-schema.ts';
import type { TriggerQuery } from './skill.ts';
import type { FileReading } from './tools-file.ts';

const SCHEMA: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['query', 'should_trigger'],
    properties: { query: { type: 'string', minLength: 1 }, should_trigger: { type: 'boolean' } },
  },
};

/** Reads `evals/triggers.json`; a broken file gives no queries and says why. */
export function readTriggersFile(text: string): FileReading<readonly TriggerQuery[]> {
  const refuse = (message: string): FileReading<readonly TriggerQuery[]> => {
    const problem: Problem = {
      rule: 'triggers-file',
      severity: 'warning',
      message: `evals/triggers.json: ${message}`,
    };
    return { value: [], problems: [problem] };
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(messageOf(error));
  }
  const [fault] = schemaFaults(SCHEMA, value);
  if (fault !== undefined) return refuse(fault);
  return {
    value: (value as { query: string; should_trigger: boolean }[]).map((entry) => ({
      query: entry.query,
      shouldTrigger: entry.should_trigger,
    })),
    problems: [],
  };
}
