/**
 * What the author of a value that YAML cannot read meant by it: the text to the end of the line. Quotes around the whole
 * and the mark of a block are no part of it. Undefined if nothing is left but marks, which no author means.
 */
export function literalText(value: string): string | undefined {
  const text = withoutQuotes(value.trim().replace(/^[|>][+-]?\d?(?:\s+|$)/, ''));
  return /^[\s|>[\]{}"'*&!%@`#:,?+-]*$/.test(text) ? undefined : text;
}

/**
 * `  - key: rest` with the rest as a quoted text; a line of another shape as it is. A colon in parentheses ends no key:
 * `  - Bash(gh pr: *)` is one text.
 */
export function quoteValue(line: string): string {
  const [, dash, item] = /^(\s*- )([^:"']*\([^:)]*:.*\))\s*$/.exec(line) ?? [];
  if (dash !== undefined && item !== undefined) return dash + JSON.stringify(item);
  const [, key, value] = /^(\s*(?:- )?[^:]+?\s*:)\s+(.*\S)\s*$/.exec(line) ?? [];
  if (key === undefined || value === undefined || /^[|>]/.test(value)) return line;
  return `${key} ${JSON.stringify(withoutQuotes(value))}`;
}

/**
 * The inside of quotes that open and close the whole. In `"a" and "b"` they do not: the second one closes, as no letter
 * follows it. One that opens and never closes goes as well.
 */
function withoutQuotes(value: string): string {
  const quote = value[0] ?? '';
  if (quote !== '"' && quote !== "'") return value;
  const next = value.indexOf(quote, 1);
  if (next < 0) return value.slice(1);
  if (!value.endsWith(quote)) return value;
  if (next < value.length - 1 && !/^[\p{L}\p{N}]/u.test(value.slice(next + 1))) return value;
  const inside = value.slice(1, -1);
  return quote === '"' ? inside.replaceAll('\\"', '"') : inside.replaceAll("''", "'");
}
