import { isMapping } from './field-values.ts';
import { quote } from './quote.ts';
import type { YamlValue } from './yaml-mapping.ts';

/** `key: value` in block style, each text quoted; lists and maps on lines of their own. What is empty is a text. */
export function fieldLines(key: string, value: YamlValue, indent = ''): string[] {
  const name = `${indent}${/^[A-Za-z_][\w-]*$/.test(key) ? key : quote(key)}:`;
  if (typeof value === 'string') return [`${name} ${quote(value)}`];
  const below = valueLines(value, `${indent}  `);
  return below.length === 0 ? [`${name} ""`] : [name, ...below];
}

function valueLines(value: YamlValue, indent: string): string[] {
  if (typeof value === 'string') return [`${indent}${quote(value)}`];
  if (isMapping(value)) return Object.entries(value).flatMap(([key, item]) => fieldLines(key, item, indent));
  return value.flatMap((item) => {
    if (typeof item === 'string') return [`${indent}- ${quote(item)}`];
    const below = valueLines(item, `${indent}  `);
    return below.length === 0 ? [] : [`${indent}-`, ...below];
  });
}
