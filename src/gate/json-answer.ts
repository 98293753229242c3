import { parseForeignJson } from '../text/json.ts';

/**
 * The JSON object in a model's answer: the whole answer, what stands in its first code fence, or what stands
 * between the first and the last brace. Fields that are null are left out.
 */
export function readJsonAnswer(text: string): { value: unknown } | { fault: string } {
  const whole = text.trim();
  const fenced = /^[ \t]*(`{3,}|~{3,})[a-zA-Z]*[ \t]*\n([\s\S]*?)\n[ \t]*\1/m.exec(whole)?.[2];
  const braced = whole.slice(whole.indexOf('{'), whole.lastIndexOf('}') + 1);
  let fault = 'it is empty';
  for (const part of [whole, fenced, braced]) {
    if (!part) continue;
    try {
      return { value: withoutNulls(parseForeignJson(part)) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      fault = error.message;
    }
  }
  return { fault: `the answer is not one JSON object: ${fault}` };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([key, field]) => [key, withoutNulls(field)]),
  );
}
