import { type Document, isAlias, isMap, isScalar, isSeq, type Scalar } from 'yaml';
import { quote } from './quote.ts';
import { DANGEROUS_KEYS } from './yaml-findings.ts';

/** What YAML of any age takes for something else than a text: nothing, a truth value, a number, a date, a time. */
const NO_TEXT =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?\.(?:inf|nan)|[-+.]{0,2}\d(?:[\w.:+-]*[\w.])?)?$/i;
const TAGS = new Set([undefined, 'tag:yaml.org,2002:str', 'tag:yaml.org,2002:map', 'tag:yaml.org,2002:seq']);

/**
 * `key: value` in block style, texts quoted; lists and maps on lines of their own; a number, a truth value and nothing stay
 * what they are. Undefined for what the specification's YAML has no form for: an empty list or map, a key that stands
 * twice, is no text or merges, and a tag of another type.
 */
export function fieldLines(
  key: string | Scalar,
  node: unknown,
  { document, indent }: { readonly document: Document; readonly indent: string },
): string[] | undefined {
  const name = `${indent}${keyText(key)}:`;
  const value = isAlias(node) ? node.resolve(document) : node;
  if (value === null) return [name];
  if (isScalar(value)) {
    const text = scalarText(value);
    return text === undefined ? undefined : [text === '' ? name : `${name} ${text}`];
  }
  const below = valueLines(value, { document, indent: `${indent}  ` });
  return below === undefined ? undefined : [name, ...below];
}

/** The same for a text. */
export function textLine(key: string, text: string, indent = ''): string {
  return `${indent}${keyText(key)}: ${quote(text)}`;
}

/** Whether the source is nothing to YAML: no text at all. */
export function isNothing(node: unknown): boolean {
  return node === null || (isScalar(node) && node.type === 'PLAIN' && /^(?:~|null)?$/i.test(sourceOf(node)));
}

/** A key that is no text to some stays what it is, as the values do. */
function keyText(key: string | Scalar): string {
  if (typeof key !== 'string') return isNoText(key) ? sourceOf(key) : keyText(String(key.value));
  return /^[A-Za-z_][\w-]*$/.test(key) && !NO_TEXT.test(key) ? key : quote(key);
}

/** Whether only its tag says what it is. */
export function isOfOwnType(node: unknown): boolean {
  return (isScalar(node) || isMap(node) || isSeq(node)) && !TAGS.has(node.tag);
}

/** Undefined for one of a type that only its tag has. */
function scalarText(node: Scalar): string | undefined {
  if (isOfOwnType(node)) return undefined;
  return isNoText(node) ? sourceOf(node) : quote(String(node.value ?? ''));
}

function isNoText(node: Scalar): boolean {
  const source = sourceOf(node);
  return node.type === 'PLAIN' && node.tag === undefined && NO_TEXT.test(source) && !source.includes('---');
}

function sourceOf({ source, value }: Scalar): string {
  return source ?? String(value ?? '');
}

interface Place {
  readonly document: Document;
  readonly indent: string;
}

function valueLines(node: unknown, { document, indent }: Place): string[] | undefined {
  const below = { document, indent: `${indent}  ` };
  if (isMap(node)) {
    const keys = node.items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
    const names = new Set(keys.map(({ value }) => String(value)));
    const isSound = names.size === node.items.length && keys.every((key) => !isOdd(key));
    if (!isSound || isOfOwnType(node)) return undefined;
    return joined(
      node.items.map(({ value }, index) => fieldLines(keys[index] ?? '', value, { document, indent })),
    );
  }
  if (!isSeq(node) || isOfOwnType(node)) return undefined;
  return joined(
    node.items.map((entry) => {
      const item = isAlias(entry) ? entry.resolve(document) : entry;
      if (isScalar(item)) {
        const text = scalarText(item);
        return text === undefined ? undefined : [`${indent}- ${text}`.trimEnd()];
      }
      const lines = valueLines(item, below);
      return lines === undefined ? undefined : [`${indent}-`, ...lines];
    }),
  );
}

function isOdd(key: Scalar): boolean {
  const name = String(key.value);
  return isNothing(key) || isOfOwnType(key) || name === '<<' || DANGEROUS_KEYS.has(name);
}

/** Undefined where there is nothing, or one of them has no form. */
function joined(parts: readonly (string[] | undefined)[]): string[] | undefined {
  const lines = parts.flatMap((part) => part ?? []);
  return parts.length === 0 || parts.includes(undefined) ? undefined : lines;
}
