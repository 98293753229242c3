import { type JsonSchema, ownSchema, schemaFaults } from './text/json-schema.ts';

const positive = { type: 'integer', minimum: 1 };
const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text };
const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

/** Of `knack.json`. */
export const configSchema = ownSchema(
  object({
    $schema: text,
    model: object({
      baseUrl: text,
      assistant: text,
      reviewer: text,
      judge: text,
      contextTokens: positive,
      idleSeconds: { ...positive, maximum: 86_400 },
    }),
    roots: texts,
    search: object({
      embeddings: {
        ...object({ model: text, baseUrl: text, dimensions: { ...positive, maximum: 65_536 } }),
        required: ['model'],
      },
    }),
    disclosure: object({
      catalogTokens: positive,
      turnTokens: positive,
      sessionTokens: positive,
      pinned: texts,
      failures: positive,
    }),
    review: object({
      autonomy: { enum: ['commit', 'propose', 'off'] },
      attempts: { type: 'integer', minimum: 1, maximum: 5 },
      digestTokens: positive,
      maxTokens: positive,
      dailyTokens: positive,
      breakerRefusals: positive,
      replay: { type: 'boolean' },
      idleMinutes: { ...positive, maximum: 20_160 },
    }),
    assistant: object({
      maxTurns: positive,
      maxTokens: positive,
      approval: {
        type: 'array',
        items: {
          ...object({ pattern: text, decision: { enum: ['allow', 'ask', 'deny'] } }),
          required: ['pattern', 'decision'],
        },
      },
    }),
    history: object({ inRepository: { type: 'boolean' } }),
    scripts: object({ timeoutSeconds: { type: 'integer', minimum: 1, maximum: 120 } }),
  }),
);

/** What of a `knack.json` is unknown or of the wrong kind, each with its place and, where a key is near, what was meant. */
export function configFaults(given: unknown): string[] {
  return schemaFaults(configSchema, given).map(withSuggestion);
}

/** Where each key of the settings stands: `review.autonomy`. */
const PLACES = placesIn(configSchema, '');

function placesIn(schema: JsonSchema, above: string): string[] {
  const inner = (schema['properties'] ??
    (schema['items'] as JsonSchema | undefined)?.['properties'] ??
    {}) as Record<string, JsonSchema>;
  return Object.entries(inner).flatMap(([key, value]) => [
    `${above}${key}`,
    ...placesIn(value, `${above}${key}.`),
  ]);
}

/** An unknown key with its place, and where it would stand, or what may stand there. */
function withSuggestion(fault: string): string {
  const [, where = '', key] = /^(.+) must NOT have additional properties \("(.+)"\)$/.exec(fault) ?? [];
  if (key === undefined) return fault;
  const above = where === 'the value' ? '' : `${where}.`;
  const general = above.replace(/\.\d+\./g, '.');
  const elsewhere = PLACES.find((place) => place.split('.').at(-1)?.toLowerCase() === key.toLowerCase());
  const beside = PLACES.filter(
    (place) =>
      place.startsWith(general) && !place.slice(general.length).includes('.') && !place.startsWith('$'),
  ).map((place) => place.slice(general.length));
  const letters = (text: string) => [...text.toLowerCase()].sort((a, b) => (a < b ? -1 : 1)).join('');
  const near = beside.find(
    (each) => letters(each) === letters(key) || each.toLowerCase().startsWith(key.toLowerCase().slice(0, 4)),
  );
  const guess = elsewhere ?? (near === undefined ? undefined : `${general}${near}`);
  return `unknown key "${above}${key}" (${guess === undefined ? `there are ${beside.join(', ')}` : `did you mean "${guess}"?`})`;
}
