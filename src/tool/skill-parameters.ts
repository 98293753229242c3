/** A text that says something. */
export const text = { type: 'string', minLength: 1 };
/** The skill that a tool is about. */
export const skillName = { ...text, description: 'name of the skill' };
/** Where to go on, as the last answer says. */
export const offset = { type: 'integer', minimum: 0 };
/** Parameters of a tool. */
export const object = (required: readonly string[], properties: Record<string, unknown>) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
