/** A placeholder in the parameters of a chain's step, such as `{{steps.1.data.y}}`. */
export interface Placeholder {
  /** With its braces, as it is written. */
  readonly text: string;
  /** `steps`, `1`, `data`, `y`. */
  readonly path: readonly string[];
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** A text cut at its placeholders: what stands between them, and they themselves, in their order. */
export function splitAtPlaceholders(text: string): readonly (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    const path = (match[1] ?? '').split('.').map((name) => name.trim());
    parts.push({ text: match[0], path });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** Every placeholder in the texts of a value, however deep. */
export function placeholdersIn(value: unknown): readonly Placeholder[] {
  if (typeof value === 'string')
    return splitAtPlaceholders(value).filter((part): part is Placeholder => typeof part !== 'string');
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(placeholdersIn);
}
